/** How Go writes a list of texts with `%q`: messages of Kubernetes show it. */

/** `["a" "b"]` */
export function goQuoteList(texts: readonly string[]): string {
  return `[${texts.map((text) => JSON.stringify(text)).join(" ")}]`;
}
