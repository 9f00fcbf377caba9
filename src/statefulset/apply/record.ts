/** The record in the API: made, told what is wanted, told how far it is, and removed with its set. */
import type { StatefulSet } from "../../core/types.ts";
import { isAlreadyExists, type KubeClient, refOf } from "../../kube/index.ts";
import type { DesiredSize } from "../decide/desired-sizes.ts";
import { VOLUME_EXPANSIONS } from "../resource.ts";
import type { VolumeExpansion, VolumeExpansionSpec, VolumeExpansionStatus } from "../types.ts";
import { FIELD_MANAGER, type Lost, unlessLost, writeChange } from "./writes.ts";

/** On records that nobody but the controller made: they go when their set has gone. */
export const MANAGED_BY = "app.kubernetes.io/managed-by";
export const CONTROLLER = "outgrow";

/** What is wanted, one entry per template: what `spec.claims` of a record shows. */
export function claimsOfRecord(desired: readonly DesiredSize[]): NonNullable<VolumeExpansionSpec["claims"]> {
  return desired.map(({ template, size }) => ({ template, storage: size.toString() }));
}

/**
 * Makes the record of a set, unless there is one: `false` then, and nothing may be done before that one has been seen, as
 * it may say how the growth is to go. It has no owner reference: while the set is being re-created the record
 * has the only copy of it, and must not be collected when the set is gone.
 */
export async function createRecord(
  client: Pick<KubeClient, "create">,
  { metadata: { namespace = "default", name } }: StatefulSet,
  desired: readonly DesiredSize[],
  signal: AbortSignal,
): Promise<boolean> {
  const record: VolumeExpansion = {
    metadata: { namespace, name, labels: { [MANAGED_BY]: CONTROLLER } },
    spec: { statefulSetName: name, claims: claimsOfRecord(desired) },
  };
  try {
    await client.create(VOLUME_EXPANSIONS, record, { fieldManager: FIELD_MANAGER }, signal);
    return true;
  } catch (error) {
    if (isAlreadyExists(error)) return false;
    throw error;
  }
}

export function writeSpec(
  client: Pick<KubeClient, "patch">,
  record: VolumeExpansion,
  claims: VolumeExpansionSpec["claims"],
  signal: AbortSignal,
): Promise<VolumeExpansion | Lost> {
  const after: VolumeExpansion = { ...record, spec: { ...record.spec, ...(claims && { claims }) } };
  return writeChange(client, VOLUME_EXPANSIONS, { before: record, after }, {}, signal);
}

export function writeStatus(
  client: Pick<KubeClient, "patch">,
  record: VolumeExpansion,
  status: VolumeExpansionStatus,
  signal: AbortSignal,
): Promise<VolumeExpansion | Lost> {
  const change = { before: record, after: { ...record, status } };
  return writeChange(client, VOLUME_EXPANSIONS, change, { subresource: "status" }, signal);
}

export function isMadeByUs({ metadata }: VolumeExpansion): boolean {
  return metadata.labels?.[MANAGED_BY] === CONTROLLER;
}

/** Removes this very version of a record. */
export async function deleteRecord(
  client: Pick<KubeClient, "delete">,
  record: VolumeExpansion,
  signal: AbortSignal,
): Promise<void> {
  const { uid = "", resourceVersion = "" } = record.metadata;
  const preconditions = { uid, resourceVersion };
  await unlessLost(client.delete(VOLUME_EXPANSIONS, refOf(record), { preconditions }, signal));
}
