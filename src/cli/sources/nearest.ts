/** Names that somebody may have meant. */

/** Those that differ from the word by few letters, or that begin with it or have it inside; nearest first. */
export function nearest(word: string, names: readonly string[]): readonly string[] {
  const most = Math.max(1, Math.floor(word.length / 3));
  return names
    .map((name) => ({ name, distance: word !== "" && name.includes(word) ? 0 : distance(word, name) }))
    .filter((each) => each.distance <= most)
    .sort((a, b) => a.distance - b.distance)
    .map(({ name }) => name);
}

/** How many letters have to be changed, added or taken away (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let at = 0; at < from.length; at++) {
    const next = [at + 1];
    for (let column = 0; column < to.length; column++) {
      const changed = (row[column] ?? 0) + (from[at] === to[column] ? 0 : 1);
      next.push(Math.min(changed, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
