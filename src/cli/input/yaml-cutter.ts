/**
 * Cuts YAML into its documents, and a document that is a list as kubectl prints it into the list's items.
 *
 * The cut goes by one fact of YAML: in block style, a line that starts at column 0 starts a new key of the document, a
 * new entry of a list at that column, or a new document; everything indented or blank below belongs to it. Text inside a
 * scalar is always indented, so it can not be mistaken, and `---` at column 0 is a marker wherever it stands.
 */
import type { Cutter, Piece } from "./cutter.ts";

const MARKER = /^(?:---|\.\.\.)(?=[ \n]|$)/;
const BARE_MARKER = /^(?:---|\.\.\.) *(?:#.*)?\n*$/;
const ITEMS_KEY = /^items: *\n*$/;
/** A line with something in it besides a comment. */
const CONTENT = /^ *[^ #\n]/m;

export function yamlCutter(): Cutter {
  const sectionStart = /\n(?=[^ \n])/g;
  /** The section that is not complete yet, in portions. */
  let pending: string[] = [];
  let lineEnded = true;
  let document = 1;
  let head = "";
  let items = 0;
  let inItems = false;

  function* finishDocument(): Generator<Piece> {
    if (CONTENT.test(head)) {
      yield { text: head, document, item: undefined };
      document++;
    }
    head = "";
    items = 0;
    inItems = false;
  }

  /** A section is a line at column 0 with everything below it that is indented or blank. */
  function* finishSection(end: string): Generator<Piece> {
    pending.push(end);
    const section = pending.join("");
    pending = [];
    if (MARKER.test(section)) {
      yield* finishDocument();
      if (!BARE_MARKER.test(section)) head = section;
    } else if (inItems && section.startsWith("- ")) {
      items++;
      yield { text: ` ${section.slice(1)}`, document, item: items };
    } else {
      inItems = ITEMS_KEY.test(section);
      head += section;
    }
  }

  return {
    *push(text) {
      if (text === "") return;
      if (lineEnded && text[0] !== " " && text[0] !== "\n") yield* finishSection("");
      let from = 0;
      for (const { index } of text.matchAll(sectionStart)) {
        yield* finishSection(text.slice(from, index + 1));
        from = index + 1;
      }
      pending.push(text.slice(from));
      lineEnded = text.endsWith("\n");
    },
    *end() {
      yield* finishSection("");
      yield* finishDocument();
    },
  };
}
