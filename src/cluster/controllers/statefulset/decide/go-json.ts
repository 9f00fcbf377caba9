/**
 * JSON to the byte as Go's encoding/json writes a map: keys in order, `<`, `>`, `&` and the two line separators of
 * Unicode escaped. The name of a revision is a hash of such bytes, and kube-controller-manager compares revisions by
 * them: written in any other way, each of the two controllers would take the other's revision for a new one.
 */

/** `JSON.rawJSON`: a string that is written as it stands. The type library does not know it yet. */
const { rawJSON } = JSON as unknown as { rawJSON: (this: void, text: string) => object };

const SPECIAL = /[<>&\u2028\u2029]/g;

/** The same value in the form that `JSON.stringify` writes as Go would. */
export function asGoWrites(value: unknown): unknown {
  if (typeof value === "string") return value.search(SPECIAL) < 0 ? value : rawJSON(escaped(JSON.stringify(value)));
  if (Array.isArray(value)) return value.map(asGoWrites);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, asGoWrites(inner)]),
  );
}

export function goJson(value: unknown): string {
  return JSON.stringify(asGoWrites(value));
}

function escaped(text: string): string {
  return text.replace(SPECIAL, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
