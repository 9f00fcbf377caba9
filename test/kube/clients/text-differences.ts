/** Which lines two texts do not share, in order: what a reader of both would mark. */
export function textDifferences(ours: string, theirs: string): string[] {
  if (ours === theirs) return [];
  const [mine, real] = [ours.split("\n"), theirs.split("\n")];
  const common = commonLengths(mine, real);
  const found: string[] = [];
  let i = 0;
  let j = 0;
  while (i < mine.length || j < real.length) {
    if (i < mine.length && j < real.length && mine[i] === real[j]) {
      i++;
      j++;
    } else if (j < real.length && (i === mine.length || at(common, i, j + 1) >= at(common, i + 1, j))) {
      found.push(`theirs: ${real[j++]}`);
    } else {
      found.push(`ours: ${mine[i++]}`);
    }
  }
  return found;
}

/** For each pair of places, how long the longest common subsequence of what follows is. */
function commonLengths(a: readonly string[], b: readonly string[]): readonly Uint32Array[] {
  const rows = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (const [i, row] of [...rows.entries()].toReversed()) {
    for (let j = b.length - 1; i < a.length && j >= 0; j--) {
      row[j] = a[i] === b[j] ? at(rows, i + 1, j + 1) + 1 : Math.max(at(rows, i + 1, j), at(rows, i, j + 1));
    }
  }
  return rows;
}

function at(rows: readonly Uint32Array[], i: number, j: number): number {
  return rows[i]?.[j] ?? 0;
}
