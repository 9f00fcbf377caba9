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
  "wisher",
];

const BASE: Scene = { name: "", takesEdits: false, oneByOne: false, full: false, refuses: false, people: EVERYBODY };

export function initialWorlds(bound: "quick" | "full"): readonly World[] {
  const budget = bound === "quick" ? 1 : 2;
  return [
    // The claims have grown; the template is to follow by re-creation, under each retention policy.
    begin({ ...BASE, name: "retain" }, 0, 2, budget),
    begin({ ...BASE, name: "whenDeleted" }, 1, 2, budget),
    begin({ ...BASE, name: "whenScaled" }, 2, 2, budget),
    // Both loops at once, disks full.
    begin({ ...BASE, name: "both", full: true, people: ["autoscaler", "gitops", "wisher"] }, 1, 1, 1),
    // The API server takes the edit; the storage may refuse.
    begin(
      {
        ...BASE,
        name: "edits",
        takesEdits: true,
        refuses: true,
        people: ["wisher", "volume autoscaler", "claim deleter"],
      },
      0,
      1,
      budget,
    ),
    begin(
      { ...BASE, name: "one by one", takesEdits: true, refuses: true, oneByOne: true, people: ["wisher"] },
      0,
      1,
      budget,
    ),
  ];
}

/** Two replicas with templates data=1 and wal=1, a wish for data=2, and data claims of this size. */
function begin(scene: Scene, policy: Policy, data: number, budget: number): World {
  const owner = tiesToSet(policy) ? 1 : 0;
  const claims: World["claims"][number][] = [];
  for (const ordinal of ORDINALS) {
    for (const [template, size] of [data, 1].entries()) {
      claims[claimIndex(ordinal, template)] = { request: size, capacity: size, failed: false, deleting: false, owner };
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
      wish: 2,
      ours: false,
      orphan: false,
      foreground: false,
      deleting: false,
      rollout: false,
      young: false,
    },
    record: { saved: undefined, guarded: false, deleting: false },
    claims,
    pods: ORDINALS.map(() => ({ owner: 1 })),
    seen: { uid: 1, policy, replicas: 2 },
    us: { pending: undefined, checked: undefined },
    wanted: { replicas: 2, image: 0, policy },
    killed: [],
    mayReturn: false,
    nextUid: 2,
    scene,
    budget,
    harm: "",
  };
}
