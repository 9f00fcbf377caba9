/**
 * What becomes of claims and volumes that went astray, of volumes whose claim is gone, and of claims that find none.
 */
import { BIND_COMPLETED, BOUND_BY_CONTROLLER, PROVISIONED_BY } from "../../../src/cluster/controllers/volumes/index.ts";
import { aClass } from "../../../src/cluster/controllers/volumes/testing/objects.ts";
import { CLAIMS, PODS, STORAGE_CLASSES, VOLUMES } from "../../../src/kube/index.ts";
import { availableVolumes, bound, type Scenario, type Step } from "./moves.ts";
import type { Scene } from "./scene.ts";

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
      ...bound(),
      {
        act: async (scene) => {
          const name = scene.named("disk");
          await scene.client.delete(VOLUMES, { name });
          const body = { metadata: { finalizers: null } };
          await scene.client.patch(VOLUMES, { name }, { type: "merge", body });
        },
        phases: { data: "Lost", disk: "gone" },
        reasons: ["data ClaimLost"],
      },
    ],
  },
  {
    name: "a claim that says it is bound to somebody else's volume is lost",
    steps: [
      ...bound(),
      {
        act: (scene) =>
          scene.claim("thief", {
            metadata: { annotations: { [BIND_COMPLETED]: "yes" } },
            spec: { volumeName: scene.named("disk") },
          }),
        phases: { data: "Bound", disk: "Bound", thief: "Lost" },
        reasons: ["thief ClaimMisbound"],
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
    steps: [...bound(), second({ [BOUND_BY_CONTROLLER]: "yes", note: "kept" }, "Retain", "Available")],
  },
  {
    name: "a second volume that a person had chosen stays kept for the claim's name",
    steps: [...bound(), second({}, "Retain", "Available")],
  },
  {
    name: "a second volume that was provisioned for the claim is released, for its provisioner to delete",
    steps: [...bound(), second({ [PROVISIONED_BY]: "x.example.com" }, "Delete", "Released")],
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
        reasons: ["data VolumeMismatch", "disk VolumeMismatch", "data FailedBinding"],
      },
    ],
  },
];

const released = (spec: NonNullable<Parameters<Scene["volume"]>[1]>["spec"], phase: string, reason?: string) =>
  [
    ...bound({ spec: { ...spec } }),
    {
      act: (scene: Scene) => scene.deleteClaim("data"),
      phases: { data: "gone", disk: phase },
      ...(reason === undefined ? {} : { reasons: [`disk ${reason}`] }),
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
        reasons: ["data ProvisioningFailed"],
      },
    ],
  },
  {
    name: "a volume that is being deleted stays while it is bound, and goes with its claim",
    steps: [
      ...bound(),
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
        reasons: ["data ExternalProvisioning"],
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
        reasons: ["data ProvisioningFailed"],
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
        reasons: ["data WaitForFirstConsumer"],
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
        reasons: ["data WaitForFirstConsumer", "data WaitForPodScheduled"],
      },
      {
        act: ({ client, namespace }) => {
          const body = { metadata: { annotations: { "volume.kubernetes.io/selected-node": "node" } } };
          return client.patch(CLAIMS, { namespace, name: "data" }, { type: "merge", body });
        },
        phases: { data: "Pending", disk: "Available" },
        reasons: ["data WaitForFirstConsumer", "data WaitForPodScheduled", "data ExternalProvisioning"],
      },
    ],
  },
];

export const FATE_SCENARIOS: readonly Scenario[] = [...ASTRAY, ...RECLAIM, ...CLASSES];
