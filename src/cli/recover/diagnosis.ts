/** What there is to recover from, of one claim or of a whole set: what `outgrow recover -o json` prints. Pure. */
import type { Quantity } from "../../core/quantity.ts";
import type { PersistentVolumeClaim, StatefulSet } from "../../core/types.ts";
import { claimsOf } from "../../statefulset/decide/claim-ownership.ts";
import { desiredSizes } from "../../statefulset/decide/desired-sizes.ts";
import type { Wish } from "../../statefulset/decide/wish.ts";
import { wishOf } from "../../statefulset/decide/wish-of.ts";
import { findTarget, type TargetName } from "../plan/target.ts";
import type { Picture } from "../status/picture.ts";
import { type Failure, failureOf, lowest, propose } from "./failures.ts";

export interface Diagnosis {
  readonly target: { readonly kind: string; readonly namespace: string; readonly name: string };
  /** For a set or a custom resource one entry per size that has failures; for a claim at most one, under the empty name. */
  readonly parts: readonly Part[];
  /** Claims of a set that failed on something that somebody else asked them for. */
  readonly apart: readonly string[];
  /** The set that would ask a claim for the same size again; only that can be recovered. */
  readonly heldBy?: { readonly set: string; readonly template: string; readonly wants: Quantity };
  /** The custom resource that a set has its sizes from; only that can be recovered. */
  readonly wishedBy?: { readonly kind: string; readonly name: string };
}

export interface Part {
  /** The claim template; empty for a claim on its own. */
  readonly name: string;
  readonly failures: readonly Failure[];
  /** A size has to be more than this. */
  readonly above: Quantity;
  /** Undefined when no smaller size would help. */
  readonly proposal: Quantity | undefined;
}

/** Throws `OBJECT_MISSING` when the target is not there. */
export function diagnose(target: TargetName, namespace: string, picture: Picture): Diagnosis {
  const named = { ...target, namespace };
  const { claims, sets } = picture;
  const recordOf = ({ metadata }: StatefulSet) =>
    picture.records?.find((record) => record.metadata.name === metadata.name);
  if (target.kind === "StatefulSet") {
    const set = findTarget(target, namespace, sets);
    const record = recordOf(set);
    const { wishedBy } = record?.spec ?? {};
    return {
      target: named,
      ...diagnoseSet(set, wishOf(set, record), claims, sets),
      ...(wishedBy && { wishedBy: { kind: wishedBy.kind, name: wishedBy.name } }),
    };
  }
  const claim = findTarget(target, namespace, claims);
  const failure = failureOf(claim);
  if (failure === undefined) return { target: named, parts: [], apart: [] };
  const owner = wanting(claim, failure, sets, (set) => wishOf(set, recordOf(set)));
  return { target: named, parts: [partOf("", [failure])], apart: [], ...(owner && { heldBy: owner }) };
}

/** A set asks for less of what it has asked for itself; what somebody else asked one claim for is that claim's business. */
export function diagnoseSet(
  set: StatefulSet,
  wish: Wish | undefined,
  claims: readonly PersistentVolumeClaim[],
  sets: readonly StatefulSet[],
): Pick<Diagnosis, "parts" | "apart"> {
  const { owned } = claimsOf(set, claims, sets);
  const parts: Part[] = [];
  const apart: string[] = [];
  for (const { template, size } of desiredSizes(set, wish)) {
    const failures = owned
      .filter((each) => each.template === template)
      .map(({ claim }) => failureOf(claim))
      .filter((failure) => failure !== undefined);
    const wished = failures.filter(({ request }) => size.atLeast(request));
    if (wished.length > 0) parts.push(partOf(template, wished));
    // One that has less than what is wanted now is asked for that by the controller.
    const others = failures.filter(({ request, capacity }) => size.lessThan(request) && capacity.atLeast(size));
    apart.push(...others.map(({ claim }) => claim));
  }
  return { parts, apart };
}

export function partOf(name: string, failures: readonly Failure[]): Part {
  return { name, failures, above: lowest(failures), proposal: propose(failures) };
}

function wanting(
  claim: PersistentVolumeClaim,
  { request }: Failure,
  sets: readonly StatefulSet[],
  wishFor: (set: StatefulSet) => Wish | undefined,
): Diagnosis["heldBy"] {
  for (const set of sets) {
    const [owned] = claimsOf(set, [claim], sets).owned;
    const wants = desiredSizes(set, wishFor(set)).find(({ template }) => template === owned?.template);
    if (wants?.size.atLeast(request) === true) {
      return { set: set.metadata.name, template: wants.template, wants: wants.size };
    }
  }
  return undefined;
}
