/** Names of fields as expressions can write them: k8s.io/apiserver/pkg/cel/escaping.go. */

const RESERVED: ReadonlySet<string> = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  ),
);

const ESCAPES: Readonly<Record<string, string>> = {
  __: "__underscores__",
  ".": "__dot__",
  "-": "__dash__",
  "/": "__slash__",
};

const UNESCAPES: Readonly<Record<string, string>> = { underscores: "__", dot: ".", dash: "-", slash: "/" };

/** Undefined for a name that no expression can reach. */
export function escapeName(name: string): string | undefined {
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name)) return undefined;
  if (RESERVED.has(name)) return `__${name}__`;
  return name.replaceAll(/__|[./-]/g, (found) => ESCAPES[found] ?? found);
}

/** Undefined for what is no escaped name. */
export function unescapeName(escaped: string): string | undefined {
  if (!escaped.includes("__")) return escaped;
  let isWrong = false;
  const name = escaped.replaceAll(/_{2}[^_]+_{2}/g, (found) => {
    const inner = found.slice(2, -2);
    const plain = UNESCAPES[inner];
    if (plain !== undefined) return plain;
    if (!RESERVED.has(inner) || found.length !== escaped.length) isWrong = true;
    return inner;
  });
  return isWrong ? undefined : name;
}
