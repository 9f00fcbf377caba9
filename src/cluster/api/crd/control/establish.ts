/**
 * Which names a definition gets, and whether it is served: what upstream's naming and establishing controllers write into its
 * status (apiextensions-apiserver pkg/controller/{status,establish}). Pure.
 */

import { aggregate } from "../../../../admission/verdict.ts";
import { semanticallyEqual } from "../../../../core/semantic-equal.ts";
import type { JsonObject } from "../../json.ts";
import { asDefinition, asObject, conditionOf, type Definition, isTrue, type Names } from "../definition/definition.ts";
import { type Said, withCondition } from "./conditions.ts";

const NO_NAMES: Names = { plural: "", kind: "" };

const ESTABLISHED: Said = {
  type: "Established",
  status: "True",
  reason: "InitialNamesAccepted",
  message: "the initial names have been accepted",
};
const NOT_ACCEPTED: Said = {
  type: "Established",
  status: "False",
  reason: "NotAccepted",
  message: "not all names are accepted",
};
const NO_CONFLICTS: Said = {
  type: "NamesAccepted",
  status: "True",
  reason: "NoConflicts",
  message: "no conflicts found",
};

/**
 * The definition with the names that it may have and the conditions that follow; itself when its status says so already.
 * `others` are all definitions of the cluster, itself perhaps among them; `now` is a timestamp of the API. A definition that
 * was established once stays so, under the names that it has, even when it asks for others that are taken.
 */
export function establish(definition: JsonObject, others: readonly JsonObject[], now: string): JsonObject {
  const read = asDefinition(definition);
  const named = withNames(read, others.map(asDefinition), now);
  if (!isTrue(named, "NamesAccepted") || isTrue(named, "Established")) return asObject(named);
  return asObject(withCondition(named, ESTABLISHED, now));
}

function withNames(definition: Definition, others: readonly Definition[], now: string): Definition {
  const accepted = definition.status?.acceptedNames ?? NO_NAMES;
  if (semanticallyEqual(definition.spec.names, accepted)) return definition;
  const { names, said } = decideNames(definition.spec.names, accepted, takenNames(definition, others));
  const current = conditionOf(definition, "NamesAccepted");
  const isSaid = current?.status === said.status && current.reason === said.reason && current.message === said.message;
  if (isSaid && semanticallyEqual(names, accepted)) return definition;
  const next = withCondition({ ...definition, status: { ...definition.status, acceptedNames: names } }, said, now);
  return conditionOf(next, "Established") === undefined ? withCondition(next, NOT_ACCEPTED, now) : next;
}

interface Taken {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

function takenNames(definition: Definition, others: readonly Definition[]): Taken {
  const { metadata, spec } = definition;
  // Its own count as well: a short name that is its singular is in use.
  const names = [definition, ...others.filter((other) => other.metadata.name !== metadata.name)]
    .filter((other) => other.spec.group === spec.group)
    .flatMap(({ status }) => status?.acceptedNames ?? []);
  return {
    resources: new Set(
      names.flatMap(({ plural, singular = "", shortNames = [] }) => [plural, singular, ...shortNames]),
    ),
    kinds: new Set(names.flatMap(({ kind, listKind = "" }) => [kind, listKind])),
  };
}

/** Each name that is free is given, whatever happens to the others; of several that are not, the last is told. */
function decideNames(wanted: Names, accepted: Names, taken: Taken): { names: Names; said: Said } {
  let said = NO_CONFLICTS;
  const refuse = (reason: string, message: string): void => {
    said = { type: "NamesAccepted", status: "False", reason, message };
  };
  const decide = (name: string, had: string, used: ReadonlySet<string>, reason: string): string => {
    if (name === had || !used.has(name)) return name;
    refuse(reason, inUse(name));
    return had;
  };

  const plural = decide(wanted.plural, accepted.plural, taken.resources, "PluralConflict");
  const singular = decide(wanted.singular ?? "", accepted.singular ?? "", taken.resources, "SingularConflict");
  const had = accepted.shortNames ?? [];
  const before = new Set(had);
  const conflicts = (wanted.shortNames ?? []).filter((name) => !before.has(name) && taken.resources.has(name));
  if (conflicts.length > 0) refuse("ShortNamesConflict", aggregate(conflicts.map(inUse)));
  const shortNames = conflicts.length > 0 ? had : (wanted.shortNames ?? []);
  const kind = decide(wanted.kind, accepted.kind, taken.kinds, "KindConflict");
  const listKind = decide(wanted.listKind ?? "", accepted.listKind ?? "", taken.kinds, "ListKindConflict");
  const categories = wanted.categories ?? [];
  return {
    names: {
      plural,
      ...(singular !== "" && { singular }),
      ...(shortNames.length > 0 && { shortNames }),
      kind,
      ...(listKind !== "" && { listKind }),
      ...(categories.length > 0 && { categories }),
    },
    said,
  };
}

function inUse(name: string): string {
  return `${JSON.stringify(name)} is already in use`;
}
