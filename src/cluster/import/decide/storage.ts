/** Classes, volumes and claims of foreign drivers, as the memory driver can have them: the same sizes, and no data. */
import { migratedTo } from "../../../admission/preflight/drivers.ts";
import { readSize } from "../../../core/claim.ts";
import { readState, TODAY, writeState } from "../../../core/dialect.ts";
import { LOOP_DRIVER, MEMORY_DRIVER, STORAGE_RESIZER } from "../../../core/names.ts";
import { Quantity } from "../../../core/quantity.ts";
import type {
  ObjectMeta,
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeClaimStatus,
  StorageClass,
} from "../../../core/types.ts";
import { BESIDES_SOURCE } from "../../../core/volume.ts";
import {
  BETA_STORAGE_PROVISIONER,
  DELETION_SECRET_NAME,
  DELETION_SECRET_NAMESPACE,
  MIGRATED_TO,
  PROVISIONED_BY,
  SELECTED_NODE,
  STORAGE_PROVISIONER,
} from "../../controllers/volumes/decide/names.ts";
import { readParameterList } from "./parameter-list.ts";
import type { StandIn } from "./types.ts";

/** On a class of the dump: parameters that it is to have here, as `controllerLimit=100Gi,controllerError=OutOfRange`. */
export const PARAMETERS_ANNOTATION = "outgrow.dev/parameters";
/** On a class, here: who provisioned its volumes in the cluster that it comes from. */
export const PROVISIONER_ANNOTATION = "outgrow.dev/provisioner";

type Parameters = Readonly<Record<string, string>>;

const OURS = new Set<string>([LOOP_DRIVER, MEMORY_DRIVER]);
/** The provisioner of classes whose volumes somebody makes by hand. */
const BY_HAND = "kubernetes.io/no-provisioner";

/** The parameters that volumes of the class have here. Those of a foreign driver mean nothing to ours. */
export function parametersOf(storageClass: StorageClass, asked: Parameters | undefined): Parameters {
  const { provisioner, parameters = {}, metadata } = storageClass;
  const own = OURS.has(provisioner) ? parameters : {};
  return { ...own, ...readParameterList(metadata.annotations?.[PARAMETERS_ANNOTATION] ?? ""), ...asked };
}

export function classHere(storageClass: StorageClass, parameters: Parameters): StorageClass {
  const { parameters: _, metadata, ...rest } = storageClass;
  if (storageClass.provisioner === BY_HAND) return { ...rest, metadata };
  // What was applied last would set the former provisioner again, which no class can take.
  const { "kubectl.kubernetes.io/last-applied-configuration": __, ...annotations } = metadata.annotations ?? {};
  return {
    ...rest,
    metadata: { ...metadata, annotations: { ...annotations, [PROVISIONER_ANNOTATION]: storageClass.provisioner } },
    provisioner: MEMORY_DRIVER,
    ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
  };
}

/** Whether a driver grows such volumes where they come from; the others (nfs, hostPath, local, ...) are kept as they are. */
export function hasDriver(volume: PersistentVolume): boolean {
  return volume.spec.csi !== undefined || migratedTo(volume) !== undefined;
}

/** The volume with our driver behind it. It goes by the volume's name there, which no two volumes share. */
export function volumeHere(volume: PersistentVolume, parameters: Parameters): PersistentVolume {
  const { metadata, spec } = volume;
  const general = Object.fromEntries(Object.entries(spec).filter(([name]) => BESIDES_SOURCE.has(name)));
  const fsType = spec.csi?.fsType ?? "";
  return {
    ...volume,
    metadata: withAnnotations(metadata, {
      [PROVISIONED_BY]: MEMORY_DRIVER,
      [MIGRATED_TO]: undefined,
      [DELETION_SECRET_NAME]: "",
      [DELETION_SECRET_NAMESPACE]: "",
    }),
    spec: {
      ...general,
      csi: {
        driver: MEMORY_DRIVER,
        volumeHandle: metadata.name,
        ...(fsType === "" ? {} : { fsType }),
        volumeAttributes: volumeParameters(volume, parameters),
      },
    },
  };
}

/** Volumes of ours know their parameters themselves. */
function volumeParameters({ spec: { csi } }: PersistentVolume, ofClass: Parameters): Parameters {
  return csi !== undefined && OURS.has(csi.driver) ? { ...csi.volumeAttributes, ...ofClass } : ofClass;
}

/** What the driver has to know of such a volume. The claim tells how much of it the node has made usable. */
export function standInFor(volume: PersistentVolume, claim: PersistentVolumeClaim | undefined): StandIn {
  const capacity = readSize(volume, volume.spec.capacity, "spec.capacity.storage") ?? Quantity.zero;
  const usable = (claim && readSize(claim, claim.status?.capacity, "status.capacity.storage")) ?? capacity;
  const capacityBytes = capacity.toBytes();
  const usableBytes = usable.toBytes();
  return {
    volumeId: volume.metadata.name,
    capacityBytes,
    nodeBytes: usableBytes < capacityBytes ? usableBytes : capacityBytes,
    access: volume.spec.volumeMode === "Block" ? "block" : "mount",
    parameters: volume.spec.csi?.volumeAttributes ?? {},
  };
}

/** A volume for a claim that was bound to one which is not in the dump. */
export function volumeFor(claim: PersistentVolumeClaim, parameters: Parameters): PersistentVolume {
  const { metadata, spec, status } = claim;
  const { volumeName = "", accessModes, storageClassName, volumeMode, resources } = spec;
  const storage = status?.capacity?.["storage"] ?? resources?.requests?.["storage"] ?? "0";
  const claimRef = {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    namespace: metadata.namespace ?? "default",
    name: metadata.name,
  };
  const bare: PersistentVolume = {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: volumeName, annotations: { [PROVISIONED_BY]: MEMORY_DRIVER } },
    spec: {
      capacity: { storage },
      claimRef,
      persistentVolumeReclaimPolicy: "Delete",
      ...(accessModes === undefined ? {} : { accessModes }),
      ...(storageClassName === undefined ? {} : { storageClassName }),
      ...(volumeMode === undefined ? {} : { volumeMode }),
    },
  };
  return volumeHere(bare, parameters);
}

/** The claim as it is to be created: whoever it names that works on it is ours. */
export function claimHere(claim: PersistentVolumeClaim, node: string): PersistentVolumeClaim {
  return {
    ...claim,
    metadata: withAnnotations(claim.metadata, {
      [STORAGE_PROVISIONER]: MEMORY_DRIVER,
      [BETA_STORAGE_PROVISIONER]: MEMORY_DRIVER,
      [STORAGE_RESIZER]: MEMORY_DRIVER,
      [SELECTED_NODE]: node,
      [MIGRATED_TO]: undefined,
    }),
  };
}

/** What a bound claim says of itself, in the words of today; undefined for one that is not bound. */
export function claimStatusHere({ status }: PersistentVolumeClaim): PersistentVolumeClaimStatus | undefined {
  if (status?.phase !== "Bound") return undefined;
  const state = readState(status);
  return writeState(status, state, TODAY);
}

/** Changes annotations that are there; none is added. */
function withAnnotations(metadata: ObjectMeta, changes: Readonly<Record<string, string | undefined>>): ObjectMeta {
  if (metadata.annotations === undefined) return metadata;
  const entries = Object.entries(metadata.annotations).flatMap(([name, value]): [string, string][] => {
    if (!Object.hasOwn(changes, name)) return [[name, value]];
    const changed = changes[name];
    return changed === undefined ? [] : [[name, changed]];
  });
  return { ...metadata, annotations: Object.fromEntries(entries) };
}
