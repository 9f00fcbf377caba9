/** What our process does, split at every call: it looks and decides, the call arrives, or it dies in between. */
import { storageClasses } from "../../../src/admission/storage-classes.ts";
import { DEFAULT_GATES } from "../../../src/core/gates.ts";
import { Quantity } from "../../../src/core/quantity.ts";
import type { StatefulSet } from "../../../src/core/types.ts";
import type { Wish } from "../../../src/core/wish.ts";
import { claimsOf } from "../../../src/statefulset/decide/claim-ownership.ts";
import { desiredSizes } from "../../../src/statefulset/decide/desired-sizes.ts";
import type { ClaimPlan } from "../../../src/statefulset/decide/plan-claims.ts";
import { podsOf } from "../../../src/statefulset/decide/references.ts";
import { heldPods, isRestarting, type RestartStep } from "../../../src/statefulset/decide/restart-step.ts";
import type { Move } from "../explore.ts";
import { type Call, callOf, execute, indexOf, tell, templateCall } from "./calls.ts";
import { A_MINUTE_LATER, claimObjects, createdObject, NOW, podObjects, savedObject, setObject } from "./objects.ts";
import type { StatefulSetRules } from "./rules.ts";
import { claimsKey, podsKey, savedKey, setKey, specKey, type World } from "./world.ts";

const CLASSES = storageClasses([
  { metadata: { name: "fast" }, provisioner: "csi.example.com", allowVolumeExpansion: true },
]);

/** Before these, nobody may ask a cache (recreate-step.ts). */
const DECIDED_ON_FRESH_READS: ReadonlySet<Call["kind"]> = new Set(["delete", "release", "create", "clear"]);

/** Nothing that others do matters between deciding and doing these. */
const AT_ONCE: ReadonlySet<Call["kind"]> = new Set(["dry-run", "guard"]);

export class OurMoves {
  readonly #rules: StatefulSetRules;
  readonly #lags: boolean;
  readonly #calls: Call[] = [];
  readonly #numbers = new Map<string, number>();
  /** The rules, asked only once about the same things. */
  readonly #grow: (world: World) => readonly number[];
  readonly #restart: (world: World) => readonly number[];
  readonly #follow: (world: World) => readonly number[];

  /** `lags`: a call may be sent again by a process whose cache does not show yet that it was made. */
  constructor(rules: StatefulSetRules, lags: boolean) {
    this.#rules = rules;
    this.#lags = lags;
    this.#grow = memoize(growthKey, (world) => this.#decideGrowth(world).map((call) => this.#numberOf(call)));
    this.#restart = memoize(templateKey, (world) => this.#decideRestart(world).map((call) => this.#numberOf(call)));
    this.#follow = memoize(templateKey, (world) => this.#decideTemplate(world).map((call) => this.#numberOf(call)));
  }

  *moves(world: World): Iterable<Move<World>> {
    const { pending, checked } = world.us;
    if (pending !== undefined || checked !== undefined) {
      const next = { ...world, us: { pending: undefined, checked: undefined } };
      yield { label: "our process dies and starts again", fair: false, next };
    }
    if (pending === undefined) {
      for (const number of this.decide(world)) {
        if (AT_ONCE.has((this.#calls[number] as Call).kind)) {
          yield this.#carryOut(number, world);
          continue;
        }
        const next = { ...world, us: { ...world.us, pending: number } };
        yield { label: `we decide to ${this.#tell(number)}`, fair: true, next };
      }
      return;
    }
    const done = this.#carryOut(pending, world);
    yield done;
    if (this.#lags && !DECIDED_ON_FRESH_READS.has((this.#calls[pending] as Call).kind)) {
      const next = { ...done.next, us: { ...done.next.us, pending } };
      yield { label: `${done.label}, and our cache does not show it yet`, fair: false, next };
    }
  }

  #carryOut(number: number, world: World): Move<World> {
    const after = execute(this.#calls[number] as Call, world);
    const label = `we ${this.#tell(number)}${after === world ? ", which is refused" : ""}`;
    return { label, fair: true, next: { ...after, us: { ...after.us, pending: undefined } } };
  }

  /** The calls that are due now, by number: a request, a restart, and one about the template, at most. */
  decide(world: World): readonly number[] {
    return [...this.#grow(world), ...(world.scene.offline ? this.#restart(world) : []), ...this.#follow(world)];
  }

  #decideGrowth(world: World): Call[] {
    const subject = subjectOf(world);
    if (subject === undefined) return [];
    const plans = this.#plan(subject, world);
    const [first] = this.#rules.rolloutStep(plans, { mode: world.scene.oneByOne ? "OneByOne" : "Parallel" }).start;
    if (first === undefined) return [];
    return [
      {
        kind: "patch-claim",
        index: indexOf(first.name),
        version: first.resourceVersion,
        from: sizeOf(first.from),
        to: sizeOf(first.to),
      },
    ];
  }

  #plan(set: StatefulSet, world: World): readonly ClaimPlan[] {
    return this.#rules.planClaims({
      set,
      desired: desiredSizes(set, resourceWish(world)),
      claims: claimObjects(world),
      classes: CLASSES,
      gates: DEFAULT_GATES,
      beyondReplicas: false,
    });
  }

  #decideRestart(world: World): Call[] {
    const step = this.#restartStep(world);
    switch (step.kind) {
      case "nothing":
      case "wait":
        return [];
      case "evict":
        return [{ kind: "evict", ordinal: indexOf(step.pod.metadata.name) }];
      case "let-go":
        return [{ kind: "let-go", ordinals: step.pods.map(({ metadata }) => indexOf(metadata.name)) }];
    }
  }

  /** As the first loop of the controller goes about it: a set that somebody else deletes is left in peace. */
  #restartStep(world: World): RestartStep {
    const [subject, pods] = [subjectOf(world), podObjects(world)];
    const isLeft = world.set?.deleting === true && world.record.saved === undefined;
    if (subject === undefined || isLeft) {
      const held = heldPods(pods);
      return held.length > 0 ? { kind: "let-go", pods: held } : { kind: "nothing" };
    }
    return this.#rules.restartStep({
      set: subject,
      plans: this.#plan(subject, world),
      claims: claimObjects(world),
      pods: podsOf(subject, pods),
      mode: "WhenNeeded",
      now: NOW,
    });
  }

  #decideTemplate(world: World): Call[] {
    const { record, scene, us } = world;
    const set = world.set && setObject(world.set, world);
    const saved = record.saved && savedObject(record.saved);
    const [claims, pods] = [claimObjects(world), podObjects(world)];
    const dryRun = us.checked && { object: createdObject(us.checked), at: NOW, refusal: undefined };
    const way =
      set &&
      this.#rules.templateWay({
        set,
        desired: desiredSizes(set, resourceWish(world)),
        claims: claimsOf(set, claims).owned,
        pods: podsOf(set, pods),
        takesEdits: scene.takesEdits,
        restarting: scene.offline && isRestarting(this.#restartStep(world)),
        dryRun,
        gates: DEFAULT_GATES,
        evenIfOwned: false,
        now: NOW,
      });
    if (way?.kind === "patch") return [templateCall(way)];
    const step = this.#rules.recreateStep({
      set,
      record: { saved, guarded: record.guarded, deleting: record.deleting },
      claims,
      pods,
      revisions: [],
      way,
      dryRun,
      wish: resourceWish(world),
      recreatedBy: scene.operator ? "Operator" : "Outgrow",
      markedAt: undefined,
      now: A_MINUTE_LATER,
      namespaceDeleting: false,
    });
    const call = callOf(step, world);
    return call === undefined ? [] : [call];
  }

  #numberOf(call: Call): number {
    const key = JSON.stringify(call);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.#calls.length);
    return this.#calls.push(call) - 1;
  }

  #tell(number: number): string {
    return tell(this.#calls[number] as Call);
  }
}

/** What grows: the set, or the saved one while it is gone. */
function subjectOf(world: World): StatefulSet | undefined {
  const { set, record } = world;
  return (set && setObject(set, world)) ?? (record.saved && savedObject(record.saved));
}

/** What a custom resource wants, where the scene has one. */
function resourceWish({ scene, wanted }: World): Wish | undefined {
  return scene.operator ? new Map([["data", Quantity.parse(`${wanted.wish}Gi`)]]) : undefined;
}

/** Everything that the growth of claims may depend on. */
function growthKey(world: World): string {
  const { set, record, scene } = world;
  const subject = set === undefined ? savedKey(record) : specKey(set);
  return `${scene.name} ${subject} ${claimsKey(world)} ${scene.full ? `${podsKey(world)} ${set?.uid}` : ""}`;
}

/** Everything that bringing the template along may depend on. */
function templateKey(world: World): string {
  const { set, record, seen, us, scene } = world;
  const checked = us.checked === undefined ? "" : specKey(us.checked);
  const view = `${seen.uid}${seen.policy}${seen.replicas}`;
  return `${scene.takesEdits} ${scene.operator} ${scene.offline} ${setKey(set)} ${savedKey(record)} ${record.guarded} ${record.deleting} ${claimsKey(world)} ${podsKey(world)} ${view} ${checked}`;
}

function memoize<T>(keyOf: (world: World) => string, decide: (world: World) => T): (world: World) => T {
  const known = new Map<string, T>();
  return (world) => {
    const key = keyOf(world);
    let decision = known.get(key);
    if (decision === undefined) {
      decision = decide(world);
      known.set(key, decision);
    }
    return decision;
  };
}

const GIB = 1n << 30n;

function sizeOf(size: Quantity): number {
  return Number(size.toBytes() / GIB);
}
