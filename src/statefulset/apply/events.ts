/** What people are told: on the set, its claims and its record, once per change. */
import type { Condition, PersistentVolumeClaim, Pod, StatefulSet } from "../../core/types.ts";
import { CLAIMS, type EventRecorder, PODS, referenceTo, STATEFUL_SETS } from "../../kube/index.ts";
import type { Startable } from "../decide/rollout.ts";
import { VOLUME_EXPANSIONS } from "../resource.ts";
import type { VolumeExpansion, VolumeExpansionStatus } from "../types.ts";

export interface GrowthEvents {
  /** A claim was asked for another size. */
  asked(set: StatefulSet, claim: PersistentVolumeClaim, plan: Startable): void;
  /** The API server did not let it. */
  refused(set: StatefulSet, plan: Startable, message: string): void;
  evicted(set: StatefulSet, pod: Pod): void;
  /** What the record says has changed; tells what is new about it. */
  told(record: VolumeExpansion, set: StatefulSet | undefined, before: VolumeExpansionStatus | undefined): void;
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
    told(record, set, before) {
      const now = verdictOf(record.status);
      if (now === undefined || isSame(verdictOf(before), now)) return;
      const type = now.stalled ? "Warning" : "Normal";
      recorder.event(referenceTo(VOLUME_EXPANSIONS, record), type, now.reason, now.message);
      if (set !== undefined) recorder.event(referenceTo(STATEFUL_SETS, set), type, now.reason, now.message);
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
