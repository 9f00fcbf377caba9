/**
 * One step about a template turned into one call. Every write names the uid and the version that the step was decided on;
 * `lost` means that it was refused for that, and everything has to be looked at again.
 */
import type { KubeObject, PersistentVolumeClaim, StatefulSet } from "../../core/types.ts";
import {
  CLAIMS,
  defineResource,
  isAlreadyExists,
  type KubeClient,
  KubeError,
  PODS,
  type Resource,
  refOf,
  STATEFUL_SETS,
  withPrecondition,
} from "../../kube/index.ts";
import { readDryRun } from "../decide/dry-run.ts";
import type { FollowStep } from "../decide/follow-template.ts";
import type { DryRun } from "../decide/holds.ts";
import { RECREATE_MANAGER } from "../decide/managed-fields.ts";
import { type Dependent, JOURNAL_FINALIZER } from "../decide/recreate-step.ts";
import { VOLUME_EXPANSIONS } from "../resource.ts";
import type { VolumeExpansion } from "../types.ts";
import { type Lost, unlessLost, writeChange } from "./writes.ts";

export const CONTROLLER_REVISIONS = defineResource("apps/v1", "ControllerRevision", "controllerrevisions");

/** What is written is handed on, so that the next look does not see the state before it. */
export interface Observers {
  readonly observeSet: (written: StatefulSet, before: string) => void;
  readonly observeRecord: (written: VolumeExpansion, before: string) => void;
  readonly observeClaim: (written: PersistentVolumeClaim, before: string) => void;
}

export interface CarryOutOptions {
  readonly client: KubeClient;
  /** The record as it was read with the rest; a step that writes to it is only ever decided when there is one. */
  readonly record: VolumeExpansion | undefined;
  readonly observers: Observers;
  readonly now: () => number;
}

/** `done`, `lost`, or what the API server said to a dry run. Rejects when nobody knows what has become of the call. */
export async function carryOut(
  step: DueStep,
  { client, record, observers, now }: CarryOutOptions,
  signal: AbortSignal,
): Promise<"done" | Lost | DryRun> {
  switch (step.kind) {
    case "forget-wish":
    case "hand-on-wish":
      return written(await writeChange(client, STATEFUL_SETS, step, {}, signal), step.before, observers.observeSet);
    case "patch-template":
    case "prepare":
    case "release":
    case "restore": {
      const answer = await writeChange(client, STATEFUL_SETS, step, { fieldManager: RECREATE_MANAGER }, signal);
      return written(answer, step.before, observers.observeSet);
    }
    case "hand-back": {
      const { before, managedFields } = step;
      const body = withPrecondition({ metadata: { managedFields } }, before);
      const options = { fieldManager: RECREATE_MANAGER };
      const answer = await unlessLost(
        client.patch(STATEFUL_SETS, refOf(before), { type: "merge", body }, options, signal),
      );
      return written(answer, before, observers.observeSet);
    }
    case "drop-reference": {
      const resource = RESOURCES[step.of];
      const answer = await writeChange(client, resource, step, { fieldManager: RECREATE_MANAGER }, signal);
      const observe = (claim: KubeObject, before: string): void =>
        step.of === "claim" ? observers.observeClaim(claim as PersistentVolumeClaim, before) : undefined;
      return written(answer, step.before, observe);
    }
    case "dry-run":
      return tryCreate(client, step.object, now, signal);
    case "delete": {
      const { propagationPolicy, preconditions } = step;
      const ref = nameOf(record);
      const answer = await unlessLost(client.delete(STATEFUL_SETS, ref, { propagationPolicy, preconditions }, signal));
      return answer === "lost" ? "lost" : "done";
    }
    case "create":
      try {
        await client.create(STATEFUL_SETS, step.object, { fieldManager: RECREATE_MANAGER }, signal);
        return "done";
      } catch (error) {
        if (isAlreadyExists(error)) return "lost";
        throw error;
      }
    case "guard":
    case "unguard":
    case "save":
    case "clear": {
      if (record === undefined) return "lost";
      const options = step.kind === "save" || step.kind === "clear" ? { subresource: "status" } : {};
      const change = { before: record, after: recordAfter(step, record) };
      const answer = await writeChange(client, VOLUME_EXPANSIONS, change, options, signal);
      return written(answer, record, observers.observeRecord);
    }
  }
}

/** A step that sends something. */
export type DueStep = Exclude<FollowStep, { kind: "nothing" | "wait" }>;

const RESOURCES: Readonly<Record<Dependent, Resource>> = {
  claim: CLAIMS,
  pod: PODS,
  revision: CONTROLLER_REVISIONS,
};

function written<T extends KubeObject>(
  answer: T | Lost,
  before: KubeObject,
  observe: (written: T, before: string) => void,
): "done" | Lost {
  if (answer === "lost") return "lost";
  observe(answer, before.metadata.resourceVersion ?? "");
  return "done";
}

function recordAfter(
  step: Extract<DueStep, { kind: "guard" | "unguard" | "save" | "clear" }>,
  record: VolumeExpansion,
): VolumeExpansion {
  const others = (record.metadata.finalizers ?? []).filter((finalizer) => finalizer !== JOURNAL_FINALIZER);
  switch (step.kind) {
    case "guard":
      return { ...record, metadata: { ...record.metadata, finalizers: [...others, JOURNAL_FINALIZER] } };
    case "unguard":
      return { ...record, metadata: { ...record.metadata, finalizers: others } };
    case "save":
      return { ...record, status: { ...record.status, savedStatefulSet: step.set } };
    case "clear": {
      const { savedStatefulSet: _, ...status } = record.status ?? {};
      return { ...record, status };
    }
  }
}

async function tryCreate(
  client: KubeClient,
  object: StatefulSet,
  now: () => number,
  signal: AbortSignal,
): Promise<DryRun> {
  const at = now();
  try {
    await client.create(STATEFUL_SETS, object, { dryRun: true, fieldManager: RECREATE_MANAGER }, signal);
    return { object, at, refusal: undefined };
  } catch (error) {
    if (!(error instanceof KubeError)) throw error;
    const verdict = readDryRun({ code: error.status, reason: error.reason, message: error.message });
    if (verdict.kind === "unknown") throw error;
    return { object, at, refusal: verdict.kind === "taken" ? undefined : verdict.message };
  }
}

/** The set has the name of its record. */
function nameOf(record: VolumeExpansion | undefined): {
  readonly namespace?: string | undefined;
  readonly name: string;
} {
  if (record === undefined) throw new TypeError("a set is deleted only while a record holds a copy of it");
  return refOf(record);
}
