/** Headers of a request, as they tell who asks. */

/** By lower-case name. One that came several times is a list: joining them would make one group of many. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Every value of a header. */
export function valuesOf(headers: RequestHeaders, name: string): readonly string[] {
  const value = headers[name];
  if (value === undefined) return [];
  return typeof value === "string" ? [value] : value;
}

/** The first value of a header; empty where there is none. */
export function firstOf(headers: RequestHeaders, name: string): string {
  return valuesOf(headers, name)[0] ?? "";
}
