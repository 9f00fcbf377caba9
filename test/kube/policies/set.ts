/** The set of the stories: `data` of 10Gi and `wal` of 1Gi, both of a class that grows, unless told otherwise. */
import { WISH_ANNOTATION } from "../../../src/core/names.ts";
import type { ClaimTemplate, StatefulSet, StorageClass } from "../../../src/core/types.ts";
import { desiredSizes } from "../../../src/statefulset/decide/desired-sizes.ts";

export const NAME = "db";

export interface Traits {
  readonly data?: string;
  readonly wal?: string;
  readonly image?: string;
  readonly replicas?: number;
  readonly wish?: string;
  /** Of `data`; null names none. */
  readonly className?: string | null;
  /** Name of a custom resource that controls the set. */
  readonly owner?: string;
  /** In place of the two templates. */
  readonly templates?: readonly ClaimTemplate[];
}

export function aTemplate(name: string, storage: string, className: string | null = "fast"): ClaimTemplate {
  return {
    metadata: { name },
    spec: {
      accessModes: ["ReadWriteOnce"],
      ...(className !== null && { storageClassName: className }),
      resources: { requests: { storage } },
    },
  };
}

export function aSet(traits: Traits = {}): StatefulSet {
  const { data = "10Gi", wal = "1Gi", image = "db:1", replicas = 2, wish, owner, className = "fast" } = traits;
  const controller = { apiVersion: "example.com/v1", kind: "Database", uid: "controller", controller: true };
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: {
      name: NAME,
      ...(wish !== undefined && { annotations: { [WISH_ANNOTATION]: wish } }),
      ...(owner !== undefined && { ownerReferences: [{ ...controller, name: owner }] }),
    },
    spec: {
      serviceName: NAME,
      replicas,
      selector: { matchLabels: { app: NAME } },
      template: { metadata: { labels: { app: NAME } }, spec: { containers: [{ name: "main", image }] } },
      volumeClaimTemplates: [...(traits.templates ?? [aTemplate("data", data, className), aTemplate("wal", wal)])],
    },
  };
}

/** What its claims are to have, by template: the wish, or, where the server takes edits, the template itself. */
export function wanted(set: StatefulSet): Record<string, string> {
  return Object.fromEntries(desiredSizes(set).map(({ template, size }) => [template, size.toString()]));
}

export const CLASSES: readonly StorageClass[] = [
  {
    metadata: { name: "fast", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
    provisioner: "csi.example.com",
    allowVolumeExpansion: true,
  },
  { metadata: { name: "rigid" }, provisioner: "csi.example.com", allowVolumeExpansion: false },
];
