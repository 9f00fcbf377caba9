/**
 * A TypeScript source with its words taken out: comments, and the text inside strings, templates and regular
 * expressions, become blanks. Quotes, line breaks and offsets stay, and code inside `${}` stays code, so that a rule can look for
 * an identifier without stumbling over prose, and still read a string from the original at the same place.
 */
export function codeOnly(source: string): string {
  const out = source.split("");
  const blank = (from: number, to: number) => {
    for (let i = from; i < to; i++) if (out[i] !== "\n") out[i] = " ";
  };
  /** Where we are: in a template's text, or in code with this many open braces since the enclosing `${`. */
  const stack: ("template" | number)[] = [0];

  let at = 0;
  while (at < source.length) {
    const where = stack.at(-1);
    if (where === "template") {
      const end = endOf(source, at, /`|\$\{/y);
      blank(at, end);
      if (source[end] === "`") stack.pop();
      else stack.push(0);
      at = end + (source[end] === "`" ? 1 : 2);
      continue;
    }
    const skipped = skipWords(source, at);
    if (skipped !== undefined) {
      blank(skipped.from, skipped.to);
      at = skipped.next;
      continue;
    }
    const char = source[at];
    if (char === "`") stack.push("template");
    else if (char === "{") stack[stack.length - 1] = (where ?? 0) + 1;
    else if (char === "}" && where === 0 && stack.length > 1) stack.pop();
    else if (char === "}") stack[stack.length - 1] = (where ?? 0) - 1;
    at++;
  }
  return out.join("");
}

/** The comment, string or regular expression that begins here: what to blank, and where code goes on. */
function skipWords(source: string, at: number): { from: number; to: number; next: number } | undefined {
  const two = source.slice(at, at + 2);
  if (two === "//" || two === "/*") {
    const end = source.indexOf(two === "//" ? "\n" : "*/", at);
    const next = end < 0 ? source.length : two === "//" ? end : end + 2;
    return { from: at, to: next, next };
  }
  const char = source[at];
  if (char === '"' || char === "'") {
    const end = endOf(source, at + 1, char === '"' ? /"|\n/y : /'|\n/y);
    return { from: at + 1, to: end, next: end + 1 };
  }
  if (char === "/" && startsExpression(source.slice(Math.max(0, at - 40), at))) {
    const end = endOf(source, at + 1, /\/|\n/y, /\[(?:\\.|[^\]\\\n])*\]/y);
    return { from: at + 1, to: end, next: end + 1 };
  }
  return undefined;
}

/** After this, a slash begins a regular expression and does not divide. */
function startsExpression(before: string): boolean {
  return /(?:^|[(,=:[!&|?{;+\-*%<>~^]|=>|\b(?:return|typeof|case|of|in))\s*$/.test(before);
}

/** The place of the first `stop` that is not escaped, and not inside a `group`. */
function endOf(source: string, from: number, stop: RegExp, group?: RegExp): number {
  let at = from;
  while (at < source.length) {
    stop.lastIndex = at;
    if (stop.test(source)) return at;
    if (source[at] === "\\") at += 2;
    else if (group !== undefined && matchesAt(group, source, at)) at = group.lastIndex;
    else at++;
  }
  return source.length;
}

function matchesAt(pattern: RegExp, source: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(source);
}
