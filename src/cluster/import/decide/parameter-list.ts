/** Parameters of a class as one text, in an annotation or on the command line. */

/** `a=1,b=2`; entries without a value are given one that the driver will complain about. */
export function readParameterList(text: string): Readonly<Record<string, string>> {
  const entries = text.split(",").filter((entry) => entry.trim() !== "");
  return Object.fromEntries(
    entries.map((entry) => {
      const [name = "", ...value] = entry.split("=");
      return [name.trim(), value.join("=").trim()];
    }),
  );
}
