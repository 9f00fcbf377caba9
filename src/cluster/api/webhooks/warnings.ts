/** What a webhook may have the client told: upstream's bounds (apiserver/pkg/endpoints/filters/warning.go), for each answer. */

const MAX_TOTAL = 4096;
const MAX_EACH = 256;

/**
 * The warnings of one answer, each once. Texts that could not stand in a header are left out; when all together are too
 * long, each is cut short, and those that are still too many are left out.
 */
export function boundWarnings(warnings: readonly string[]): string[] {
  const distinct = [...new Set(warnings)].filter((text) => text !== "" && !/\p{Cc}/u.test(text));
  if (distinct.reduce((sum, text) => sum + lengthOf(text), 0) <= MAX_TOTAL) return distinct;
  const bounded: string[] = [];
  let total = 0;
  for (const text of distinct) {
    if (total >= MAX_TOTAL) break;
    const short = Array.from(text.slice(0, 2 * MAX_EACH))
      .slice(0, MAX_EACH)
      .join("");
    bounded.push(short);
    total += lengthOf(short);
  }
  return bounded;
}

/** In code points, as Go counts. */
function lengthOf(text: string): number {
  return Array.from(text).length;
}
