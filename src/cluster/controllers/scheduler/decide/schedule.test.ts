import { describe, expect, test } from "vitest";
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from "../../../../core/types.ts";
import { SELECTED_NODE } from "./claims.ts";
import { STANDS_FOR_ALL } from "./node-selector.ts";
import { placePod, type ScheduleFacts } from "./schedule.ts";
import type { Node, SchedulablePod, Toleration } from "./types.ts";

const NODE: Node = { metadata: { name: "one", labels: { zone: "a", size: "7" } } };
const BOUND = { "pv.kubernetes.io/bind-completed": "yes" };

function aPod(spec: Partial<SchedulablePod["spec"]> = {}): SchedulablePod {
  return { metadata: { name: "db-0", namespace: "prod", uid: "u" }, spec };
}

/** A pod that uses these claims. */
function using(...claims: string[]): SchedulablePod {
  return aPod({ volumes: claims.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })) });
}

function aClaim(name: string, change: Partial<PersistentVolumeClaim> = {}): PersistentVolumeClaim {
  const spec = {
    storageClassName: "late",
    accessModes: ["ReadWriteOnce"],
    resources: { requests: { storage: "1Gi" } },
    ...change.spec,
  };
  const metadata = { name, namespace: "prod", uid: `u-${name}`, ...change.metadata };
  return { metadata, spec, status: change.status ?? { phase: "Pending" } };
}

const CLASSES: readonly StorageClass[] = [
  { metadata: { name: "late" }, provisioner: "csi", volumeBindingMode: "WaitForFirstConsumer" },
  {
    metadata: { name: "by-hand" },
    provisioner: "kubernetes.io/no-provisioner",
    volumeBindingMode: "WaitForFirstConsumer",
  },
  { metadata: { name: "now" }, provisioner: "csi", volumeBindingMode: "Immediate" },
];

interface Scene {
  readonly nodes?: readonly Node[];
  readonly claims?: readonly PersistentVolumeClaim[];
  readonly volumes?: readonly PersistentVolume[];
  readonly pods?: Readonly<Record<string, number>>;
}

function facts({ nodes = [NODE], claims = [], volumes = [], pods = {} }: Scene = {}): ScheduleFacts {
  return {
    nodes,
    podsOn: (node) => pods[node] ?? 0,
    claim: (_, name) => claims.find(({ metadata }) => metadata.name === name),
    volume: (name) => volumes.find(({ metadata }) => metadata.name === name),
    openVolumes: (name) => volumes.filter(({ spec }) => spec.storageClassName === name),
    storageClass: (name) => CLASSES.find(({ metadata }) => metadata.name === name),
  };
}

const none = (why: string, nodes = 1): object => ({
  kind: "unschedulable",
  message: `0/${nodes} nodes are available: ${why}. preemption: 0/${nodes} nodes are available: ${nodes} Preemption is not helpful for scheduling.`,
});

describe("a pod without claims", () => {
  test("goes to the one node", () => {
    expect(placePod(aPod(), facts())).toEqual({ kind: "bind", node: "one" });
  });

  test("goes to the node with the fewest pods, the first by name among equals", () => {
    const nodes = ["c", "b", "a"].map((name) => ({ metadata: { name } }));
    expect(placePod(aPod(), facts({ nodes, pods: { a: 2, b: 1, c: 1 } }))).toEqual({ kind: "bind", node: "b" });
  });

  test("waits for a node to be there", () => {
    const message = "no nodes available to schedule pods";
    expect(placePod(aPod(), facts({ nodes: [] }))).toEqual({ kind: "unschedulable", message });
  });

  test("is told of every reason, counted", () => {
    const tainted = { metadata: { name: "two" }, spec: { taints: [{ key: "k", effect: "NoSchedule" }] } };
    const nodes = [NODE, tainted, { metadata: { name: "three" } }];
    const why = "1 node(s) had untolerated taint(s), 2 node(s) didn't match Pod's node affinity/selector";
    expect(placePod(aPod({ nodeSelector: { zone: "b" } }), facts({ nodes }))).toEqual(none(why, 3));
  });
});

test.each([
  ["a label that it has", { nodeSelector: { zone: "a" } }, true],
  ["a label that it lacks", { nodeSelector: { zone: "b" } }, false],
  ["In", affinity("zone", "In", "a", "b"), true],
  ["In others", affinity("zone", "In", "b"), false],
  ["NotIn", affinity("zone", "NotIn", "a"), false],
  ["NotIn of a label that it lacks", affinity("other", "NotIn", "a"), true],
  ["Exists", affinity("zone", "Exists"), true],
  ["DoesNotExist", affinity("zone", "DoesNotExist"), false],
  ["Gt", affinity("size", "Gt", "6"), true],
  ["Gt that is not", affinity("size", "Gt", "7"), false],
  ["Lt", affinity("size", "Lt", "8"), true],
  ["Lt of what is no number", affinity("zone", "Lt", "8"), false],
  ["an unknown operator", affinity("zone", "Like", "a"), false],
  ["a term that names nothing", terms({}), false],
  ["its name", terms({ matchFields: [{ key: "metadata.name", operator: "In", values: ["one"] }] }), true],
  ["another's name", terms({ matchFields: [{ key: "metadata.name", operator: "In", values: ["two"] }] }), false],
] as const)("a node is chosen by %s", (_, spec, fits) => {
  const placement = placePod(aPod(spec), facts());
  const refused = none("1 node(s) didn't match Pod's node affinity/selector");
  expect(placement).toEqual(fits ? { kind: "bind", node: "one" } : refused);
});

function affinity(key: string, operator: string, ...values: string[]): object {
  return terms({ matchExpressions: [{ key, operator, values }] });
}
function terms(term: object): object {
  return {
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } } },
  };
}

test.each([
  ["no toleration", [], false],
  ["the key, the value and the effect", [{ key: "k", value: "v", effect: "NoSchedule" }], true],
  ["another value", [{ key: "k", value: "w" }], false],
  ["another effect", [{ key: "k", value: "v", effect: "NoExecute" }], false],
  ["the key, whatever the value", [{ key: "k", operator: "Exists" }], true],
  ["everything", [{ operator: "Exists" }], true],
  ["nothing at all", [{}], false],
] as const)("a taint is tolerated by %s: %j", (_, tolerations, tolerated) => {
  const node = { ...NODE, spec: { taints: [{ key: "k", value: "v", effect: "NoSchedule" }] } };
  const placement = placePod(aPod({ tolerations: tolerations as readonly Toleration[] }), facts({ nodes: [node] }));
  expect(placement).toEqual(tolerated ? { kind: "bind", node: "one" } : none("1 node(s) had untolerated taint(s)"));
});

test("a taint that says preferably not keeps nobody away, a cordon does", () => {
  const preferred = { ...NODE, spec: { taints: [{ key: "k", effect: "PreferNoSchedule" }] } };
  expect(placePod(aPod(), facts({ nodes: [preferred] })).kind).toBe("bind");
  const cordoned = { ...NODE, spec: { unschedulable: true } };
  expect(placePod(aPod(), facts({ nodes: [cordoned] }))).toEqual(none("1 node(s) were unschedulable"));
});

describe("a pod with claims", () => {
  const bound = aClaim("data", { metadata: { name: "data", annotations: BOUND }, spec: { volumeName: "pv" } });
  const volume: PersistentVolume = { metadata: { name: "pv" }, spec: { capacity: { storage: "1Gi" } } };

  test.each([
    ["is not there", [], 'persistentvolumeclaim "data" not found'],
    [
      "has lost its volume",
      [aClaim("data", { spec: { volumeName: "pv" }, status: { phase: "Lost" } })],
      'persistentvolumeclaim "data" bound to non-existent persistentvolume "pv"',
    ],
    [
      "is being deleted",
      [aClaim("data", { metadata: { name: "data", deletionTimestamp: "2026-01-01T00:00:00Z" } })],
      'persistentvolumeclaim "data" is being deleted',
    ],
    [
      "is to be bound at once, and is not yet",
      [aClaim("data", { spec: { storageClassName: "now" } })],
      "pod has unbound immediate PersistentVolumeClaims",
    ],
    [
      "is bound to a volume that is gone",
      [bound],
      "1 node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)",
    ],
    [
      "needs a volume made by hand, and there is none",
      [aClaim("data", { spec: { storageClassName: "by-hand" } })],
      "1 node(s) didn't find available persistent volumes to bind",
    ],
  ])("waits while one %s", (_, claims, why) => {
    expect(placePod(using("data"), facts({ claims }))).toMatchObject(none(why));
  });

  test("that a claim is being bound is likely to pass; that it is not there is not", () => {
    const claims = [aClaim("data", { spec: { ...aClaim("data").spec, storageClassName: "now" } })];
    expect(placePod(using("data"), facts({ claims }))).toMatchObject({ passing: true });
    expect(placePod(using("data"), facts())).not.toHaveProperty("passing");
  });

  test("waits for the claim of its ephemeral volume", () => {
    const pod = aPod({ volumes: [{ name: "scratch", ephemeral: {} }] });
    const why = 'waiting for ephemeral volume controller to create the persistentvolumeclaim "db-0-scratch"';
    expect(placePod(pod, facts())).toEqual(none(why));
  });

  test("goes where its bound volume can be reached", () => {
    expect(placePod(using("data"), facts({ claims: [bound], volumes: [volume] })).kind).toBe("bind");
    const required = { nodeSelectorTerms: [{ matchExpressions: [{ key: "zone", operator: "In", values: ["b"] }] }] };
    const far = { ...volume, spec: { ...volume.spec, nodeAffinity: { required } } };
    expect(placePod(using("data"), facts({ claims: [bound], volumes: [far] }))).toEqual(
      none("1 node(s) didn't match PersistentVolume's node affinity"),
    );
  });

  test("tells claims that wait for a consumer the node first, then waits, then follows", () => {
    const claim = aClaim("data");
    expect(placePod(using("data"), facts({ claims: [claim] }))).toEqual({
      kind: "select",
      node: "one",
      volumes: [],
      claims: [claim],
    });
    const told = aClaim("data", { metadata: { name: "data", annotations: { [SELECTED_NODE]: "one" } } });
    expect(placePod(using("data"), facts({ claims: [told] }))).toEqual({ kind: "wait" });
    expect(placePod(using("data"), facts({ claims: [bound], volumes: [volume] }))).toEqual({
      kind: "bind",
      node: "one",
    });
  });

  test("stays with the node that one of them was told", () => {
    const nodes = ["a", "b"].map((name) => ({ metadata: { name } }));
    const told = aClaim("data", { metadata: { name: "data", annotations: { [SELECTED_NODE]: "b" } } });
    const wal = aClaim("wal");
    const placement = placePod(using("data", "wal"), facts({ nodes, claims: [told, wal], pods: { b: 9 } }));
    expect(placement).toEqual({ kind: "select", node: "b", volumes: [], claims: [wal] });
  });

  describe("volumes that were made by hand", () => {
    const claim = aClaim("data", { spec: { ...aClaim("data").spec, storageClassName: "by-hand" } });
    const aVolume = (name: string, change: Partial<PersistentVolume["spec"]> = {}): PersistentVolume => ({
      metadata: { name },
      spec: {
        storageClassName: "by-hand",
        accessModes: ["ReadWriteOnce"],
        capacity: { storage: "1Gi" },
        ...change,
      },
      status: { phase: "Available" },
    });
    const place = (...volumes: readonly PersistentVolume[]) =>
      placePod(using("data"), facts({ claims: [claim], volumes }));

    test("the claim gets one that is free, large enough and of its class: the smallest", () => {
      const [large, small] = [aVolume("large", { capacity: { storage: "9Gi" } }), aVolume("small")];
      const match = { claim, volume: small };
      expect(place(large, small)).toEqual({ kind: "select", node: "one", volumes: [match], claims: [] });
      expect(place(aVolume("pv", { capacity: { storage: "1Mi" } })).kind).toBe("unschedulable");
      expect(place(aVolume("pv", { claimRef: { uid: "other" } })).kind).toBe("unschedulable");
      expect(place(aVolume("pv", { accessModes: ["ReadOnlyMany"] })).kind).toBe("unschedulable");
      expect(place(aVolume("pv", { volumeMode: "Block" })).kind).toBe("unschedulable");
    });

    test("one that cannot be reached from the node is not taken", () => {
      const required = { nodeSelectorTerms: [{ matchExpressions: [{ key: "zone", operator: "In", values: ["b"] }] }] };
      expect(place(aVolume("far", { nodeAffinity: { required } })).kind).toBe("unschedulable");
      const all = { metadata: { name: "one", annotations: { [STANDS_FOR_ALL]: "true" } } };
      const volumes = [aVolume("far", { nodeAffinity: { required } })];
      expect(placePod(using("data"), facts({ nodes: [all], claims: [claim], volumes })).kind).toBe("select");
    });

    test("when it has been given, the pod waits for the binder", () => {
      const { name, namespace = "", uid = "" } = claim.metadata;
      expect(place(aVolume("pv", { claimRef: { name, namespace, uid } }))).toEqual({ kind: "wait" });
    });

    test("two claims of a pod never get the same one, and the smaller claim chooses first", () => {
      const large = aClaim("wal", {
        spec: { ...claim.spec, resources: { requests: { storage: "2Gi" } } },
      });
      const volumes = [aVolume("a", { capacity: { storage: "2Gi" } }), aVolume("b", { capacity: { storage: "3Gi" } })];
      const placement = placePod(using("wal", "data"), facts({ claims: [large, claim], volumes }));
      expect(placement).toMatchObject({
        volumes: [
          { claim: { metadata: { name: "data" } }, volume: { metadata: { name: "a" } } },
          { claim: { metadata: { name: "wal" } }, volume: { metadata: { name: "b" } } },
        ],
      });
      const alone = placePod(using("wal", "data"), facts({ claims: [large, claim], volumes: volumes.slice(0, 1) }));
      expect(alone.kind).toBe("unschedulable");
    });

    test("of a class that makes volumes, too, one that is there is taken first; not when one is being made", () => {
      const dynamic = aClaim("data");
      const volume = aVolume("pv", { storageClassName: dynamic.spec.storageClassName ?? "" });
      const placement = placePod(using("data"), facts({ claims: [dynamic], volumes: [volume] }));
      expect(placement).toMatchObject({
        kind: "select",
        volumes: [{ volume: { metadata: { name: "pv" } } }],
        claims: [],
      });
      const told = aClaim("data", { metadata: { name: "data", annotations: { [SELECTED_NODE]: "one" } } });
      expect(placePod(using("data"), facts({ claims: [told], volumes: [volume] }))).toEqual({ kind: "wait" });
    });
  });
});
