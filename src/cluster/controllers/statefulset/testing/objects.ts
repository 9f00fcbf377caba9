/** A set and its pods for the tests: small, complete, told by what differs from the usual. */
import { toTimestamp } from "../../../../core/clock.ts";
import type { PersistentVolumeClaim, Pod, StatefulSet } from "../../../../core/types.ts";
import type { Facts } from "../decide/facts.ts";
import { newClaims, newPod } from "../decide/new-pod.ts";
import { newRevision, templateOf } from "../decide/revision.ts";

export const NOW = Date.UTC(2026, 0, 1);

/** `prod/db`, three replicas, one template `data` of 1Gi. */
export function aSet(spec: Partial<StatefulSet["spec"]> = {}, more: Partial<StatefulSet> = {}): StatefulSet {
  return {
    metadata: { name: "db", namespace: "prod", uid: "set", generation: 1, resourceVersion: "1" },
    spec: {
      replicas: 3,
      serviceName: "db",
      selector: { matchLabels: { app: "db" } },
      template: aTemplate("one"),
      updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 0 } },
      volumeClaimTemplates: [{ metadata: { name: "data" }, spec: { resources: { requests: { storage: "1Gi" } } } }],
      ...spec,
    },
    ...more,
  };
}

export function aTemplate(image: string): StatefulSet["spec"]["template"] {
  return { metadata: { labels: { app: "db" } }, spec: { containers: [{ name: "main", image }] } };
}

export type PodState = "ready" | "unready" | "pending" | "failed" | "succeeded" | "terminating";

export interface PodTraits {
  readonly ordinal: number;
  /** @default ready, since the beginning of time */
  readonly state?: PodState;
  /** The image of its template. @default that of the set */
  readonly image?: string;
  readonly readySince?: number;
  readonly metadata?: Partial<Pod["metadata"]>;
}

const PHASES: Readonly<Record<PodState, string>> = {
  ready: "Running",
  unready: "Running",
  pending: "Pending",
  failed: "Failed",
  succeeded: "Succeeded",
  terminating: "Running",
};

export function aPod(set: StatefulSet, traits: PodTraits): Pod {
  const { ordinal, state = "ready", image, readySince = 0 } = traits;
  const template = image === undefined ? set.spec.template : aTemplate(image);
  const { metadata } = newRevision({ ...set, spec: { ...set.spec, template } }, 1, 0);
  const pod = newPod(set, template, metadata.name, ordinal);
  const isReady = state === "ready" || state === "terminating";
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      uid: `pod-${ordinal}`,
      ...(state === "terminating" ? { deletionTimestamp: toTimestamp(NOW) } : {}),
      ...traits.metadata,
    },
    status: {
      phase: PHASES[state],
      conditions: [{ type: "Ready", status: isReady ? "True" : "False", lastTransitionTime: toTimestamp(readySince) }],
    },
  };
}

export function theClaims(set: StatefulSet, pod: Pod, ordinal: number): readonly PersistentVolumeClaim[] {
  return newClaims(set, pod, ordinal).map((claim) => ({
    ...claim,
    metadata: { ...claim.metadata, uid: claim.metadata.name, resourceVersion: "1" },
  }));
}

export interface Scene {
  readonly set?: StatefulSet;
  readonly pods?: readonly PodTraits[];
  /** @default those of the pods */
  readonly claims?: readonly PersistentVolumeClaim[];
  /** The image of the revision that the set comes from. @default its own */
  readonly currentImage?: string;
  readonly now?: number;
  readonly honoursMaxUnavailable?: boolean;
}

export function facts(scene: Scene): Facts {
  const { set = aSet(), now = NOW, honoursMaxUnavailable = false } = scene;
  const pods = (scene.pods ?? []).map((traits) => aPod(set, traits));
  const claims = scene.claims ?? pods.flatMap((pod, index) => theClaims(set, pod, scene.pods?.[index]?.ordinal ?? 0));
  const revision = (image: string | undefined) => {
    const template = image === undefined ? set.spec.template : aTemplate(image);
    const made = newRevision({ ...set, spec: { ...set.spec, template } }, 1, 0);
    return { name: made.metadata.name, template: templateOf(made) };
  };
  return {
    set,
    pods,
    claim: (name) => claims.find(({ metadata }) => metadata.name === name),
    current: revision(scene.currentImage),
    update: revision(undefined),
    collisions: 0,
    honoursMaxUnavailable,
    now,
  };
}

/** What a plan does, as `create db-0`, phase by phase. */
export function told(phases: readonly (readonly { verb: string; pod: Pod }[])[]): string[][] {
  return phases.map((jobs) => jobs.map(({ verb, pod }) => `${verb} ${pod.metadata.name}`));
}
