/** The volume object that stands for what a driver has made: field by field as external-provisioner writes it. */
import { classNameOf } from "../../../../../core/claim.ts";
import { Quantity } from "../../../../../core/quantity.ts";
import {
  type PersistentVolume,
  type PersistentVolumeClaim,
  STORAGE,
  type StorageClass,
} from "../../../../../core/types.ts";
import { claimRefOf } from "../../decide/claim-key.ts";
import {
  DELETION_SECRET_NAME,
  DELETION_SECRET_NAMESPACE,
  PROVISIONED_BY,
  PROVISIONER_FINALIZER,
} from "../../decide/names.ts";
import { volumeNameFor } from "./should-provision.ts";

/** What the driver has answered. */
export interface MadeVolume {
  readonly volumeId: string;
  /** 0: it does not say. */
  readonly capacityBytes: bigint;
  readonly volumeContext: Readonly<Record<string, string>>;
}

export interface NewVolumeFacts {
  readonly claim: PersistentVolumeClaim;
  readonly storageClass: StorageClass;
  readonly driver: string;
  readonly made: MadeVolume;
  readonly requestedBytes: bigint;
  readonly fsType: string | undefined;
  /** Who provisioned it: one name per run of the provisioner. */
  readonly identity: string;
}

export function newVolume(facts: NewVolumeFacts): PersistentVolume {
  const { claim, storageClass, driver, made, requestedBytes, fsType, identity } = facts;
  const { accessModes = [], volumeMode = "Filesystem" } = claim.spec;
  const policy = storageClass.reclaimPolicy ?? "Delete";
  return {
    metadata: {
      name: volumeNameFor(claim),
      annotations: { [PROVISIONED_BY]: driver, [DELETION_SECRET_NAME]: "", [DELETION_SECRET_NAMESPACE]: "" },
      ...(policy === "Delete" ? { finalizers: [PROVISIONER_FINALIZER] } : {}),
    },
    spec: {
      accessModes: [...accessModes],
      capacity: { [STORAGE]: Quantity.bytes(made.capacityBytes || requestedBytes).toString() },
      claimRef: claimRefOf(claim),
      csi: {
        driver,
        volumeHandle: made.volumeId,
        ...(volumeMode === "Block" || fsType === undefined ? {} : { fsType }),
        volumeAttributes: { ...made.volumeContext, "storage.kubernetes.io/csiProvisionerIdentity": identity },
      },
      persistentVolumeReclaimPolicy: policy,
      storageClassName: classNameOf(claim) ?? "",
      volumeMode,
      ...(storageClass.mountOptions === undefined ? {} : { mountOptions: [...storageClass.mountOptions] }),
    },
  };
}
