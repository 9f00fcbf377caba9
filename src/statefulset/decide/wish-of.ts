/**
 * Who says what is wanted of a set. A record that names a custom resource (`wishedBy`) carries that resource's sizes, and
 * they alone count: an annotation on the set would be a second voice, and its operator may overwrite it at any time.
 * Without one, the set's own annotation is the wish.
 */
import { OutgrowError } from "../../core/errors.ts";
import { Quantity } from "../../core/quantity.ts";
import type { StatefulSet } from "../../core/types.ts";
import type { VolumeExpansion } from "../types.ts";
import { readWish, type Wish } from "./wish.ts";

type Spec = Pick<VolumeExpansion, "spec">;

/**
 * The sizes that a custom resource wants, as the record says them; undefined when none speaks through it. Throws
 * `WISH_MALFORMED`, naming the resource, for a size that is none.
 */
export function sourceWish(record: Spec | undefined): Wish | undefined {
  const { wishedBy, claims = [] } = record?.spec ?? {};
  if (wishedBy === undefined) return undefined;
  return new Map(
    claims.map(({ template, storage }) => {
      const size = Quantity.tryParse(storage);
      if (size?.moreThan(Quantity.zero) === true) return [template, size];
      const problem = `${wishedBy.kind} ${wishedBy.name} asks for ${template} ${JSON.stringify(storage)}`;
      throw new OutgrowError("WISH_MALFORMED", `${problem}, which is not a size; write one, for example 200Gi`);
    }),
  );
}

/** What is wanted of the set; undefined when nobody wants anything. Throws `WISH_MALFORMED` when it cannot be read. */
export function wishOf(set: StatefulSet, record: Spec | undefined): Wish | undefined {
  return sourceWish(record) ?? readWish(set);
}

/** `MySQLCluster shop asks for mysql-data 20Gi`, for messages; undefined when no custom resource does. */
export function asking(record: Spec | undefined): string | undefined {
  const { wishedBy, claims = [] } = record?.spec ?? {};
  if (wishedBy === undefined) return undefined;
  const sizes = claims.map(({ template, storage }) => `${template} ${storage}`).join(", ");
  return `${wishedBy.kind} ${wishedBy.name} asks for ${sizes === "" ? "nothing more" : sizes}`;
}
