/** What a report is made from: the claims, the sets around them, and the records of their growth. */
import { type StorageClasses, storageClasses } from "../../admission/storage-classes.ts";
import type { PersistentVolumeClaim, StatefulSet } from "../../core/types.ts";
import { CLAIMS, STATEFUL_SETS, STORAGE_CLASSES } from "../../kube/index.ts";
import { VOLUME_EXPANSIONS } from "../../statefulset/resource.ts";
import type { VolumeExpansion } from "../../statefulset/types.ts";
import type { Connection } from "../cluster/connect.ts";
import { readAllowed } from "../cluster/read-allowed.ts";
import { ifInstalled } from "../cluster/records.ts";
import type { Wishes } from "../custom/wishes.ts";

export interface Picture {
  readonly claims: readonly PersistentVolumeClaim[];
  readonly sets: readonly StatefulSet[];
  /** Undefined where there are no records: Outgrow is not installed, or the user may not see them. */
  readonly records: readonly VolumeExpansion[] | undefined;
  readonly classes: StorageClasses | undefined;
  /** What a custom resource wants, whether or not its set's record says so yet. */
  readonly wishes?: Wishes;
}

/** Of one namespace, or of all. Claims must be readable; the rest is noted when it is not. */
export async function takePicture(
  { client }: Pick<Connection, "client">,
  namespace: string | undefined,
): Promise<{ picture: Picture; notRead: readonly string[] }> {
  const allowed = readAllowed();
  const where = { namespace };
  const [claims, sets = [], records, classes] = await Promise.all([
    client.listAll(CLAIMS, where),
    allowed.read(STATEFUL_SETS.plural, () => client.listAll(STATEFUL_SETS, where)),
    allowed.read(VOLUME_EXPANSIONS.plural, () => ifInstalled(client, client.listAll(VOLUME_EXPANSIONS, where))),
    allowed.read(STORAGE_CLASSES.plural, () => client.listAll(STORAGE_CLASSES)),
  ]);
  const picture = { claims, sets, records, classes: classes && storageClasses(classes) };
  return { picture, notRead: allowed.notRead() };
}
