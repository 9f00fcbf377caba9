/**
 * What the volume controllers see of the cluster. Several of them can look through one view, so that nothing is watched
 * or held twice; each informer begins when somebody first asks for it.
 */
import { classNameOf } from "../../../../core/claim.ts";
import type { PersistentVolume, PersistentVolumeClaim, Pod, StorageClass } from "../../../../core/types.ts";
import {
  CLAIMS,
  type Informer,
  type KubeClient,
  keyOf,
  type Logger,
  type Metrics,
  PODS,
  STORAGE_CLASSES,
  startInformer,
  type Timers,
  VOLUMES,
  withoutManagedFields,
} from "../../../../kube/index.ts";
import { claimKeyOf, classNameOfVolume } from "../decide/claim-key.ts";
import { claimNamesOf } from "../decide/pod-claims.ts";
import { holdPod } from "./held-pod.ts";

export interface ViewOptions {
  readonly client: KubeClient;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface View {
  /**
   * `class`: those that no volume is found for yet, by the class they name (empty: none). `volume`: by
   * `spec.volumeName`.
   */
  readonly claims: Informer<PersistentVolumeClaim, PersistentVolumeClaim, "class" | "volume">;
  /** `claim`: by the claim they are meant for, `namespace/name`. `free`: those that are not, by class. */
  readonly volumes: Informer<PersistentVolume, PersistentVolume, "claim" | "free">;
  /** `claim`: by the claims they use, `namespace/name`. */
  readonly pods: Informer<Pod, Pod, "claim">;
  readonly classes: Informer<StorageClass>;
  /** Lets go of everything. May be called twice. */
  stop(): Promise<void>;
}

export function createView(options: ViewOptions): View {
  const started: { stop(): Promise<void> }[] = [];
  const lazily = <T extends { stop(): Promise<void> }>(start: () => T): (() => T) => {
    let informer: T | undefined;
    return () => {
      if (informer === undefined) {
        informer = start();
        started.push(informer);
      }
      return informer;
    };
  };
  const claims = lazily(() =>
    startInformer<PersistentVolumeClaim, PersistentVolumeClaim, "class" | "volume">({
      ...options,
      resource: CLAIMS,
      trim: withoutManagedFields,
      indexes: {
        class: (claim) => (claim.spec.volumeName ? undefined : (classNameOf(claim) ?? "")),
        volume: ({ spec }) => spec.volumeName || undefined,
      },
    }),
  );
  const volumes = lazily(() =>
    startInformer<PersistentVolume, PersistentVolume, "claim" | "free">({
      ...options,
      resource: VOLUMES,
      trim: withoutManagedFields,
      indexes: {
        claim: claimKeyOf,
        free: (volume) => (volume.spec.claimRef === undefined ? classNameOfVolume(volume) : undefined),
      },
    }),
  );
  const pods = lazily(() =>
    startInformer<Pod, Pod, "claim">({
      ...options,
      resource: PODS,
      trim: holdPod,
      indexes: {
        claim: (pod) => claimNamesOf(pod).map((name) => keyOf({ namespace: pod.metadata.namespace, name })),
      },
    }),
  );
  const classes = lazily(() =>
    startInformer<StorageClass>({ ...options, resource: STORAGE_CLASSES, trim: withoutManagedFields }),
  );
  return {
    get claims() {
      return claims();
    },
    get volumes() {
      return volumes();
    },
    get pods() {
      return pods();
    },
    get classes() {
      return classes();
    },
    async stop() {
      await Promise.all(started.map((informer) => informer.stop()));
    },
  };
}
