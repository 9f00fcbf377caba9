/** What people are told about a custom resource, once per change. */
import type { KubeObject } from "../../core/types.ts";
import { CLAIMS, type EventRecorder, type Resource, referenceTo } from "../../kube/index.ts";
import type { Startable } from "../../statefulset/decide/rollout.ts";
import type { Outcome } from "../decide/outcome.ts";

export interface SourceEvents {
  /** How growing through it stands has changed. */
  told(resource: Resource, object: KubeObject, outcome: Outcome): void;
  /** A claim that follows it by label was asked for another size. */
  asked(claim: KubeObject, plan: Startable, object: KubeObject): void;
}

const WORDS = {
  resized: { type: "Normal", reason: "VolumeResized" },
  growing: { type: "Normal", reason: "VolumeResizing" },
  invalid: { type: "Warning", reason: "VolumeResizeFailed" },
  failed: { type: "Warning", reason: "VolumeResizeFailed" },
} as const satisfies Record<Outcome["kind"], { type: string; reason: string }>;

export function createSourceEvents(recorder: Pick<EventRecorder, "event">): SourceEvents {
  return {
    told(resource, object, { kind, message }) {
      const { type, reason } = WORDS[kind];
      recorder.event(referenceTo(resource, object), type, reason, message);
    },
    asked(claim, { kind, from, to }, { kind: whose, metadata }) {
      const [verb, reason] = kind === "grow" ? ["raised", "Growing"] : ["lowered", "Recovering"];
      const message = `request ${verb} from ${from} to ${to}, as ${whose} ${metadata.name} wants it`;
      recorder.event(referenceTo(CLAIMS, claim), "Normal", reason, message);
    },
  };
}
