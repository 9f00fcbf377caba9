/**
 * The second loop: the template of a set is brought to its size, call by call, and whatever a re-creation has left half-way
 * is finished. The caches only tell whether something is due. What is done is decided on what was read just now; and
 * before a call that cannot be taken back, all that refers to the set is read as well.
 */

import { messageOf } from "../../core/errors.ts";
import { isInvalid, type KubeClient, type Logger, type Outcome, refOfKey } from "../../kube/index.ts";
import { type CarryOutOptions, carryOut, type DueStep } from "../apply/carry-out.ts";
import { isNamespaceGoing, readDependents, readSet } from "../apply/read-fresh.ts";
import { createRecord } from "../apply/record.ts";
import { tryEdit } from "../apply/try-edit.ts";
import {
  type FollowFacts,
  type Following,
  type FollowStep,
  followTemplate,
  wanted,
} from "../decide/follow-template.ts";
import { afterStep } from "../decide/taken-back.ts";
import type { TemplateSizes } from "../decide/template-target.ts";
import type { TemplateWay } from "../decide/template-way.ts";
import type { Memory } from "./memory.ts";
import type { Observed } from "./observe.ts";

export interface TemplateLoopOptions {
  readonly client: KubeClient;
  /** Ends the calls that are under way. */
  readonly giveUp: AbortSignal;
  readonly observers: CarryOutOptions["observers"];
  readonly memory: Memory;
  readonly observe: (key: string) => Observed;
  /** Something was found out that the record should tell. */
  readonly onNews: (key: string) => void;
  readonly logger: Logger;
  readonly now: () => number;
}

/** A re-creation is some fifteen calls; more in one go means that somebody undoes them. */
const MOST_CALLS = 30;
/** Somebody else was faster: the watch brings what they did, soon. In milliseconds. */
const SOON = 200;

/** Before these, no cache is asked about anything (decide/recreate-step.ts). */
const ON_FRESH_READS_ONLY: ReadonlySet<FollowStep["kind"]> = new Set(["delete", "release", "create", "clear"]);

export function createTemplateLoop(options: TemplateLoopOptions) {
  const { client, giveUp, observers, memory, observe, onNews, logger, now } = options;

  return async function follow(key: string, stop: AbortSignal): Promise<Outcome> {
    try {
      const outcome = await callByCall(key, stop);
      note(key, undefined);
      return outcome;
    } catch (error) {
      if (!stop.aborted) note(key, messageOf(error));
      throw error;
    }
  };

  async function callByCall(key: string, stop: AbortSignal): Promise<Outcome> {
    for (let calls = 0; calls < MOST_CALLS && !stop.aborted; calls++) {
      const seen = observe(key);
      const { way } = seen.following;
      if (mustFindOut(seen) && isChanging(way)) {
        if (!(await findOutAboutEdits(key, way.sizes))) return { after: SOON };
        continue;
      }
      const notes = memory.of(key);
      if (!isDue(seen.following.step)) {
        if (notes.looked !== undefined) onNews(key);
        notes.looked = undefined;
        return lookAgain(seen.following);
      }
      const { facts, following } = await lookAfresh(seen);
      if (isOvertaken(seen, facts)) return { after: SOON };
      const { step } = following;
      notes.looked = isDue(step) ? undefined : { version: facts.set?.metadata.resourceVersion, following };
      onNews(key);
      if (!isDue(step)) return lookAgain(following);
      const subject = facts.set ?? facts.record?.status?.savedStatefulSet;
      if (facts.record === undefined && subject !== undefined && needsRecord(step)) {
        await createRecord(client, subject, wanted(subject, undefined), giveUp);
        continue;
      }
      logger.info({ set: key, step: step.kind }, "brings the template along");
      const answer = await carryOut(step, { client, record: facts.record, observers, now }, giveUp).catch((error) => {
        // What was found out about this API server may no longer hold: it was replaced, or is one of several.
        if (step.kind === "patch-template" && isInvalid(error)) memory.noteEdits(undefined);
        throw error;
      });
      if (answer === "lost") return { after: SOON };
      if (answer !== "done") notes.dryRun = answer;
      const sizes = isChanging(following.way) ? following.way.sizes : new Map();
      notes.tries = afterStep(notes.tries, {
        kind: step.kind,
        uid: facts.set?.metadata.uid ?? "",
        sizes,
        now: now(),
      });
    }
    return { after: SOON };
  }

  /** Whether the API server takes edits matters, and is not known. */
  function mustFindOut({ facts }: Observed): boolean {
    return memory.takesEdits() === undefined && facts.editRefusal === undefined && !facts.growthRefused;
  }

  /** The record and the set as they are; and, before a call that cannot be taken back, what refers to the set. */
  async function lookAfresh({
    key,
    facts: seen,
  }: Observed): Promise<{ readonly facts: FollowFacts; readonly following: Following }> {
    const { dryRun, tries } = memory.of(key);
    const fresh = await readSet(client, refOfKey(key), giveUp);
    const facts: FollowFacts = { ...seen, ...fresh, dryRun, tries, now: now() };
    const following = followTemplate(facts);
    const subject = facts.set ?? facts.record?.status?.savedStatefulSet;
    if (subject === undefined || !ON_FRESH_READS_ONLY.has(following.step.kind)) return { facts, following };

    const { namespace = "default" } = subject.metadata;
    const dependents = await readDependents(client, subject, seen, giveUp);
    const namespaceDeleting = facts.set === undefined && (await isNamespaceGoing(client, namespace, giveUp));
    const all: FollowFacts = { ...facts, ...dependents, namespaceDeleting, now: now() };
    return { facts: all, following: followTemplate(all) };
  }

  /** False: that could not be found out now. */
  async function findOutAboutEdits(key: string, sizes: TemplateSizes): Promise<boolean> {
    const { set } = await readSet(client, refOfKey(key), giveUp);
    const answer = set === undefined ? ({ kind: "lost" } as const) : await tryEdit(client, set, sizes, giveUp);
    switch (answer.kind) {
      case "lost":
        return false;
      case "taken":
      case "immutable":
        memory.noteEdits(answer.kind === "taken");
        logger.info({ taken: answer.kind === "taken" }, "found out whether the API server takes edits of templates");
        return true;
      case "refused":
        memory.of(key).editRefusal = { message: answer.message, at: now() };
        onNews(key);
        return true;
    }
  }

  function lookAgain({ way, step }: Following): Outcome {
    const waits = [
      ...(way?.kind === "wait" ? way.holds.map((hold) => hold.lookAgain) : []),
      ...(step.kind === "wait" ? [step.lookAgain] : []),
    ];
    const moments = waits.flatMap((wait) => ("at" in wait ? [wait.at] : []));
    return moments.length === 0 ? undefined : { after: Math.max(0, Math.min(...moments) - now()) };
  }

  function note(key: string, problem: string | undefined): void {
    const notes = memory.of(key);
    if (notes.problem === problem) return;
    notes.problem = problem;
    onNews(key);
  }
}

function isDue(step: FollowStep): step is DueStep {
  return step.kind !== "nothing" && step.kind !== "wait";
}

/**
 * Somebody has asked for other sizes, or another order, since the caches were filled. What they say about the claims (which of
 * them are held back, whether the growth is refused) is about something else then, and the template must not run ahead.
 */
function isOvertaken(seen: Observed, { set, record }: FollowFacts): boolean {
  const sizes = (of: Observed["set"]) =>
    of === undefined ? [] : wanted(of, record).map(({ template, size }) => [template, size]);
  if (seen.set !== undefined && set !== undefined && String(sizes(seen.set)) !== String(sizes(set))) return true;
  return record?.metadata.generation !== seen.record?.metadata.generation;
}

/** The journal is kept in it. */
function needsRecord({ kind }: DueStep): boolean {
  return kind === "guard" || kind === "save";
}

/** Whether there are sizes to be reached, by whatever way. */
function isChanging(way: TemplateWay | undefined): way is Extract<TemplateWay, { sizes: TemplateSizes }> {
  return way?.kind === "re-create" || way?.kind === "wait";
}
