/** Putting objects into the states that a table can show, on a real API server. */
import { BUILT_IN } from "../../../src/cluster/api/kinds/built-in.ts";
import { groupVersionOf, type Kind } from "../../../src/cluster/api/kinds/kind.ts";
import type { ControlPlane } from "../control-plane.ts";

/** One object and how to bring it into its state. */
export interface Actor {
  /** `apps/StatefulSet`; without a group for the core one. */
  readonly kind: string;
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly object[];
  /** Everything of the object but metadata and status. */
  readonly body?: object;
  /** Written through the status subresource. */
  readonly status?: object;
  /** Deleted, but held back by a finalizer. */
  readonly deleted?: boolean;
}

const FINALIZER = "example.com/hold";

export function kindNamed(name: string): Kind {
  const [first = "", second] = name.split("/");
  const [group, kind] = second === undefined ? ["", first] : [first, second];
  const found = BUILT_IN.find((candidate) => candidate.group === group && candidate.kind === kind);
  if (found === undefined) throw new Error(`there is no kind ${name}`);
  return found;
}

/** Where objects of a kind are; those of a namespace in `default`. */
export function collectionOf(kind: Kind): string {
  const root = kind.group === "" ? "/api/v1" : `/apis/${groupVersionOf(kind)}`;
  return kind.namespaced ? `${root}/namespaces/default/${kind.plural}` : `${root}/${kind.plural}`;
}

export async function play(plane: ControlPlane, actor: Actor): Promise<void> {
  const { name, labels = {}, annotations = {}, ownerReferences = [] } = actor;
  const kind = kindNamed(actor.kind);
  const [collection, finalizers] = [collectionOf(kind), actor.deleted === true ? [FINALIZER] : []];
  await plane.api.create(collection, {
    apiVersion: groupVersionOf(kind),
    kind: kind.kind,
    metadata: { name, labels, annotations, ownerReferences, finalizers },
    ...actor.body,
  });
  if (actor.status !== undefined) await plane.api.patch(`${collection}/${name}/status`, { status: actor.status });
  if (actor.deleted === true) await plane.api.delete(`${collection}/${name}`);
}
