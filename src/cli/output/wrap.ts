/**
 * Text broken into lines at blanks, so that no line has more characters than `width`. Words that are longer stay whole, and a
 * width in which nothing sensible fits breaks nothing.
 */
export function wrap(text: string, width: number): readonly string[] {
  if (width < NARROWEST || text.length <= width) return [text];
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

/** Less than this is no column to read in. */
const NARROWEST = 20;

/** `lead` and the text after it, further lines below the text's beginning. A width of undefined is a file: one line. */
export function hanging(lead: string, text: string, width: number | undefined): string {
  if (width === undefined) return `${lead}${text}`.trimEnd();
  return wrap(text, width - lead.length)
    .map((line, index) => `${index === 0 ? lead : " ".repeat(lead.length)}${line}`.trimEnd())
    .join("\n");
}
