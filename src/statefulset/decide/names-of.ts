/** Several objects in a sentence. */

/** `db-0, db-1 and 3 more are`: the first few by name, with the verb. */
export function namesOf(objects: readonly { metadata: { name: string } }[]): string {
  const names = objects.slice(0, 3).map(({ metadata }) => metadata.name);
  const more = objects.length > names.length ? ` and ${objects.length - names.length} more` : "";
  return `${names.join(", ")}${more} ${objects.length === 1 ? "is" : "are"}`;
}
