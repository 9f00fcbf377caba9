/**
 * Cuts JSON into its documents (any number, one after the other), and a document with an `items` array at its top into
 * the entries of that array. It follows strings and brackets only; whether a piece is good JSON, its reader finds out.
 */
import type { Cutter, Piece } from "./cutter.ts";

const OPENS_ITEMS = /(?<!\\)"items"\s*:\s*\[$/;
/** More than the key `items`, its colon and any sensible space between them. */
const KEY_REACH = 64;

export function jsonCutter(): Cutter {
  const structure = /["{}[\]]/g;
  const stringEnd = /["\\]/g;
  let document = 1;
  let items = 0;
  let depth = 0;
  let inString = false;
  let escaped = false;
  /** Whom the text that is being read belongs to: the document, an item, or nobody (the commas between items). */
  let owner: "head" | "item" | "gap" = "head";
  let head = "";
  let item = "";

  function give(text: string): void {
    if (owner === "item") item += text;
    else if (owner === "head" || /[^\s,]/.test(text)) head += text;
  }

  /** Goes over the text by its brackets; `cut` hands everything before a place to its owner. */
  function* brackets(text: string, cut: (end: number) => void): Generator<Piece> {
    for (let at = nextBracket(text, 0); at < text.length; at = nextBracket(text, at + 1)) {
      const opens = text[at] === "{" || text[at] === "[";
      if (owner === "gap") {
        cut(at);
        owner = opens ? "item" : "head";
      }
      depth += opens ? 1 : -1;
      if (owner === "item" && depth === 2) {
        cut(at + 1);
        items++;
        yield { text: item, document, item: items };
        item = "";
        owner = "gap";
      } else if (owner === "head" && depth === 2 && text[at] === "[") {
        cut(at + 1);
        if (OPENS_ITEMS.test(head.slice(-KEY_REACH))) owner = "gap";
      } else if (depth <= 0) {
        cut(at + 1);
        yield* finishDocument();
      }
    }
  }

  function* finishDocument(): Generator<Piece> {
    const text = head + item;
    if (/\S/.test(text)) {
      yield { text, document, item: undefined };
      document++;
    }
    head = "";
    item = "";
    items = 0;
    depth = 0;
    owner = "head";
  }

  /** The next bracket from a place on that is not inside a string; the text's length when there is none. */
  function nextBracket(text: string, from: number): number {
    let at = from;
    while (at < text.length) {
      if (escaped) {
        escaped = false;
        at++;
        continue;
      }
      const wanted = inString ? stringEnd : structure;
      wanted.lastIndex = at;
      const found = wanted.exec(text)?.index;
      if (found === undefined) break;
      if (text[found] === "\\") escaped = true;
      else if (text[found] === '"') inString = !inString;
      else return found;
      at = found + 1;
    }
    return text.length;
  }

  return {
    *push(text) {
      let from = 0;
      const cut = (end: number) => {
        give(text.slice(from, end));
        from = end;
      };
      yield* brackets(text, cut);
      cut(text.length);
    },
    *end() {
      yield* finishDocument();
    },
  };
}
