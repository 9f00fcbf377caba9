/** Which version of an API comes first: `v2`, `v1`, `v1beta2`, `v1beta1`, `v1alpha1`, then any other name, by the alphabet. */

const SHAPE = /^v(\d+)(?:(alpha|beta)(\d+))?$/;
const STABILITY = ["alpha", "beta", ""];

/** For sorting: the one to prefer first (apimachinery pkg/version/helpers.go). */
export function compareVersions(a: string, b: string): number {
  const [first, second] = [ranked(a), ranked(b)];
  if (first === undefined || second === undefined) {
    if (first !== undefined || second !== undefined) return first === undefined ? 1 : -1;
    return a < b ? -1 : Number(a > b);
  }
  return first.map((rank, index) => (second[index] ?? 0) - rank).find((difference) => difference !== 0) ?? 0;
}

/** The more, the more to be preferred: stability, then the number, then the number of the trial. */
function ranked(version: string): readonly number[] | undefined {
  const found = SHAPE.exec(version);
  if (found === null) return undefined;
  const [, major, stability = "", minor = "0"] = found;
  return [STABILITY.indexOf(stability), Number(major), Number(minor)];
}
