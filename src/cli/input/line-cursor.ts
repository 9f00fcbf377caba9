/**
 * A place in a text of indented lines. `at` stands at the start of a line, or behind the part of a line that has been
 * read; columns count spaces. Used by block-yaml.ts alone.
 */
const SPACE = 32;
const LINE_FEED = 10;
const DASH = 45;
const BLANK_REST = / *(?:\n|$)/y;

const LINES_UP_TO: RegExp[] = [];

/** Finds the start of a line that is not blank and stands at the column or left of it. */
function lineUpTo(column: number): RegExp {
  LINES_UP_TO[column] ??= new RegExp(`\\n {0,${column}}(?=[^ \\n])`, "g");
  return LINES_UP_TO[column];
}

export class LineCursor {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** The column of the next line that is not blank, having moved to the start of that line; -1 at the end. */
  nextColumn(): number {
    while (this.at < this.text.length) {
      const column = this.columnAt(this.at);
      if (column >= 0) return column;
      this.at = this.lineAfter(this.at);
    }
    return -1;
  }

  /** How far the line that starts at `start` is indented; -1 for a blank line and at the end. */
  columnAt(start: number): number {
    const content = this.contentAt(start);
    return content >= this.text.length || this.text.charCodeAt(content) === LINE_FEED ? -1 : content - start;
  }

  /** Where the spaces that start at `start` end. */
  contentAt(start: number): number {
    let end = start;
    while (this.text.charCodeAt(end) === SPACE) end++;
    return end;
  }

  /** Whether a list entry starts here. */
  isDash(start: number): boolean {
    if (this.text.charCodeAt(start) !== DASH) return false;
    const next = this.text.charCodeAt(start + 1);
    return next === SPACE || next === LINE_FEED || Number.isNaN(next);
  }

  /** Whether nothing follows on this line; if so, moves to the next one. */
  finishLine(): boolean {
    BLANK_REST.lastIndex = this.at;
    if (!BLANK_REST.test(this.text)) return false;
    this.at = BLANK_REST.lastIndex;
    return true;
  }

  lineEnd(start: number): number {
    const end = this.text.indexOf("\n", start);
    return end < 0 ? this.text.length : end;
  }

  lineAfter(start: number): number {
    return Math.min(this.lineEnd(start) + 1, this.text.length);
  }

  /** Where the lines end that stand right of `column`, or are blank, from the line at `start` on. */
  endOfDeeper(start: number, column: number): number {
    const first = this.columnAt(start);
    if (first >= 0 && first <= column) return start;
    const end = lineUpTo(column);
    end.lastIndex = start;
    return end.test(this.text) ? this.text.lastIndexOf("\n", end.lastIndex) + 1 : this.text.length;
  }
}
