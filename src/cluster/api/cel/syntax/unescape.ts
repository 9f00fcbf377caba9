/** What a text in quotes stands for. The tokens have seen to it that quotes are closed and escapes have their form. */

/** Throws `SyntaxError` with cel-go's words. */
export function unescapeText(token: string): string {
  return parts(token)
    .map((part) => (typeof part === "string" ? part : character(part.point)))
    .join("");
}

/** Throws `SyntaxError` with cel-go's words. */
export function unescapeBytes(token: string): Uint8Array {
  return Buffer.concat(
    parts(token.slice(1), true).map((part) =>
      typeof part === "string" ? Buffer.from(part) : Buffer.from([part.point]),
    ),
  );
}

type Part = string | { readonly point: number };

const SIMPLE: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

function parts(token: string, ofBytes = false): readonly Part[] {
  const normal = token.replaceAll(/\r\n?/g, "\n");
  const isRaw = /^[rR]/.test(normal);
  const quoted = isRaw ? normal.slice(1) : normal;
  const width = quoted.length >= 6 && /^(?:"""|''')/.test(quoted) ? 3 : 1;
  const inner = quoted.slice(width, -width);
  if (isRaw || !inner.includes("\\")) return [inner];
  const found: Part[] = [];
  let rest = inner;
  while (rest !== "") {
    const at = rest.indexOf("\\");
    if (at !== 0) {
      found.push(at < 0 ? rest : rest.slice(0, at));
      rest = at < 0 ? "" : rest.slice(at);
      continue;
    }
    const letter = rest[1] ?? "";
    const digits = /^\\(?:[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2}))/.exec(rest);
    if (digits === null) {
      found.push(SIMPLE[letter] ?? letter);
      rest = rest.slice(2);
      continue;
    }
    const [all, byte, short, long, octal] = digits;
    if (ofBytes && (short ?? long) !== undefined) throw new SyntaxError("unable to unescape string");
    found.push({ point: Number.parseInt(byte ?? short ?? long ?? octal ?? "", octal === undefined ? 16 : 8) });
    rest = rest.slice(all.length);
  }
  return found;
}

function character(point: number): string {
  if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) throw new SyntaxError("invalid unicode code point");
  return String.fromCodePoint(point);
}
