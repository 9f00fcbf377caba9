/** Where the stories begin: which policy, which server, who interferes, and how often. */
import { claimIndex, ORDINALS, type Person, type Policy, type Scene, tiesToSet, type World } from "./world.ts";

const EVERYBODY: readonly Person[] = [
  "autoscaler",
  "developer",
  "policy",
  "gitops",
  "deleter",
  "record deleter",
  "claim deleter",
];

const BASE: Scene = {
  name: "",
  takesEdits: false,
  oneByOne: false,
  full: false,
  offline: false,
  refuses: false,
  operator: false,
  people: EVERYBODY,
};

export function initialWorlds(bound: "quick" | "full"): readonly World[] {
  const deeds = bound === "quick" ? 1 : 2;
  const edits: Scene = { ...BASE, name: "edits", takesEdits: true, refuses: true };
  return [
    // The claims have grown; the template is to follow by re-creation, under each retention policy.
    begin({ ...BASE, name: "retain" }, 0, 2, deeds),
    begin({ ...BASE, name: "whenDeleted" }, 1, 2, deeds),
    begin({ ...BASE, name: "whenScaled" }, 2, 2, deeds),
    // The wish changes on the way.
    begin({ ...BASE, name: "second thoughts", people: ["wisher", "autoscaler", "gitops"] }, 1, 2, deeds),
    // A custom resource wants it, and its operator creates the set again, sooner or later or not at all.
    begin({ ...BASE, name: "operator", operator: true, people: ["operator", "autoscaler", "developer"] }, 1, 2, deeds),
    // Both loops at once, on disks that are full.
    begin({ ...BASE, name: "full disks", full: true, people: ["autoscaler", "gitops"] }, 1, 1, 1),
    // Pods make room for their volumes, while the set is to be re-created around them.
    begin({ ...BASE, name: "restarts", offline: true, people: ["autoscaler", "gitops"] }, 0, 1, deeds - 1),
    // The API server takes the edit; the storage may refuse.
    begin({ ...edits, people: ["wisher", "volume autoscaler", "claim deleter"] }, 0, 1, 2),
    begin({ ...edits, name: "one by one", oneByOne: true, people: ["wisher", "volume autoscaler"] }, 0, 1, 2),
  ];
}

/** Two replicas with templates data=1 and wal=1, a wish for data=2, and data claims of this size. */
function begin(scene: Scene, policy: Policy, data: number, budget: number): World {
  const owner = tiesToSet(policy) ? 1 : 0;
  const claims: World["claims"][number][] = [];
  for (const ordinal of ORDINALS) {
    for (const [template, size] of [data, 1].entries()) {
      claims[claimIndex(ordinal, template)] = {
        request: size,
        capacity: size,
        failed: false,
        deleting: false,
        inUse: false,
        owner,
      };
    }
  }
  return {
    set: {
      uid: 1,
      replicas: 2,
      image: 0,
      sizes: [1, 1],
      policy,
      suspended: 0,
      wish: scene.operator ? 0 : 2,
      ours: false,
      orphan: false,
      foreground: false,
      deleting: false,
      rollout: false,
      young: false,
    },
    record: { saved: undefined, guarded: false, deleting: false },
    claims,
    pods: ORDINALS.map(() => ({ owner: 1, held: false })),
    seen: { uid: 1, policy, replicas: 2 },
    us: { pending: undefined, checked: undefined },
    wanted: { replicas: 2, image: 0, policy, wish: 2 },
    killed: [],
    mayReturn: false,
    nextUid: 2,
    scene,
    budget,
    harm: "",
  };
}
