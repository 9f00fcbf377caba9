import { describe, expect, test } from "vitest";
import { storageClasses } from "../../../../../admission/storage-classes.ts";
import type { PersistentVolume, Pod, StorageClass } from "../../../../../core/types.ts";
import { BIND_COMPLETED, BOUND_BY_CONTROLLER, SELECTED_NODE } from "../../decide/names.ts";
import { aClaim, aClass, aVolume, type ClaimSketch } from "../../testing/objects.ts";
import { type ClaimDecision, decideClaim } from "./claim.ts";

interface Around {
  readonly volumes?: readonly PersistentVolume[];
  readonly classes?: readonly StorageClass[];
  readonly pods?: readonly Pod[];
}

function decide(sketch: ClaimSketch, { volumes = [], classes = [], pods = [] }: Around = {}): ClaimDecision {
  const claim = aClaim("data", { ...sketch, metadata: { uid: "1", ...sketch.metadata } });
  const named = volumes.find(({ metadata }) => metadata.name === claim.spec.volumeName);
  return decideClaim({ claim, named, volumes, classes: storageClasses(classes), pods });
}

const of = (storageClassName: string): ClaimSketch => ({ spec: { storageClassName } });
const naming = (volumeName: string, ...annotations: readonly string[]): ClaimSketch => ({
  metadata: { annotations: Object.fromEntries(annotations.map((name) => [name, "yes"])) },
  spec: { volumeName },
});
const free = aVolume("disk", { phase: "Available" });
const taken = (uid: string): PersistentVolume =>
  aVolume("disk", { spec: { claimRef: { namespace: "default", name: "data", uid } } });
const unclassed = (): ClaimSketch => ({ spec: { ...aClaim("x").spec, storageClassName: undefined as never } });

describe("a claim that was never bound", () => {
  test("gets a volume that suits", () => {
    expect(decide({}, { volumes: [free] })).toEqual({ kind: "bind", volume: free });
  });

  test("of the empty class stays pending, and people are told", () => {
    const message = "no persistent volumes available for this claim and no storage class is set";
    const news = { type: "Normal", reason: "FailedBinding", message };
    expect(decide({})).toEqual({ kind: "no-volume", phase: "Pending", news });
  });

  test("without a class gets the default, unless a volume suits as it is", () => {
    const annotations = { "storageclass.kubernetes.io/is-default-class": "true" };
    const classes = [aClass("fast", { metadata: { name: "fast", annotations } })];
    expect(decide(unclassed(), { classes })).toEqual({ kind: "assign-class", className: "fast" });
    expect(decide(unclassed(), { classes, volumes: [free] }).kind).toBe("bind");
    expect(decide({}, { classes }).kind).toBe("no-volume");
  });

  test("of a class that does not exist is left alone, and people are told", () => {
    expect(decide(of("missing"))).toEqual({
      kind: "leave",
      news: {
        type: "Warning",
        reason: "ProvisioningFailed",
        message: 'storageclass.storage.k8s.io "missing" not found',
      },
    });
  });

  test("is handed to the provisioner of its class", () => {
    expect(decide(of("fast"), { classes: [aClass("fast")] })).toMatchObject({
      kind: "hand-over",
      provisioner: "x.example.com",
      news: { reason: "ExternalProvisioning" },
    });
  });

  test("of an in-tree class finds nobody to provision it", () => {
    const classes = [aClass("local", { provisioner: "kubernetes.io/no-provisioner" })];
    const message = "no volume plugin matched name: kubernetes.io/no-provisioner";
    expect(decide(of("local"), { classes })).toMatchObject({ kind: "leave", news: { message } });
  });

  describe("and waits for its first consumer", () => {
    const classes = [aClass("late", { volumeBindingMode: "WaitForFirstConsumer" })];
    const pod = (name: string, more: Partial<Pod> = {}): Pod => ({ metadata: { name }, spec: {}, ...more });
    const message = (pods: readonly Pod[]): string | undefined => {
      const decision = decide(of("late"), { classes, pods });
      return decision.kind === "no-volume" ? decision.news?.message : decision.kind;
    };

    test.each([
      [[], "waiting for first consumer to be created before binding"],
      [[pod("web")], "waiting for pod web to be scheduled"],
      [[pod("web"), pod("job")], "waiting for pods job,web to be scheduled"],
      [[pod("web", { spec: { nodeName: "n" } })], "waiting for first consumer to be created before binding"],
      [[pod("web", { status: { phase: "Failed" } })], "waiting for first consumer to be created before binding"],
    ])("%#: %s", (pods, expected) => {
      expect(message(pods)).toBe(expected);
    });

    test("does not take a free volume, but one that is kept for it", () => {
      const volumes = [aVolume("disk", { phase: "Available", spec: { storageClassName: "late" } })];
      expect(decide(of("late"), { classes, volumes }).kind).toBe("no-volume");
      expect(decide(of("late"), { classes, volumes: [...volumes, taken("1")] }).kind).toBe("bind");
    });

    test("is handed over once the scheduler has chosen a node", () => {
      const metadata = { annotations: { [SELECTED_NODE]: "n" } };
      expect(decide({ ...of("late"), metadata }, { classes }).kind).toBe("hand-over");
    });
  });
});

describe("a claim that names a volume", () => {
  test("waits for it in silence", () => {
    expect(decide(naming("disk"))).toEqual({ kind: "no-volume", phase: "Pending" });
  });

  test("gets it when it is free and suits", () => {
    expect(decide(naming("disk"), { volumes: [free] }).kind).toBe("bind");
  });

  test("is told why it does not suit", () => {
    const volumes = [aVolume("disk", { size: "1Mi" })];
    const message = 'Cannot bind to requested volume "disk": requested PV is too small';
    expect(decide(naming("disk"), { volumes })).toMatchObject({
      phase: "Pending",
      news: { reason: "VolumeMismatch", message },
    });
  });

  test("gets what is kept for it, whether it suits or not", () => {
    const volume = aVolume("disk", { size: "1Mi", spec: { claimRef: { namespace: "default", name: "data" } } });
    expect(decide(naming("disk"), { volumes: [volume] }).kind).toBe("bind");
  });

  test("does not get somebody else's", () => {
    const message = 'volume "disk" already bound to a different claim.';
    const news = { type: "Warning", reason: "FailedBinding", message };
    expect(decide(naming("disk"), { volumes: [taken("2")] })).toEqual({ kind: "no-volume", phase: "Pending", news });
    expect(decide(naming("disk", BOUND_BY_CONTROLLER), { volumes: [taken("2")] })).toEqual({ kind: "leave", news });
  });
});

describe("a claim that was bound", () => {
  const lost = (decision: ClaimDecision): unknown =>
    decision.kind === "no-volume" && decision.phase === "Lost" && decision.once && decision.news?.reason;

  test("stays bound, and what is missing of its binding is written", () => {
    expect(decide(naming("disk", BIND_COMPLETED), { volumes: [taken("1")] }).kind).toBe("bind");
    expect(decide(naming("disk", BIND_COMPLETED), { volumes: [free] }).kind).toBe("bind");
  });

  test("is lost when it has no reference, no volume, or somebody else's", () => {
    expect(lost(decide(naming("", BIND_COMPLETED), { volumes: [free] }))).toBe("ClaimLost");
    expect(lost(decide(naming("disk", BIND_COMPLETED)))).toBe("ClaimLost");
    expect(lost(decide(naming("disk", BIND_COMPLETED), { volumes: [taken("2")] }))).toBe("ClaimMisbound");
  });
});
