/** Which volume a claim gets, of those that are there and by its name. */

import { availableVolumes, bound, type Scenario } from "./moves.ts";
import type { Scene } from "./scene.ts";

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
      { act: (scene) => scene.claim("data"), phases: { data: "Pending" }, reasons: ["data ProvisioningFailed"] },
      { act: (scene) => scene.volume("disk"), phases: { data: "Bound", disk: "Bound" } },
    ],
  },
  {
    name: "a claim that wants no class and finds no volume is told so",
    steps: [
      {
        act: (scene) => scene.claim("data", { spec: { storageClassName: "" } }),
        phases: { data: "Pending" },
        reasons: ["data FailedBinding"],
      },
    ],
  },
  {
    name: "two claims do not get the same volume",
    steps: [
      ...bound(),
      {
        act: (scene) => scene.claim("late"),
        phases: { data: "Bound", disk: "Bound", late: "Pending" },
        reasons: ["late ProvisioningFailed"],
      },
    ],
  },
  {
    name: "what a volume had before it was grown is the claim's capacity",
    steps: [
      ...bound({
        size: "5Gi",
        metadata: { annotations: { "volume.alpha.kubernetes.io/pre-resize-capacity": "2Gi" } },
      }),
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
        reasons: ["data VolumeMismatch"],
      },
    ],
  })),
  {
    name: "a volume that is somebody else's cannot be had by naming it",
    steps: [
      ...bound(),
      {
        act: (scene) => scene.claim("late", { spec: { volumeName: scene.named("disk") } }),
        phases: { data: "Bound", late: "Pending" },
        reasons: ["late FailedBinding"],
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
        reasons: ["other ProvisioningFailed"],
      },
      { act: (scene) => scene.claim("data"), phases: { data: "Bound", disk: "Bound", other: "Pending" } },
    ],
  },
];

export const BINDING_SCENARIOS: readonly Scenario[] = [...CHOICE, ...NAMED];
