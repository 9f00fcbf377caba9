/** What a plan is made from: objects, and what only a live cluster can tell. */
import type { DryRun } from "../../statefulset/decide/holds.ts";
import type { VolumeExpansion } from "../../statefulset/types.ts";
import type { KindName } from "../input/kinds.ts";
import type { Snapshot } from "../input/snapshot.ts";

export interface Evidence {
  readonly snapshot: Snapshot;
  /** Kinds that were read whole: none of them in the snapshot means that there is none. */
  readonly known: ReadonlySet<KindName>;
  /** What this user may not read or try, in words. */
  readonly notRead: readonly string[];
  /** The record of the set's growth, with how it is to be done. */
  readonly record: VolumeExpansion | undefined;
  /** What the API server says to another size in the templates; undefined when it was not asked. */
  readonly answer: ServerAnswer | undefined;
}

export interface ServerAnswer {
  /** It takes the edit as it is. No release of Kubernetes does so far; the embedded cluster does. */
  readonly takesEdits: boolean;
  /** What it said about creating the set anew; undefined when it was not asked. */
  readonly dryRun: DryRun | undefined;
}

/** Objects from files tell nothing beyond themselves. */
export function fromFiles(snapshot: Snapshot): Evidence {
  return { snapshot, known: new Set(), notRead: [], record: undefined, answer: undefined };
}
