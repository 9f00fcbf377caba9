/** What people are told: on the set, its claims and its record, once per change. */
import type { Condition, PersistentVolumeClaim, Pod, StatefulSet } from "../../core/types.ts";
import { CLAIMS, type EventRecorder, PODS, referenceTo, STATEFUL_SETS } from "../../kube/index.ts";
import type { Startable } from "../decide/rollout.ts";
import { VOLUME_EXPANSIONS } from "../resource.ts";
import type { VolumeExpansion, VolumeExpansionStatus } from "../types.ts";

/** Where people look to learn how far a growth is. */
export type Audience = { readonly record: VolumeExpansion } | { readonly set: StatefulSet };

export interface GrowthEvents {
  /** A claim was asked for another size. */
  asked(set: StatefulSet, claim: PersistentVolumeClaim, plan: Startable): void;
  /** The API server did not let it. */
  refused(set: StatefulSet, plan: Startable, message: string): void;
  evicted(set: StatefulSet, pod: Pod): void;
  /** What a record says has changed; tells what is new about it, on the record itself or on its set. */
  told(on: Audience, status: VolumeExpansionStatus | undefined, before: VolumeExpansionStatus | undefined): void;
}

export function createGrowthEvents(recorder: Pick<EventRecorder, "event">): GrowthEvents {
  return {
    asked(set, claim, { from, to, kind }) {
      const verb = kind === "grow" ? "raised" : "lowered";
      const message = `request ${verb} from ${from} to ${to}, as StatefulSet ${set.metadata.name} wants it`;
      recorder.event(referenceTo(CLAIMS, claim), "Normal", kind === "grow" ? "Growing" : "Recovering", message);
    },
    refused(set, { name, uid, to }, message) {
      const claim = { metadata: { ...set.metadata, name, uid } };
      recorder.event(referenceTo(CLAIMS, claim), "Warning", "GrowthRefused", `${to} was refused: ${message}`);
    },
    evicted(set, pod) {
      const message = `evicted so that its volumes can grow, as VolumeExpansion ${set.metadata.name} asks for`;
      recorder.event(referenceTo(PODS, pod), "Normal", "RestartingPods", message);
    },
    told(on, status, before) {
      const now = verdictOf(status);
      if (now === undefined || isSame(verdictOf(before), now)) return;
      const about = "set" in on ? referenceTo(STATEFUL_SETS, on.set) : referenceTo(VOLUME_EXPANSIONS, on.record);
      recorder.event(about, now.stalled ? "Warning" : "Normal", now.reason, now.message);
    },
  };
}

interface Verdict {
  readonly reason: string;
  readonly message: string;
  readonly stalled: boolean;
}

function verdictOf(status: VolumeExpansionStatus | undefined): Verdict | undefined {
  const find = (type: string): Condition | undefined => status?.conditions?.find((each) => each.type === type);
  const { reason, message } = find("Ready") ?? {};
  if (reason === undefined || message === undefined) return undefined;
  return { reason, message, stalled: find("Stalled")?.status === "True" };
}

/** Progress within the same stage is for the record; where somebody has to act, each new reason counts. */
function isSame(before: Verdict | undefined, now: Verdict): boolean {
  if (before?.reason !== now.reason || before.stalled !== now.stalled) return false;
  return !now.stalled || withoutCount(before.message) === withoutCount(now.message);
}

/** How many claims have their size changes all the time, and is nothing to act on. */
function withoutCount(message: string): string {
  return message.replace(/\d+ of \d+ claims/, "");
}
