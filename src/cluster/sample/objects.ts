/** What a newcomer finds in the cluster: classes of every temper, and in namespace `demo` something to grow. */
import type { KubeObject } from "../../core/types.ts";
import { apiVersionOf } from "../../kube/index.ts";
import { MOCO } from "../../source/presets/moco.ts";
import { sourceOf } from "../../source/presets/presets.ts";
import { EXPANSION_SOURCES } from "../../source/resource.ts";
import { LOOP_DRIVER, MEMORY_DRIVER } from "../drivers/names.ts";
import { MYSQL_CLUSTER_DEFINITION, MYSQL_CLUSTERS } from "./mysql/index.ts";
import { type DriverName, NAMESPACE } from "./names.ts";

/** An object and where it goes; the namespace is in it. */
export interface SampleObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly object: KubeObject & Readonly<Record<string, unknown>>;
}

const PROVISIONERS: Readonly<Record<DriverName, string>> = { loop: LOOP_DRIVER, memory: MEMORY_DRIVER };

interface ClassTraits {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly isDefault?: boolean;
  readonly waits?: boolean;
  /** What it is good for, where people look. */
  readonly about: string;
}

function storageClass(
  name: string,
  driver: DriverName,
  { parameters, isDefault, waits, about }: ClassTraits,
): SampleObject {
  return {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    plural: "storageclasses",
    object: {
      metadata: {
        name,
        annotations: {
          "outgrow.dev/about": about,
          ...(isDefault === true ? { "storageclass.kubernetes.io/is-default-class": "true" } : {}),
        },
      },
      provisioner: PROVISIONERS[driver],
      allowVolumeExpansion: true,
      volumeBindingMode: waits === true ? "WaitForFirstConsumer" : "Immediate",
      ...(parameters === undefined ? {} : { parameters }),
    },
  };
}

/**
 * The classes of a cluster. Those whose names begin with `flaky-` fail in the ways that KEP-1790 tells of, and only above 10Gi.
 * Where the controller's half fails, asking for less recovers; where the node's half does, the storage has grown already, unless
 * all of it is left to the node.
 */
export function storageClasses(
  standard: DriverName,
  { hasDefault = false }: { readonly hasDefault?: boolean } = {},
): SampleObject[] {
  const flaky = (name: string, parameters: Readonly<Record<string, string>>, about: string): SampleObject =>
    storageClass(`flaky-${name}`, "memory", { parameters, about });
  // Without a node half nobody has to mount a volume to see how its expansion ends.
  const alone = { nodeExpansion: "false" };
  return [
    storageClass("standard", standard, {
      isDefault: !hasDefault,
      waits: true,
      about: "ext4 on a loop device; grows while it is used",
    }),
    storageClass("xfs", standard, { parameters: { fsType: "xfs" }, waits: true, about: "xfs on a loop device" }),
    storageClass("btrfs", standard, { parameters: { fsType: "btrfs" }, waits: true, about: "btrfs on a loop device" }),
    storageClass("memory", "memory", { about: "no data at all, only sizes: for many volumes" }),
    flaky(
      "infeasible",
      { ...alone, controllerLimit: "10Gi", controllerError: "OutOfRange" },
      "the storage can never be larger than 10Gi",
    ),
    flaky(
      "failing",
      { ...alone, controllerLimit: "10Gi", controllerError: "Internal" },
      "the storage fails above 10Gi, each time",
    ),
    flaky(
      "unsure",
      { ...alone, controllerLimit: "10Gi", controllerError: "DeadlineExceeded" },
      "above 10Gi nobody knows what has become of it",
    ),
    flaky(
      "node-infeasible",
      { nodeLimit: "10Gi", nodeError: "OutOfRange" },
      "the file system can never be larger than 10Gi",
    ),
    flaky(
      "node-failing",
      { nodeLimit: "10Gi", nodeError: "Internal" },
      "the file system fails to grow above 10Gi, each time",
    ),
    flaky(
      "node-only",
      { controllerExpansion: "false", nodeLimit: "10Gi", nodeError: "OutOfRange" },
      "only the node grows it, and never above 10Gi: asking for less recovers",
    ),
    flaky("offline", { online: "false" }, "grows only while no pod uses it"),
    flaky("slow", { ...alone, delay: "20s" }, "every expansion takes 20 seconds"),
    flaky("rounding", { roundTo: "1G" }, "sizes are rounded up to whole gigabytes"),
  ];
}

const LABELS = { app: "db" };

const inNamespace = (name: string): KubeObject["metadata"] => ({ name, namespace: NAMESPACE });

/**
 * A database of three, its quota, a claim that will not grow as large as somebody may wish, and a database whose size is written in a
 * resource of its operator's.
 */
export function sampleObjects(): SampleObject[] {
  return [
    { apiVersion: "v1", kind: "Namespace", plural: "namespaces", object: { metadata: { name: NAMESPACE } } },
    {
      apiVersion: "v1",
      kind: "ResourceQuota",
      plural: "resourcequotas",
      object: {
        metadata: inNamespace("storage"),
        spec: { hard: { "requests.storage": "60Gi", persistentvolumeclaims: "10" } },
      },
    },
    {
      apiVersion: "v1",
      kind: "Service",
      plural: "services",
      object: {
        metadata: inNamespace("db"),
        spec: { clusterIP: "None", selector: LABELS, ports: [{ name: "sql", port: 5432 }] },
      },
    },
    {
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      plural: "statefulsets",
      object: {
        metadata: inNamespace("db"),
        spec: {
          serviceName: "db",
          replicas: 3,
          selector: { matchLabels: LABELS },
          template: {
            metadata: { labels: LABELS },
            spec: {
              terminationGracePeriodSeconds: 1,
              containers: [
                { name: "db", image: "database", volumeMounts: [{ name: "data", mountPath: "/var/lib/db" }] },
              ],
            },
          },
          volumeClaimTemplates: [claimTemplate("data", "1Gi")],
        },
      },
    },
    {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      plural: "persistentvolumeclaims",
      object: {
        metadata: inNamespace("fragile"),
        spec: { ...claimTemplate("fragile", "1Gi").spec, storageClassName: "flaky-infeasible" },
      },
    },
    ...mySqlObjects(),
  ];
}

/** What an operator brings (its kind), what teaches us where it writes sizes, and one to grow. */
function mySqlObjects(): SampleObject[] {
  const { kind, plural } = MYSQL_CLUSTERS;
  return [
    {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      plural: "customresourcedefinitions",
      object: MYSQL_CLUSTER_DEFINITION,
    },
    {
      apiVersion: apiVersionOf(EXPANSION_SOURCES),
      kind: EXPANSION_SOURCES.kind,
      plural: EXPANSION_SOURCES.plural,
      object: { ...sourceOf(MOCO) },
    },
    {
      apiVersion: apiVersionOf(MYSQL_CLUSTERS),
      kind,
      plural,
      object: {
        metadata: inNamespace("shop"),
        spec: { replicas: 3, volumeClaimTemplates: [claimTemplate("mysql-data", "1Gi")] },
      },
    },
  ];
}

function claimTemplate(name: string, size: string) {
  return { metadata: { name }, spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: size } } } };
}
