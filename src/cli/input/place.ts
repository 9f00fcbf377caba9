/** Where in the input an object was found, in words that lead a person back to it. */
export interface Place {
  /** The file, or `standard input`. */
  readonly source: string;
  /** Which of its documents, from 1. */
  readonly document: number;
  /** Which entry of the document's list, from 1; undefined when the document is the object itself. */
  readonly item: number | undefined;
}

export function describePlace({ source, document, item }: Place): string {
  return item === undefined ? `${source}, document ${document}` : `${source}, document ${document}, item ${item}`;
}
