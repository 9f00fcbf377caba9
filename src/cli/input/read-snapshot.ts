/** Reads all sources into one snapshot: what `kubectl get ... -o yaml` or `-o json` prints, or manifests. */
import { OutgrowError } from "../../core/errors.ts";
import { KINDS, knownKind } from "./kinds.ts";
import { readObjects } from "./read-objects.ts";
import { type Snapshot, snapshotBuilder } from "./snapshot.ts";
import type { Source } from "./sources.ts";

/**
 * All objects of the kinds that a plan reads; others are passed over. Throws `INPUT_UNREADABLE` or `OBJECT_MALFORMED`
 * naming the document, and the field where there is one.
 */
export async function readSnapshot(sources: readonly Source[]): Promise<Snapshot> {
  const builder = snapshotBuilder();
  const keepOf = (apiVersion: string, kind: string) => {
    const known = knownKind(apiVersion, kind);
    return known === undefined ? undefined : KINDS[known].keep;
  };
  const documents = await readObjects(sources, keepOf, ({ apiVersion, kind, value, place }) => {
    const known = knownKind(apiVersion, kind);
    if (known !== undefined) builder.add(known, value, place);
  });
  if (documents === 0) {
    throw new OutgrowError(
      "INPUT_UNREADABLE",
      `there is no object in ${sources.map((source) => source.name).join(", ")}; ` +
        "give what `kubectl get sts,pvc,pv,sc,resourcequota,limitrange,csidriver,pod -o yaml` prints",
    );
  }
  return builder.build();
}
