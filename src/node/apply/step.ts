/**
 * One step of growing one volume on this node, carried out: decide, record, call, write what came of it.
 *
 * The record is written before the call, and every write is bound to the version that was read. A lost race costs a
 * fresh read and never a second call.
 */
import { readClaim } from "../../core/claim.ts";
import { applyClaimChange } from "../../core/claim-change.ts";
import type { Dialect } from "../../core/dialect.ts";
import type { Quantity } from "../../core/quantity.ts";
import type { PersistentVolume, PersistentVolumeClaim, Pod } from "../../core/types.ts";
import { readVolume } from "../../core/volume.ts";
import { isNotFound } from "../../kube/index.ts";
import { type AfterNodeAnswer, afterNodeAnswer, type NodeAnswer } from "../decide/answer.ts";
import type { NodeFacts, NodeMemory } from "../decide/facts.ts";
import { decideNodeStep, type NodeDecision } from "../decide/step.ts";
import type { NodeEvents } from "./events.ts";
import type { Grower } from "./grower.ts";
import type { Place } from "./places.ts";
import type { Writer } from "./writes.ts";

export interface NodeStepOptions {
  readonly writer: Writer;
  readonly events: NodeEvents;
  readonly dialect: Dialect;
  readonly now: () => number;
}

export interface NodeStepInput {
  /** As the cache has them; the cache may be behind. */
  readonly claim: PersistentVolumeClaim;
  readonly volume: PersistentVolume;
  /** A pod of this node that has the volume, and where. */
  readonly pod: Pod;
  readonly place: Place;
  readonly grower: Grower;
  readonly memory: NodeMemory;
  /** What this node has grown the volume to already, as far as it knows: a shared volume is not grown twice. */
  readonly grownTo: Quantity | undefined;
}

export type NodeStepResult =
  /** Nobody was called. `decision` says why; a `record` was written. */
  | { readonly kind: "quiet"; readonly decision: NodeDecision }
  /** The volume was grown, or was not, and what came of it is written down. */
  | { readonly kind: "called"; readonly after: AfterNodeAnswer; readonly size: Quantity }
  /** The claim is gone. */
  | { readonly kind: "gone" };

/** So often in a row somebody else wrote the claim between our read and our write. Then the backoff takes over. */
const MAX_RACES = 8;
/** The same for what came of a call: forgotten, it costs another one. */
const MAX_RACES_FOR_ANSWER = 100;

/** Rejects when the API server cannot be reached or refuses: the step is tried again later, from wherever it was left. */
export async function runNodeStep(
  options: NodeStepOptions,
  input: NodeStepInput,
  signal: AbortSignal,
): Promise<NodeStepResult> {
  try {
    return await decideAndAct(options, input, await input.grower.canExpand(), signal);
  } catch (error) {
    if (isNotFound(error)) return { kind: "gone" };
    throw error;
  }
}

async function decideAndAct(
  { writer, events, dialect, now }: NodeStepOptions,
  input: NodeStepInput,
  canExpand: boolean,
  signal: AbortSignal,
): Promise<NodeStepResult> {
  let { claim } = input;
  let live = false;
  for (let race = 0; race < MAX_RACES; race++) {
    const decision = decideNodeStep(gather({ ...input, claim }, canExpand));
    if (decision.kind !== "expand" && decision.kind !== "record") return { kind: "quiet", decision };
    if (decision.kind === "expand" && decision.shared && input.grownTo?.atLeast(decision.size) === true) {
      return { kind: "quiet", decision: { kind: "done", size: decision.size } };
    }
    const wanted = applyClaimChange(
      claim,
      decision.kind === "expand" ? decision.record : decision.change,
      dialect,
      now(),
    );
    // Where there is nothing to write, nothing would notice that the cache is behind.
    const written = wanted === claim && !live ? undefined : await writer.tryClaim(claim, wanted, signal);
    if (written === undefined) {
      claim = await writer.readClaim(claim, signal);
      live = true;
      continue;
    }
    if (decision.kind === "record") return { kind: "quiet", decision };
    const { size } = decision;
    const answer = await input.grower.expand(input.volume, size, input.place, signal);
    const recorded = { ...input, claim: written };
    const after = await writeAnswer({ writer, events, dialect, now }, recorded, canExpand, size, answer, signal);
    events.ended(recorded, after);
    return { kind: "called", after, size };
  }
  throw raced(claim);
}

/** After a lost race from what is there now. */
async function writeAnswer(
  { writer, dialect, now }: NodeStepOptions,
  input: NodeStepInput,
  canExpand: boolean,
  size: Quantity,
  answer: NodeAnswer,
  signal: AbortSignal,
): Promise<AfterNodeAnswer> {
  let { claim } = input;
  for (let race = 0; race < MAX_RACES_FOR_ANSWER; race++) {
    const after = afterNodeAnswer(gather({ ...input, claim }, canExpand), size, answer);
    const wanted = applyClaimChange(claim, after.claim, dialect, now());
    if ((await writer.tryClaim(claim, wanted, signal)) !== undefined) return after;
    claim = await writer.readClaim(claim, signal);
  }
  throw raced(claim);
}

function gather({ claim, volume, place, memory }: NodeStepInput, canExpand: boolean): NodeFacts {
  return { claim: readClaim(claim), volume: readVolume(volume), canExpand, readOnly: place.readOnly, memory };
}

function raced({ metadata: { namespace, name } }: PersistentVolumeClaim): Error {
  return new Error(`claim ${namespace}/${name} is written by others all the time`);
}
