/** What a program prints, without what no two servers and no two moments agree on. */

const RULES: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<uid>"],
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, "<token>"],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g, "<time>"],
  [/(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, "<time>"],
  [/^[EWI]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ /gm, "<log> "],
  [/(resourceVersion"?: ?)"\d+"/g, "$1<version>"],
  [/(Resource Version: +)\d+/g, "$1<version>"],
  [/kube-api-access-[a-z0-9]{5}/g, "kube-api-access-<chance>"],
  // `90s`, `3m`, `3h5m`, `1.5s`: whole minutes and hours go without seconds.
  [/\b(?:\d+h)?(?:\d+m)?\d+(?:\.\d+)?(?:ms|s)\b|\b\d+[hm](?:\d+m)?\b/g, "<age>"],
  [/(Expected resource version to be \d+, was )\d+/g, "$1<version>"],
  [/\b(some-)[a-z0-9]{5}\b/g, "$1<chance>"],
  [/(nodePort: )3\d{4}/g, "$1<port>"],
  // kubectl, when its time is up just as a watch ends.
  [/^<log> reflector\.go.*(?:very short watch|context deadline exceeded).*\n/gm, ""],
  [/\b10\.\d+\.\d+\.\d+\b/g, "<address>"],
  // diff names the two folders that kubectl made, with the moment.
  [/(LIVE|MERGED)-\d+/g, "$1-<chance>"],
  [/^((?:---|\+\+\+) \S+)\t.*$/gm, "$1"],
  // Columns are as wide as their widest cell, and ages are not of one width.
  [/(?<=\S)(?: {2,}|\t+ *)/g, "  "],
  [/[ \t]+$/gm, ""],
];

/** `places` are texts that name this server or this folder. */
export function normalText(text: string, places: readonly string[]): string {
  const placed = places.reduce((rest, place, index) => rest.replaceAll(place, `<place ${index}>`), text);
  return sortedCauses(RULES.reduce((rest, [pattern, word]) => rest.replace(pattern, word), placed));
}

/** Kubernetes lists what is wrong with a custom resource in no particular order. */
function sortedCauses(text: string): string {
  return text.replace(/(?:^\* .*\n)+/gm, (lines) => `${lines.trimEnd().split("\n").toSorted().join("\n")}\n`);
}
