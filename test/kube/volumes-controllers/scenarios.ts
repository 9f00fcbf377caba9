/** What people do to claims and volumes, and until when; what the cluster looks like then is compared. */
import { BIND_COMPLETED, BOUND_BY_CONTROLLER, PROVISIONED_BY } from "../../../src/cluster/controllers/volumes/index.ts";
import { aClass } from "../../../src/cluster/controllers/volumes/testing/objects.ts";
import { CLAIMS, PODS, STORAGE_CLASSES, VOLUMES } from "../../../src/kube/index.ts";
import type { Scene } from "./scene.ts";

export interface Step {
  readonly act: (scene: Scene) => Promise<unknown>;
  /** The phases of claims and volumes when it is over; `gone` for those that are not there. */
  readonly phases: Readonly<Record<string, string>>;
  /** Reasons that people must have been told by then. */
  readonly reasons?: readonly string[];
}

export interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
}

const all = (...work: readonly Promise<unknown>[]): Promise<unknown> => Promise.all(work);

/** A claim that has the volume `disk`. */
const BOUND: Step = {
  act: (scene) => all(scene.volume("disk", { size: "5Gi" }), scene.claim("data")),
  phases: { data: "Bound", disk: "Bound" },
};

const availableVolumes = (sketches: Readonly<Record<string, Parameters<Scene["volume"]>[1]>>): Step => ({
  act: (scene) => all(...Object.entries(sketches).map(([name, sketch]) => scene.volume(name, sketch))),
  phases: Object.fromEntries(Object.keys(sketches).map((name) => [name, "Available"])),
});

const CHOICE: readonly Scenario[] = [
  {
    name: "a claim gets the smallest volume that is large enough",
    steps: [
      availableVolumes({ large: { size: "5Gi" }, small: { size: "1Gi" }, fitting: { size: "3Gi" } }),
      { act: (scene) => scene.claim("data", { size: "2Gi" }), phases: { data: "Bound", fitting: "Bound" } },
    ],
  },
  {
    name: "fewer access modes come before a smaller size",
    steps: [
      availableVolumes({
        shared: { size: "1Gi", spec: { accessModes: ["ReadWriteOnce", "ReadOnlyMany"] } },
        single: { size: "5Gi" },
        other: { size: "1Gi", spec: { accessModes: ["ReadWriteMany"] } },
      }),
      { act: (scene) => scene.claim("data"), phases: { data: "Bound", single: "Bound" } },
    ],
  },
  {
    name: "a selector decides by labels",
    steps: [
      availableVolumes({
        slow: { metadata: { labels: { speed: "slow" } } },
        fast: { size: "5Gi", metadata: { labels: { speed: "fast" } } },
      }),
      {
        act: (scene) =>
          scene.claim("data", {
            spec: { selector: { matchExpressions: [{ key: "speed", operator: "In", values: ["fast"] }] } },
          }),
        phases: { data: "Bound", fast: "Bound" },
      },
    ],
  },
  {
    name: "raw block and file system do not mix",
    steps: [
      availableVolumes({ files: {}, raw: { size: "5Gi", spec: { volumeMode: "Block" } } }),
      {
        act: (scene) => scene.claim("data", { spec: { volumeMode: "Block" } }),
        phases: { data: "Bound", raw: "Bound" },
      },
    ],
  },
  {
    name: "a volume that comes later is taken",
    steps: [
      { act: (scene) => scene.claim("data"), phases: { data: "Pending" }, reasons: ["ProvisioningFailed"] },
      { act: (scene) => scene.volume("disk"), phases: { data: "Bound", disk: "Bound" } },
    ],
  },
  {
    name: "a claim that wants no class and finds no volume is told so",
    steps: [
      {
        act: (scene) => scene.claim("data", { spec: { storageClassName: "" } }),
        phases: { data: "Pending" },
        reasons: ["FailedBinding"],
      },
    ],
  },
  {
    name: "two claims do not get the same volume",
    steps: [
      BOUND,
      {
        act: (scene) => scene.claim("late"),
        phases: { data: "Bound", disk: "Bound", late: "Pending" },
        reasons: ["ProvisioningFailed"],
      },
    ],
  },
  {
    name: "what a volume had before it was grown is the claim's capacity",
    steps: [
      {
        act: (scene) =>
          all(
            scene.volume("disk", {
              size: "5Gi",
              metadata: { annotations: { "volume.alpha.kubernetes.io/pre-resize-capacity": "2Gi" } },
            }),
            scene.claim("data"),
          ),
        phases: { data: "Bound", disk: "Bound" },
      },
    ],
  },
];

const NAMED: readonly Scenario[] = [
  {
    name: "a claim that names a volume gets it, and is not marked as bound by the controller",
    steps: [
      availableVolumes({ disk: { size: "5Gi" }, better: {} }),
      {
        act: (scene) => scene.claim("data", { spec: { volumeName: scene.named("disk") } }),
        phases: { data: "Bound", disk: "Bound", better: "Available" },
      },
    ],
  },
  {
    name: "a claim that names a volume waits for it",
    steps: [
      {
        act: (scene) => scene.claim("data", { spec: { volumeName: scene.named("disk") } }),
        phases: { data: "Pending" },
      },
      { act: (scene) => scene.volume("disk"), phases: { data: "Bound", disk: "Bound" } },
    ],
  },
  ...(
    [
      ["too small", { size: "500Mi" }],
      ["of another class", { spec: { storageClassName: "other" } }],
      ["of another mode", { spec: { volumeMode: "Block" } }],
      ["with other access modes", { spec: { accessModes: ["ReadWriteMany"] } }],
    ] as const
  ).map(([why, sketch]) => ({
    name: `a volume that is named but ${why} is refused`,
    steps: [
      availableVolumes({ disk: sketch as Parameters<Scene["volume"]>[1] }),
      {
        act: (scene: Scene) => scene.claim("data", { spec: { volumeName: scene.named("disk") } }),
        phases: { data: "Pending", disk: "Available" },
        reasons: ["VolumeMismatch"],
      },
    ],
  })),
  {
    name: "a volume that is somebody else's cannot be had by naming it",
    steps: [
      BOUND,
      {
        act: (scene) => scene.claim("late", { spec: { volumeName: scene.named("disk") } }),
        phases: { data: "Bound", late: "Pending" },
        reasons: ["FailedBinding"],
      },
    ],
  },
  {
    name: "a volume that is kept for a claim goes to that one, whatever its class",
    steps: [
      {
        act: (scene) =>
          scene.volume("disk", {
            size: "5Gi",
            spec: { storageClassName: "other", claimRef: { namespace: scene.namespace, name: "data" } },
          }),
        phases: { disk: "Available" },
      },
      {
        act: (scene) => scene.claim("other", { spec: { storageClassName: "other" } }),
        phases: { disk: "Available", other: "Pending" },
        reasons: ["ProvisioningFailed"],
      },
      { act: (scene) => scene.claim("data"), phases: { data: "Bound", disk: "Bound", other: "Pending" } },
    ],
  },
];

/** A volume that says it is the claim's, which has `disk` already. */
const second = (annotations: Readonly<Record<string, string>>, policy: string, phase: string): Step => ({
  act: async (scene) => {
    const { metadata } = await scene.readClaim("data");
    const { namespace, name, uid } = metadata;
    await scene.volume("second", {
      metadata: { annotations: { ...annotations } },
      spec: {
        persistentVolumeReclaimPolicy: policy,
        claimRef: {
          kind: "PersistentVolumeClaim",
          apiVersion: "v1",
          ...(namespace && { namespace }),
          name,
          ...(uid && { uid }),
        },
      },
    });
  },
  phases: { data: "Bound", disk: "Bound", second: phase },
});

const ASTRAY: readonly Scenario[] = [
  {
    name: "a claim whose volume is gone is lost",
    steps: [
      BOUND,
      {
        act: async (scene) => {
          const name = scene.named("disk");
          await scene.client.delete(VOLUMES, { name });
          const body = { metadata: { finalizers: null } };
          await scene.client.patch(VOLUMES, { name }, { type: "merge", body });
        },
        phases: { data: "Lost", disk: "gone" },
        reasons: ["ClaimLost"],
      },
    ],
  },
  {
    name: "a claim that says it is bound to somebody else's volume is lost",
    steps: [
      BOUND,
      {
        act: (scene) =>
          scene.claim("thief", {
            metadata: { annotations: { [BIND_COMPLETED]: "yes" } },
            spec: { volumeName: scene.named("disk") },
          }),
        phases: { data: "Bound", disk: "Bound", thief: "Lost" },
        reasons: ["ClaimMisbound"],
      },
    ],
  },
  {
    name: "a claim that says it is bound to a free volume gets it",
    steps: [
      availableVolumes({ disk: {} }),
      {
        act: (scene) =>
          scene.claim("data", {
            metadata: { annotations: { [BIND_COMPLETED]: "yes", [BOUND_BY_CONTROLLER]: "yes" } },
            spec: { volumeName: scene.named("disk") },
          }),
        phases: { data: "Bound", disk: "Bound" },
      },
    ],
  },
  {
    name: "a second volume that the controller had chosen is free again",
    steps: [BOUND, second({ [BOUND_BY_CONTROLLER]: "yes", note: "kept" }, "Retain", "Available")],
  },
  {
    name: "a second volume that a person had chosen stays kept for the claim's name",
    steps: [BOUND, second({}, "Retain", "Available")],
  },
  {
    name: "a second volume that was provisioned for the claim is released, for its provisioner to delete",
    steps: [BOUND, second({ [PROVISIONED_BY]: "x.example.com" }, "Delete", "Released")],
  },
  {
    name: "a volume that can never be bound to the claim it names",
    steps: [
      {
        act: async (scene) => {
          const { metadata } = await scene.claim("data", { spec: { storageClassName: "" } });
          const { namespace = "", name, uid = "" } = metadata;
          await scene.volume("disk", { spec: { volumeMode: "Block", claimRef: { namespace, name, uid } } });
        },
        phases: { data: "Pending" },
        reasons: ["VolumeMismatch", "FailedBinding"],
      },
    ],
  },
];

const released = (spec: NonNullable<Parameters<Scene["volume"]>[1]>["spec"], phase: string, reason?: string) =>
  [
    {
      act: (scene: Scene) => all(scene.volume("disk", { spec: { ...spec } }), scene.claim("data")),
      phases: { data: "Bound", disk: "Bound" },
    },
    {
      act: (scene: Scene) => scene.deleteClaim("data"),
      phases: { data: "gone", disk: phase },
      ...(reason === undefined ? {} : { reasons: [reason] }),
    },
  ] as const;

const RECLAIM: readonly Scenario[] = [
  { name: "a volume whose claim is gone is released and retained", steps: released({}, "Released") },
  {
    name: "a volume of a CSI driver that is to be deleted waits for its provisioner",
    steps: released({ persistentVolumeReclaimPolicy: "Delete" }, "Released"),
  },
  {
    name: "a volume that nobody can recycle has failed",
    steps: released({ persistentVolumeReclaimPolicy: "Recycle" }, "Failed", "VolumeFailedRecycle"),
  },
  {
    name: "a released volume is not given to a claim of the same name",
    steps: [
      ...released({}, "Released"),
      {
        act: (scene) => scene.claim("data"),
        phases: { data: "Pending", disk: "Released" },
        reasons: ["ProvisioningFailed"],
      },
    ],
  },
  {
    name: "a volume that is being deleted stays while it is bound, and goes with its claim",
    steps: [
      BOUND,
      {
        act: (scene) => scene.client.delete(VOLUMES, { name: scene.named("disk") }),
        phases: { data: "Bound", disk: "Bound" },
      },
      { act: (scene) => scene.deleteClaim("data"), phases: { data: "gone", disk: "gone" } },
    ],
  },
];

/** Creates the class `own`, which most scenes do without. */
const withClass = (more: Parameters<typeof aClass>[1]) => (scene: Scene) =>
  scene.client.create(STORAGE_CLASSES, aClass(scene.named("own"), more));

const CLASSES: readonly Scenario[] = [
  {
    name: "a claim is handed to the provisioner of its class",
    steps: [
      {
        act: async (scene) => {
          await withClass({})(scene);
          await scene.claim("data");
        },
        phases: { data: "Pending" },
        reasons: ["ExternalProvisioning"],
      },
    ],
  },
  {
    name: "a class without a provisioner provisions nothing",
    steps: [
      {
        act: async (scene) => {
          await withClass({ provisioner: "kubernetes.io/no-provisioner" })(scene);
          await scene.claim("data");
        },
        phases: { data: "Pending" },
        reasons: ["ProvisioningFailed"],
      },
    ],
  },
  {
    name: "a claim that waits for its first consumer is told so, and leaves free volumes to the scheduler",
    steps: [
      availableVolumes({ disk: {} }),
      {
        act: async (scene) => {
          await withClass({ volumeBindingMode: "WaitForFirstConsumer" })(scene);
          await scene.claim("data");
        },
        phases: { data: "Pending", disk: "Available" },
        reasons: ["WaitForFirstConsumer"],
      },
      {
        act: ({ client, namespace }) =>
          client.create(PODS, {
            metadata: { name: "web", namespace },
            spec: {
              containers: [{ name: "c", image: "busybox" }],
              volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }],
            },
          }),
        phases: { data: "Pending", disk: "Available" },
        reasons: ["WaitForFirstConsumer", "WaitForPodScheduled"],
      },
      {
        act: ({ client, namespace }) => {
          const body = { metadata: { annotations: { "volume.kubernetes.io/selected-node": "node" } } };
          return client.patch(CLAIMS, { namespace, name: "data" }, { type: "merge", body });
        },
        phases: { data: "Pending", disk: "Available" },
        reasons: ["WaitForFirstConsumer", "WaitForPodScheduled", "ExternalProvisioning"],
      },
    ],
  },
];

export const SCENARIOS: readonly Scenario[] = [...CHOICE, ...NAMED, ...ASTRAY, ...RECLAIM, ...CLASSES];
