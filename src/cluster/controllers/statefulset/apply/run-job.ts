/** One job, carried out: claims first, then the pod; told to people as upstream tells it. */
import type { StatefulSet } from "../../../../core/types.ts";
import { isAlreadyExists, isConflict } from "../../../../kube/index.ts";
import { isNamespaceTerminating } from "../../shared/terminating.ts";
import type { Job } from "../decide/job.ts";
import { type SetEvents, wordsOf } from "./events.ts";
import type { Writer } from "./writer.ts";

export interface Tools {
  readonly writer: Writer;
  readonly events: SetEvents;
}

/** Rejects when it could not be done, whole or in part; looking at the set again finds what is left. */
export async function runJob(tools: Tools, set: StatefulSet, job: Job): Promise<void> {
  const { writer, events } = tools;
  const { name } = job.pod.metadata;
  switch (job.verb) {
    case "create":
      await told("create", () => createClaims(tools, set, job));
      await told("create", () => writer.createPod(job.pod));
      await told("update", () => tieClaims(tools, set, job));
      events.pod(set, "create", name);
      return;
    case "fill":
      await createClaims(tools, set, job);
      await told("update", () => tieClaims(tools, set, job));
      return;
    case "update":
      await told("update", async () => {
        await tieClaims(tools, set, job);
        if (job.mends) await writer.mendPod(set, job.pod, job.ordinal);
      });
      events.pod(set, "update", name);
      return;
    case "tie":
      return tieClaims(tools, set, job);
    case "delete":
      await told("delete", () => writer.deletePod(job.pod));
      events.pod(set, "delete", name);
      return;
  }

  /** A failure is an event; not so one that only says that our view is behind. */
  async function told(verb: "create" | "update" | "delete", call: () => Promise<void>): Promise<void> {
    try {
      await call();
    } catch (error) {
      if (!isAlreadyExists(error) && !isConflict(error)) events.pod(set, verb, name, error);
      throw error;
    }
  }
}

/** All that are missing, whatever becomes of the others; then the failures together. */
async function createClaims({ writer, events }: Tools, set: StatefulSet, job: Job): Promise<void> {
  const failures: string[] = [];
  for (const claim of job.missing) {
    const { name } = claim.metadata;
    try {
      await writer.createClaim(claim);
      events.claim(set, "create", name, job.pod.metadata.name);
    } catch (error) {
      // Our view is behind: what the claim is like has to be seen before it is built upon.
      if (isAlreadyExists(error)) throw error;
      // Nobody can be told there either.
      if (isNamespaceTerminating(error)) throw error;
      events.claim(set, "create", name, job.pod.metadata.name, error);
      failures.push(`failed to create PVC ${name}: ${wordsOf(error)}`);
    }
  }
  failures.push(...job.dying.map((name) => `pvc ${name} is being deleted`));
  if (failures.length > 1) throw new Error(`[${failures.join(", ")}]`);
  if (failures.length === 1) throw new Error(failures[0]);
}

async function tieClaims({ writer, events }: Tools, set: StatefulSet, job: Job): Promise<void> {
  for (const claim of job.foreign) events.conflictingController(set, claim);
  for (const { claim, ownerReferences } of job.ties) await writer.tieClaim(claim, ownerReferences);
}
