/** What has to be looked at when something happens. Upstream looks at everything every 15 seconds instead. */
import { classNameOf } from "../../../../../core/claim.ts";
import type { PersistentVolume, PersistentVolumeClaim, Pod, StorageClass } from "../../../../../core/types.ts";
import { type Handler, keyOf, type WorkQueue } from "../../../../../kube/index.ts";
import { claimKeyOf, classNameOfVolume } from "../../decide/claim-key.ts";
import { BIND_COMPLETED, hasAnnotation } from "../../decide/names.ts";
import { claimNamesOf } from "../../decide/pod-claims.ts";
import type { Teller } from "../../shared/teller.ts";
import type { View } from "../../shared/view.ts";

/** Gives the function that ends it. */
export function wakeBinder(view: View, queue: WorkQueue, teller: Teller): () => void {
  const { claims, volumes, classes, pods } = view;
  const add = (key: string | undefined): void => {
    if (key) queue.add(key);
  };
  const addClaims = (list: Iterable<PersistentVolumeClaim>): void => {
    for (const { metadata } of list) queue.add(keyOf(metadata));
  };

  /** Volumes learn from their claim that it is bound, bound elsewhere, or gone. */
  const addVolumesOf = (claim: PersistentVolumeClaim): void => {
    add(claim.spec.volumeName);
    for (const { metadata } of volumes.byIndex("claim", keyOf(claim.metadata))) add(metadata.name);
  };
  const onClaim: Handler<PersistentVolumeClaim> = {
    added(claim) {
      add(keyOf(claim.metadata));
      addVolumesOf(claim);
    },
    updated(before, after) {
      add(keyOf(after.metadata));
      if (before.spec.volumeName !== after.spec.volumeName) addVolumesOf(after);
    },
    deleted(claim) {
      teller.forget(claim);
      addVolumesOf(claim);
    },
  };

  /** Claims that have it, that it is kept for, and, when it is free, those that it may be given to. */
  const addClaimsOf = (volume: PersistentVolume): void => {
    add(claimKeyOf(volume));
    addClaims(claims.byIndex("volume", volume.metadata.name));
    const isFree = volume.spec.claimRef === undefined && volume.status?.phase === "Available";
    if (isFree) addClaims(claims.byIndex("class", classNameOfVolume(volume)));
  };
  const onVolume: Handler<PersistentVolume> = {
    added(volume) {
      add(volume.metadata.name);
      addClaimsOf(volume);
    },
    updated(before, after) {
      add(after.metadata.name);
      // Which claim it was kept for until now.
      if (claimKeyOf(before) !== claimKeyOf(after)) add(claimKeyOf(before));
      addClaimsOf(after);
    },
    deleted(volume) {
      teller.forget(volume);
      add(claimKeyOf(volume));
      addClaims(claims.byIndex("volume", volume.metadata.name));
    },
  };

  const addClaimsOfClass = ({ metadata }: StorageClass): void => {
    addClaims(claims.byIndex("class", metadata.name));
    // It may have become the default.
    addClaims(withoutClass(claims.byIndex("class", "")));
  };
  const onClass: Handler<StorageClass> = {
    added: addClaimsOfClass,
    updated: (_, after) => addClaimsOfClass(after),
    deleted: addClaimsOfClass,
  };

  /** Pods matter to claims that wait for them to be scheduled. */
  const addClaimsOfPod = (pod: Pod): void => {
    for (const name of claimNamesOf(pod)) {
      const claim = claims.get({ namespace: pod.metadata.namespace, name });
      if (claim !== undefined && !hasAnnotation(claim, BIND_COMPLETED)) add(keyOf(claim.metadata));
    }
  };
  const onPod: Handler<Pod> = {
    added: addClaimsOfPod,
    updated(before, after) {
      if (before.spec.nodeName !== after.spec.nodeName || before.status?.phase !== after.status?.phase) {
        addClaimsOfPod(after);
      }
    },
    deleted: addClaimsOfPod,
  };

  const ends = [
    claims.addHandler(onClaim),
    volumes.addHandler(onVolume),
    classes.addHandler(onClass),
    pods.addHandler(onPod),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/** Those that never named a class; an empty name says that none is wanted. */
function withoutClass(claims: readonly PersistentVolumeClaim[]): readonly PersistentVolumeClaim[] {
  return claims.filter((claim) => classNameOf(claim) === undefined);
}
