/** What a StatefulSet tells people, in the words of kube-controller-manager (stateful_pod_control.go). */
import { messageOf } from "../../../../core/errors.ts";
import type { StatefulSet } from "../../../../core/types.ts";
import { type EventRecorder, KubeError, referenceTo, STATEFUL_SETS } from "../../../../kube/index.ts";

export type EventVerb = "create" | "update" | "delete";

export interface SetEvents {
  /** A pod was created, updated or deleted; with an error: was not. */
  pod(set: StatefulSet, verb: EventVerb, pod: string, error?: unknown): void;
  /** The same for a claim of a pod. */
  claim(set: StatefulSet, verb: EventVerb, claim: string, pod: string, error?: unknown): void;
  /** The retention policy is ignored for a claim, because another controller owns it. */
  conflictingController(set: StatefulSet, claim: string): void;
}

const TITLES: Readonly<Record<EventVerb, string>> = { create: "Create", update: "Update", delete: "Delete" };

export function setEvents(recorder: Pick<EventRecorder, "event">): SetEvents {
  function tell(set: StatefulSet, verb: EventVerb, message: string, error: unknown): void {
    const type = error === undefined ? "Normal" : "Warning";
    const reason = `${error === undefined ? "Successful" : "Failed"}${TITLES[verb]}`;
    recorder.event(referenceTo(STATEFUL_SETS, set), type, reason, message);
  }

  return {
    pod(set, verb, pod, error) {
      const what = `${TITLES[verb]} Pod ${pod} in StatefulSet ${set.metadata.name}`;
      tell(set, verb, error === undefined ? `${what} successful` : `${what} failed error: ${wordsOf(error)}`, error);
    },
    claim(set, verb, claim, pod, error) {
      const { name } = set.metadata;
      const message =
        error === undefined
          ? `${TITLES[verb]} Claim ${claim} Pod ${pod} in StatefulSet ${name} success`
          : `${TITLES[verb]} Claim ${claim} for Pod ${pod} in StatefulSet ${name} failed error: ${wordsOf(error)}`;
      tell(set, verb, message, error);
    },
    conflictingController(set, claim) {
      // Spelled as upstream spells it.
      const message = `PersistentVolumeClaim ${claim} has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim`;
      recorder.event(referenceTo(STATEFUL_SETS, set), "Warning", "ConflictingController", message);
    },
  };
}

/** What the API server said, without our own words about what was being done: the event says that already. */
export function wordsOf(error: unknown): string {
  const message = messageOf(error);
  return error instanceof KubeError && error.status !== 0 ? message.replace(/^[^:]*: /, "") : message;
}
