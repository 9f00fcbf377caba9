/**
 * What is held in memory of claims, volumes and pods: little, and only of those that matter here. A claim at rest is not
 * held, unless it is shared: then another node may have finished it, and this one is still to follow.
 */
import { readClaim } from "../../core/claim.ts";
import { NODE_EXPANSION_NOT_REQUIRED } from "../../core/names.ts";
import type { PersistentVolume, PersistentVolumeClaim, Pod } from "../../core/types.ts";
import { identity } from "../../kube/index.ts";
import { claimUses, hasEnded } from "../decide/claim-uses.ts";

export function holdClaim(claim: PersistentVolumeClaim): PersistentVolumeClaim | undefined {
  if (isAtRest(claim)) return undefined;
  const { metadata, spec, status } = claim;
  const { resources = {}, volumeName = "", volumeMode = "Filesystem", accessModes = [] } = spec;
  const note = metadata.annotations?.[NODE_EXPANSION_NOT_REQUIRED];
  return {
    metadata: {
      ...identity(metadata),
      ...(note === undefined ? {} : { annotations: { [NODE_EXPANSION_NOT_REQUIRED]: note } }),
    },
    spec: { resources, volumeName, volumeMode, accessModes },
    ...(status === undefined ? {} : { status }),
  };
}

function isAtRest(claim: PersistentVolumeClaim): boolean {
  if ((claim.spec.volumeName ?? "") === "" || claim.status?.phase !== "Bound") return true;
  if (claim.spec.accessModes?.includes("ReadWriteMany") === true) return false;
  try {
    const { request, capacity, state, conditions } = readClaim(claim);
    return state === "none" && conditions.size === 0 && capacity?.atLeast(request) === true;
  } catch {
    return false; // unreadable: held, so that looking at it says what is wrong
  }
}

/** A volume of one of these drivers that a claim is bound to. */
export function holdVolume(
  isOurs: (driver: string) => boolean,
): (volume: PersistentVolume) => PersistentVolume | undefined {
  return ({ metadata, spec }) => {
    const { capacity, accessModes, volumeMode, mountOptions, claimRef, csi } = spec;
    if (csi === undefined || claimRef === undefined || !isOurs(csi.driver)) return undefined;
    const { namespace, name, uid } = claimRef;
    const { driver, volumeHandle, fsType, nodeExpandSecretRef } = csi;
    return {
      metadata: identity(metadata),
      spec: {
        ...(capacity === undefined ? {} : { capacity }),
        ...(accessModes === undefined ? {} : { accessModes }),
        ...(volumeMode === undefined ? {} : { volumeMode }),
        ...(mountOptions === undefined ? {} : { mountOptions }),
        claimRef: {
          ...(namespace === undefined ? {} : { namespace }),
          ...(name === undefined ? {} : { name }),
          ...(uid === undefined ? {} : { uid }),
        },
        csi: {
          driver,
          volumeHandle,
          ...(fsType === undefined ? {} : { fsType }),
          ...(nodeExpandSecretRef === undefined ? {} : { nodeExpandSecretRef }),
        },
      },
    };
  };
}

/** A pod that has not ended and uses a claim. */
export function holdPod(pod: Pod): Pod | undefined {
  if (hasEnded(pod)) return undefined;
  const volumes = (pod.spec.volumes ?? []).filter(
    ({ persistentVolumeClaim, ephemeral }) => persistentVolumeClaim !== undefined || ephemeral !== undefined,
  );
  if (volumes.length === 0) return undefined;
  const phase = pod.status?.phase;
  const held = volumes.map(({ name, persistentVolumeClaim }) =>
    persistentVolumeClaim === undefined ? { name, ephemeral: {} } : { name, persistentVolumeClaim },
  );
  return {
    metadata: identity(pod.metadata),
    spec: { volumes: held },
    ...(phase === undefined ? {} : { status: { phase } }),
  };
}

/** `namespace/name` of every claim that a pod uses. */
export function claimKeysOf(pod: Pod): string[] {
  return claimUses(pod).map(({ claim }) => `${pod.metadata.namespace}/${claim}`);
}

/** The key of the claim that a volume is bound to. */
export function claimKeyOf({ spec: { claimRef } }: PersistentVolume): string {
  return `${claimRef?.namespace}/${claimRef?.name}`;
}
