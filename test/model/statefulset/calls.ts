/** Every call that we may send, in the numbers of the world, and what the API server makes of it. */
import type { StatefulSet } from "../../../src/core/types.ts";
import type { Dependent, RecreateStep, SetChangeKind } from "../../../src/statefulset/decide/recreate-step.ts";
import { RECREATE_FINALIZER } from "../../../src/statefulset/decide/saved-set.ts";
import type { TemplateWay } from "../../../src/statefulset/decide/template-way.ts";
import { withoutPod } from "./cluster-moves.ts";
import { ownerUid, readSpec } from "./objects.ts";
import {
  changeSet,
  claimIndex,
  claimKey,
  claimName,
  harmed,
  ordinalOf,
  type RecordState,
  type SavedSet,
  type SetSpec,
  savedKey,
  setKey,
  TEMPLATES,
  type World,
  withClaim,
} from "./world.ts";

export type Call =
  | {
      readonly kind: "patch-claim";
      readonly index: number;
      readonly version: string;
      readonly from: number;
      readonly to: number;
    }
  | { readonly kind: "evict"; readonly ordinal: number }
  | { readonly kind: "let-go"; readonly ordinals: readonly number[] }
  | {
      readonly kind: "patch-template" | SetChangeKind | "hand-on-wish";
      readonly version: string;
      /** What differs; nothing else is sent. */
      readonly change: Partial<SetSpec> & { readonly ours?: boolean };
    }
  | { readonly kind: "drop-reference"; readonly of: Dependent; readonly index: number; readonly uid: string }
  | { readonly kind: "dry-run" | "create"; readonly spec: SetSpec; readonly ours: boolean }
  | { readonly kind: "guard" | "unguard" | "clear"; readonly record: string }
  | { readonly kind: "save"; readonly record: string; readonly set: SavedSet }
  | {
      readonly kind: "delete";
      readonly uid: string | undefined;
      readonly version: string | undefined;
      readonly propagation: string;
    };

/** What a step of the re-creation sends; undefined where it sends nothing. */
export function callOf(step: RecreateStep, world: World): Call | undefined {
  switch (step.kind) {
    case "nothing":
    case "wait":
    case "hand-back": // the model has no managed fields
      return undefined;
    case "prepare":
    case "release":
    case "restore":
    case "hand-on-wish":
      return changeCall(step.kind, step);
    case "drop-reference":
      return {
        kind: step.kind,
        of: step.of,
        index: indexOf(step.before.metadata.name),
        uid: step.before.metadata.ownerReferences?.[0]?.uid ?? "",
      };
    case "dry-run":
    case "create":
      return { kind: step.kind, spec: readSpec(step.object), ours: isOurs(step.object) };
    case "guard":
    case "unguard":
    case "clear":
      return { kind: step.kind, record: recordKey(world.record) };
    case "save":
      return { kind: "save", record: recordKey(world.record), set: savedOf(step.set) };
    case "delete":
      return {
        kind: "delete",
        uid: step.preconditions.uid,
        version: step.preconditions.resourceVersion,
        propagation: step.propagationPolicy,
      };
  }
}

export function templateCall(way: Extract<TemplateWay, { kind: "patch" }>): Call {
  return changeCall("patch-template", way);
}

function changeCall(
  kind: "patch-template" | SetChangeKind | "hand-on-wish",
  { before, after }: Pick<Extract<TemplateWay, { kind: "patch" }>, "before" | "after">,
): Call {
  const [old, now] = [before, after].map((set) => ({ ...readSpec(set), ours: isOurs(set) }));
  const differing = Object.entries(now ?? {}).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(old?.[field as keyof typeof old]),
  );
  return { kind, version: before.metadata.resourceVersion ?? "", change: Object.fromEntries(differing) };
}

function isOurs(set: StatefulSet): boolean {
  return set.metadata.finalizers?.includes(RECREATE_FINALIZER) === true;
}

/** The world after the call. One that is refused changes nothing. */
export function execute(call: Call, world: World): World {
  const { set, record } = world;
  switch (call.kind) {
    case "patch-claim": {
      const claim = world.claims[call.index];
      if (claim === undefined || claimKey(claim) !== call.version) return world;
      if (call.to < claim.request && call.to <= claim.capacity) return world; // the API server's own rule
      return withClaim(world, call.index, { ...claim, request: call.to, failed: false, inUse: false });
    }
    case "evict": {
      const pod = world.pods[call.ordinal];
      if (pod === undefined || pod.held) return world;
      const next = { ...world, pods: world.pods.with(call.ordinal, { ...pod, held: true }) };
      return set?.ours === true ? harmed(next, "a pod was stopped in the middle of a re-creation") : next;
    }
    case "let-go":
      return call.ordinals.reduce(
        (next, ordinal) => (next.pods[ordinal]?.held === true ? withoutPod(next, ordinal) : next),
        world,
      );
    case "patch-template":
    case "prepare":
    case "release":
    case "restore":
    case "hand-on-wish": {
      if (set === undefined || setKey(set) !== call.version) return world;
      const next = changeSet(world, call.change);
      const early = call.kind === "restore" && (call.change.policy ?? 0) !== 0 && !isAdopted(world);
      return early ? harmed(next, "the retention policy came back before the set had adopted its pods") : next;
    }
    case "drop-reference":
      return dropReference(call, world);
    case "dry-run":
      return { ...world, us: { ...world.us, checked: call.spec } };
    case "guard":
      return recordKey(record) === call.record ? { ...world, record: { ...record, guarded: true } } : world;
    case "unguard":
      if (recordKey(record) !== call.record) return world;
      return {
        ...world,
        record: { ...record, guarded: false, ...(record.deleting && { deleting: false, saved: undefined }) },
      };
    case "clear":
      return recordKey(record) === call.record ? { ...world, record: { ...record, saved: undefined } } : world;
    case "save": {
      if (recordKey(record) !== call.record) return world;
      // Deleted by somebody while the journal was on its way: from here on that looks like our own deletion.
      const mayReturn = world.mayReturn || world.killed.includes(call.set.uid);
      return { ...world, record: { ...record, saved: call.set }, mayReturn };
    }
    case "delete": {
      if (set === undefined || (call.uid ?? `set-${set.uid}`) !== `set-${set.uid}`) return world;
      if (call.version !== undefined && call.version !== setKey(set)) return world;
      const next = changeSet(world, { deleting: true, orphan: call.propagation === "Orphan" });
      if (set.rollout) return harmed(next, "the set was deleted in the middle of an update of its pods");
      const isRestarting = world.pods.some((pod) => pod?.held === true);
      return isRestarting ? harmed(next, "the set was deleted in the middle of a restart of its pods") : next;
    }
    case "create": {
      if (set !== undefined) return world;
      const next = { ...withNewSet(world, call.spec, call.ours), mayReturn: false };
      const gone = world.killed.includes(world.nextUid - 1) && !world.mayReturn;
      return gone ? harmed(next, "a set that somebody deleted is back") : next;
    }
  }
}

/** A set is created, by whomever. */
export function withNewSet(world: World, spec: SetSpec, ours: boolean): World {
  const marks = { ours, orphan: false, foreground: false, deleting: false, rollout: false, young: true };
  return { ...world, set: { ...spec, ...marks, uid: world.nextUid }, nextUid: world.nextUid + 1 };
}

function isAdopted({ set, pods }: World): boolean {
  return pods.every((pod) => pod === undefined || pod.owner === set?.uid);
}

function dropReference(call: Extract<Call, { kind: "drop-reference" }>, world: World): World {
  if (call.of === "pod") {
    const pod = world.pods[call.index];
    if (pod === undefined || `set-${pod.owner}` !== call.uid) return world;
    return { ...world, pods: world.pods.with(call.index, { ...pod, owner: 0 }) };
  }
  const claim = world.claims[call.index];
  if (claim === undefined || ownerUid(claim.owner, ordinalOf(call.index)) !== call.uid) return world;
  return withClaim(world, call.index, { ...claim, owner: 0 });
}

/** `data-db-1` or `db-1` to its place. */
export function indexOf(name: string): number {
  const ordinal = Number(name.slice(-1));
  const template = TEMPLATES.findIndex((each) => name.startsWith(`${each}-`));
  return template < 0 ? ordinal : claimIndex(ordinal, template);
}

function savedOf(set: StatefulSet): SavedSet {
  return { ...readSpec(set), uid: uidOf(set), going: set.metadata.deletionTimestamp !== undefined };
}

function uidOf(set: { metadata: { uid?: string } }): number {
  return Number(set.metadata.uid?.slice("set-".length));
}

function recordKey(record: RecordState): string {
  return `${savedKey(record)} ${record.guarded} ${record.deleting}`;
}

/** One sentence of the story. */
export function tell(call: Call): string {
  switch (call.kind) {
    case "patch-claim":
      return `ask ${claimName(call.index)} for ${call.to} instead of ${call.from}`;
    case "evict":
      return `evict db-${call.ordinal}, so that its volumes can grow`;
    case "let-go":
      return `let ${call.ordinals.map((ordinal) => `db-${ordinal}`).join(" and ")} go`;
    case "patch-template":
      return "patch the template";
    case "prepare":
      return `${call.change.policy === undefined ? "" : "suspend the retention policy and "}put our finalizer on the set`;
    case "release":
      return "let the set go";
    case "restore":
      return `${call.change.policy === undefined ? "" : "put the retention policy back and "}take our finalizer off the set`;
    case "hand-on-wish":
      return "carry the wish over to the new set";
    case "drop-reference":
      return `untie ${call.of === "pod" ? `db-${call.index}` : claimName(call.index)} from ${call.uid}`;
    case "dry-run":
      return "try out whether the set could be created again";
    case "create":
      return `create the set from the journal with ${call.spec.replicas} replicas`;
    case "guard":
      return "put a finalizer on the record";
    case "unguard":
      return "take the finalizer off the record";
    case "clear":
      return "clear the journal";
    case "save":
      return `save the set with ${call.set.replicas} replicas in the journal`;
    case "delete":
      return `delete the set (${call.propagation})`;
  }
}
