/** A command line as a shell would take it apart: blanks separate, quotes of either kind hold together. Nothing else is special. */
export function words(line: string): string[] {
  const found: string[] = [];
  for (const [, part = ""] of line.matchAll(/((?:[^\s'"]+|'[^']*'|"[^"]*")+)/g)) {
    found.push(part.replace(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? ""));
  }
  return found;
}
