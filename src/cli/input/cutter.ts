/** One object's text, or what remains of a document when the items of its list have been cut out. */
export interface Piece {
  readonly text: string;
  /** Which document of the stream, from 1. */
  readonly document: number;
  /** Which item of the document's list, from 1; undefined for the document itself, which comes after its items. */
  readonly item: number | undefined;
}

/**
 * Cuts a stream into objects, so that no more than one object's text is held at a time: takes text in any portions and
 * gives pieces as they become complete. `end` gives what is left; it is called once, last.
 */
export interface Cutter {
  push(text: string): Iterable<Piece>;
  end(): Iterable<Piece>;
}
