/** A StatefulSet as people write it. */
import type { ClaimTemplate, PodSpec, RetentionPolicy, StatefulSet } from "../../../src/core/types.ts";

export interface SetSketch {
  /** 2 unless told. */
  readonly replicas?: number;
  /** Size by template; `data` of 1Gi unless told. */
  readonly sizes?: Readonly<Record<string, string>>;
  /** `memory` unless told. */
  readonly className?: string;
  readonly policy?: RetentionPolicy;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly podAnnotations?: Readonly<Record<string, string>>;
  /** Added to its metadata and to its spec. */
  readonly metadata?: object;
  readonly spec?: object;
}

/** Its pods come up together, and when deleted they end as soon as their volumes are given back. */
export function aSet(name: string, sketch: SetSketch = {}): StatefulSet {
  const { replicas = 2, sizes = { data: "1Gi" }, className = "memory", policy, podAnnotations = {} } = sketch;
  const labels = { app: name };
  const mounts = Object.keys(sizes).map((template) => ({ name: template, mountPath: `/${template}` }));
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { name, annotations: { ...sketch.annotations }, ...sketch.metadata },
    spec: {
      serviceName: name,
      replicas,
      selector: { matchLabels: labels },
      podManagementPolicy: "Parallel",
      template: {
        metadata: { labels, annotations: { ...podAnnotations } },
        spec: podSpec(mounts),
      },
      volumeClaimTemplates: Object.entries(sizes).map(([template, size]) => aTemplate(template, size, className)),
      ...(policy === undefined ? {} : { persistentVolumeClaimRetentionPolicy: policy }),
      ...sketch.spec,
    },
  };
}

function podSpec(volumeMounts: readonly object[]): PodSpec & { readonly terminationGracePeriodSeconds: number } {
  return { terminationGracePeriodSeconds: 1, containers: [{ name: "main", image: "database:1", volumeMounts }] };
}

function aTemplate(name: string, storage: string, storageClassName: string): ClaimTemplate {
  const spec = { accessModes: ["ReadWriteOnce"], storageClassName, resources: { requests: { storage } } };
  return { metadata: { name }, spec };
}
