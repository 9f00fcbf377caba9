/** What becomes of each object of a dump. Pure: the objects in, a plan out. */
import { OutgrowError } from "../../../core/errors.ts";
import type { OwnerReference, PersistentVolume, PersistentVolumeClaim, StorageClass } from "../../../core/types.ts";
import { cleaned } from "./clean.ts";
import { whyLeftOut } from "./left-out.ts";
import { neededBy } from "./needed.ts";
import { inStages } from "./stages.ts";
import {
  claimHere,
  claimStatusHere,
  classHere,
  hasDriver,
  parametersOf,
  standInFor,
  volumeFor,
  volumeHere,
} from "./storage.ts";
import {
  type ClassParameters,
  type DumpedObject,
  type ImportPlan,
  identityOf,
  nameOf,
  type PreparedObject,
  type Remark,
  type StandIn,
} from "./types.ts";

export interface ImportOptions {
  /** The node of the embedded cluster. */
  readonly node: string;
  readonly parameters: ClassParameters;
}

/**
 * Objects may come in any order. Of two with the same identity the later one counts. Throws `OBJECT_MISSING` for
 * parameters of a class that is not in the dump.
 */
export function planImport(dump: readonly DumpedObject[], { node, parameters: asked }: ImportOptions): ImportPlan {
  const all = new Map(dump.map((object) => [identityOfObject(object), object]));
  const leftOut: Remark[] = [];
  const changed: Remark[] = [];
  const added: Remark[] = [];
  const kept = [...all.values()].filter((object) => {
    const why = whyLeftOut(object, (owner) => all.has(identityIn(owner, owner.namespace)));
    if (why !== undefined) leftOut.push({ what: nameOf(object), why });
    return why === undefined;
  });
  const there = new Map(kept.map((object) => [identityOfObject(object), object]));
  const classNamed = (name: string): StorageClass | undefined =>
    there.get(identityOf("storage.k8s.io/v1", "StorageClass", undefined, name)) as StorageClass | undefined;
  const claimNamed = (namespace: string | undefined, name: string): PersistentVolumeClaim | undefined =>
    there.get(identityOf("v1", "PersistentVolumeClaim", namespace, name)) as PersistentVolumeClaim | undefined;
  const classParameters = (name = ""): Readonly<Record<string, string>> => {
    const storageClass = classNamed(name);
    return storageClass === undefined ? {} : parametersOf(storageClass, asked.get(name));
  };
  for (const name of asked.keys()) {
    if (classNamed(name) !== undefined) continue;
    throw new OutgrowError("OBJECT_MISSING", `parameters are given for StorageClass ${name}, which is not in the dump`);
  }
  const prepared: PreparedObject[] = [];
  const volumes: StandIn[] = [];

  for (const object of kept) {
    const bare = cleaned(object, node);
    const owners = ownersOf(object, there);
    if (owners.length < (object.metadata.ownerReferences ?? []).length) {
      changed.push({ what: nameOf(object), why: "owners that are not imported are not named" });
    }
    switch (kindOf(object)) {
      case "StorageClass": {
        const here = classHere(bare as object as StorageClass, classParameters(object.metadata.name));
        prepared.push({ object: here as object as DumpedObject, owners });
        break;
      }
      case "PersistentVolumeClaim":
        prepareClaim(object, bare, owners);
        break;
      case "PersistentVolume":
        prepareVolume(object as object as PersistentVolume, bare as object as PersistentVolume, owners);
        break;
      default:
        prepared.push({ object: bare, owners });
    }
  }

  function prepareClaim(object: DumpedObject, bare: DumpedObject, owners: readonly OwnerReference[]): void {
    const claim = object as object as PersistentVolumeClaim;
    const here = claimHere(bare as object as PersistentVolumeClaim, node) as object as DumpedObject;
    const status = claimStatusHere(claim);
    prepared.push({ object: here, owners, ...(status === undefined ? {} : { status: { ...status } }) });
    const { volumeName = "", storageClassName } = claim.spec;
    if (status === undefined || there.has(identityOf("v1", "PersistentVolume", undefined, volumeName))) return;
    const made = volumeFor(claim, classParameters(storageClassName));
    volumes.push(standInFor(made, claim));
    prepared.push(preparedVolume(made, [], "Bound", true));
    added.push({ what: `PersistentVolume ${volumeName}`, why: `${nameOf(object)} is bound to it` });
  }

  function prepareVolume(volume: PersistentVolume, bare: PersistentVolume, owners: readonly OwnerReference[]): void {
    const { claimRef, storageClassName, persistentVolumeReclaimPolicy } = volume.spec;
    const phase = volume.status?.phase ?? "Available";
    const found = claimNamed(claimRef?.namespace, claimRef?.name ?? "");
    const claim = found !== undefined && isMeant(volume, found) ? found : undefined;
    // Its claim is gone: whoever runs here would delete it next.
    const isLost = claimRef?.uid !== undefined && claim === undefined;
    if (isLost && (phase !== "Released" || persistentVolumeReclaimPolicy !== "Retain")) {
      const why = `its claim ${claimRef.namespace}/${claimRef.name} is not imported`;
      leftOut.push({ what: nameOf(volume as object as DumpedObject), why });
      return;
    }
    const isBound = claim !== undefined && claimRef?.uid !== undefined;
    if (!hasDriver(volume)) {
      prepared.push(preparedVolume(bare, owners, phase, isBound));
      return;
    }
    const here = volumeHere(bare, classParameters(storageClassName));
    volumes.push(standInFor(here, claim));
    prepared.push(preparedVolume(here, owners, phase, isBound));
  }

  for (const [needed, by] of neededBy(kept)) {
    if (there.has(identityOfObject(needed)) || needed.metadata.name === "default") continue;
    prepared.push({ object: needed, owners: [] });
    if (needed.kind !== "Namespace") added.push({ what: nameOf(needed), why: `${nameOf(by)} names it` });
  }
  return { stages: inStages(prepared), volumes, added, changed, leftOut };
}

/** Only those in the dump, and that very object: one that merely has the name never owned it. */
function ownersOf({ metadata }: DumpedObject, there: ReadonlyMap<string, DumpedObject>): OwnerReference[] {
  return (metadata.ownerReferences ?? []).filter((owner) => {
    const found = there.get(identityIn(owner, metadata.namespace)) ?? there.get(identityIn(owner, undefined));
    return found !== undefined && (found.metadata.uid === undefined || found.metadata.uid === owner.uid);
  });
}

function preparedVolume(
  volume: PersistentVolume,
  owners: readonly OwnerReference[],
  phase: string,
  isBound: boolean,
): PreparedObject {
  const { namespace = "", name = "" } = volume.spec.claimRef ?? {};
  const boundTo = isBound ? { boundTo: { namespace, name } } : {};
  return { object: volume as object as DumpedObject, owners, status: { phase }, ...boundTo };
}

/** Not one that has only taken the name. */
function isMeant({ spec: { claimRef } }: PersistentVolume, { metadata }: PersistentVolumeClaim): boolean {
  return claimRef?.uid === undefined || metadata.uid === undefined || claimRef.uid === metadata.uid;
}

function kindOf({ apiVersion, kind }: DumpedObject): string {
  return apiVersion === "v1" || apiVersion === "storage.k8s.io/v1" ? kind : "";
}

function identityOfObject({ apiVersion, kind, metadata }: DumpedObject): string {
  return identityOf(apiVersion, kind, metadata.namespace, metadata.name);
}

function identityIn(
  owner: Pick<OwnerReference, "apiVersion" | "kind" | "name">,
  namespace: string | undefined,
): string {
  return identityOf(owner.apiVersion, owner.kind, namespace, owner.name);
}
