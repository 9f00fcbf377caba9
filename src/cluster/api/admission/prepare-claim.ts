/** What a write may not touch on a claim, put right before anything is checked (upstream's strategy for claims). */
import { prepareClaimStatusUpdate } from "../../../admission/claim-status-update.ts";
import { prepareClaimUpdate, withBothDataSources } from "../../../admission/claim-update.ts";
import type { Gates } from "../../../core/gates.ts";
import { isGiven } from "../../../core/semantic-equal.ts";
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from "../../../core/types.ts";
import type { JsonObject } from "../json.ts";
import { type KnownKind, read, write } from "./known-kind.ts";

const CLAIM: KnownKind<PersistentVolumeClaim> = { apiVersion: "v1", kind: "PersistentVolumeClaim" };

/**
 * The claim as it is to be checked and stored: halves that the request does not write are the stored ones, a data source is
 * in both of its fields, one that Kubernetes never took is dropped, and so is a record of recovery while its gate is off.
 * `old` is undefined for a new claim, which has its first status already.
 */
export function prepareClaim(
  old: JsonObject | undefined,
  next: JsonObject,
  subresource: string | undefined,
  gates: Gates,
): JsonObject {
  const claim = read(CLAIM, next);
  if (old === undefined) {
    const spec = withBothDataSources(withTakenSources(claim.spec, undefined));
    return spec === claim.spec ? next : write({ ...claim, spec });
  }
  const stored = read(CLAIM, old);
  if (subresource === "status") return write(prepareClaimStatusUpdate(stored, claim, gates));
  return write(prepareClaimUpdate(stored, { ...claim, spec: withTakenSources(claim.spec, stored.spec) }));
}

interface Source {
  readonly apiGroup?: string | null;
  readonly kind?: string;
  readonly namespace?: string | null;
}

/** A source in another namespace, and one of an unknown kind in the old field, are as good as none (KEP-1495, KEP-3294). */
function withTakenSources(
  spec: PersistentVolumeClaimSpec,
  stored: PersistentVolumeClaimSpec | undefined,
): PersistentVolumeClaimSpec {
  if (!("dataSource" in spec) && !("dataSourceRef" in spec)) return spec;
  const { dataSource: _source, dataSourceRef: _reference, ...rest } = spec;
  let { dataSource, dataSourceRef } = spec;
  const elsewhere = ((dataSourceRef as Source | undefined)?.namespace ?? "") !== "";
  if (elsewhere && !isGiven(stored?.dataSourceRef)) dataSourceRef = undefined;
  const hadSource = isGiven(stored?.dataSource) || isGiven(stored?.dataSourceRef);
  if (!hadSource && !isGiven(dataSourceRef) && !isOldKind(dataSource as Source | undefined)) dataSource = undefined;
  return { ...rest, ...(isGiven(dataSource) && { dataSource }), ...(isGiven(dataSourceRef) && { dataSourceRef }) };
}

function isOldKind(source: Source | undefined): boolean {
  const group = source?.apiGroup ?? "";
  return (
    (source?.kind === "PersistentVolumeClaim" && group === "") ||
    (source?.kind === "VolumeSnapshot" && group === "snapshot.storage.k8s.io")
  );
}
