/**
 * The wish: which size the claims of a StatefulSet should have, by template, as the annotation
 * `outgrow.dev/claims: data=200Gi,wal=20Gi` says it. The same words are used on the command line.
 */
import { describe } from "./claim.ts";
import { messageOf, OutgrowError } from "./errors.ts";
import { WISH_ANNOTATION } from "./names.ts";
import { Quantity } from "./quantity.ts";
import type { StatefulSet } from "./types.ts";

/** Wanted size by template name, in the order written. A template that is not named has no wish. */
export type Wish = ReadonlyMap<string, Quantity>;

/** A part of a wish that cannot be carried out on this set, in words for people. */
export interface WishProblem {
  readonly template: string;
  readonly message: string;
}

const EXAMPLE = "write TEMPLATE=SIZE, several separated by commas, for example data=200Gi,wal=20Gi";

/**
 * Reads `data=200Gi,wal=20Gi`; blanks around names and sizes do not count. An empty text is a wish for nothing. Throws
 * `WISH_MALFORMED`, naming the entry and showing a right example, for an entry that is no `TEMPLATE=SIZE`, a size that
 * is no quantity or not above zero, and a template named twice.
 */
export function parseWish(text: string): Wish {
  const wish = new Map<string, Quantity>();
  if (text.trim() === "") return wish;
  for (const part of text.split(",")) {
    const entry = part.trim();
    const [name = "", size, ...rest] = entry.split("=").map((piece) => piece.trim());
    if (name === "" || size === undefined || size === "" || rest.length > 0) {
      throw malformed(`${JSON.stringify(entry)} is not a template and its size`);
    }
    const quantity = Quantity.tryParse(size);
    if (quantity === undefined) throw malformed(`${JSON.stringify(entry)}: ${JSON.stringify(size)} is not a size`);
    if (!quantity.moreThan(Quantity.zero)) throw malformed(`${JSON.stringify(entry)}: a size must be more than zero`);
    if (wish.has(name)) throw malformed(`${JSON.stringify(entry)}: template ${JSON.stringify(name)} is named twice`);
    wish.set(name, quantity);
  }
  return wish;
}

/** The text of a wish; `parseWish` gives the same wish back. */
export function formatWish(wish: Wish): string {
  return [...wish].map(([template, size]) => `${template}=${size.toString()}`).join(",");
}

/**
 * The wish that a set carries; undefined without the annotation. Throws `WISH_MALFORMED`, naming the set, when it
 * cannot be read: a bad annotation is reported, and nothing is done.
 */
export function readWish(set: StatefulSet): Wish | undefined {
  const text = set.metadata.annotations?.[WISH_ANNOTATION];
  if (text === undefined) return undefined;
  try {
    return parseWish(text);
  } catch (error) {
    throw new OutgrowError("WISH_MALFORMED", `${describe(set)}: annotation ${WISH_ANNOTATION}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** The entries of a wish that name no template of the set. */
export function checkWish(wish: Wish, set: StatefulSet): readonly WishProblem[] {
  const templates = (set.spec.volumeClaimTemplates ?? []).map((template) => template.metadata.name);
  const known = templates.length === 0 ? "it has no claim templates" : `it has ${templates.join(", ")}`;
  return [...wish.keys()]
    .filter((template) => !templates.includes(template))
    .map((template) => ({
      template,
      message: `${describe(set)} has no claim template ${JSON.stringify(template)}; ${known}`,
    }));
}

function malformed(problem: string): OutgrowError {
  return new OutgrowError("WISH_MALFORMED", `${problem}; ${EXAMPLE}`);
}
