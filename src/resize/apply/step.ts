/**
 * One step of growing one claim, carried out: decide, record, call, write what came of it.
 *
 * The order is what the rules are proved for (test/model/claim): the record before the call, the volume before the
 * claim, every write bound to the version that was read, and no call without the lease.
 */
import { readClaim } from "../../core/claim.ts";
import { applyClaimChange } from "../../core/claim-change.ts";
import type { Dialect } from "../../core/dialect.ts";
import { PRE_RESIZE_CAPACITY } from "../../core/names.ts";
import type { Quantity } from "../../core/quantity.ts";
import { type PersistentVolume, type PersistentVolumeClaim, STORAGE } from "../../core/types.ts";
import { readVolume } from "../../core/volume.ts";
import { isNotFound } from "../../kube/index.ts";
import { type AfterAnswer, afterAnswer, type DriverAnswer } from "../decide/answer.ts";
import type { Decision } from "../decide/decision.ts";
import type { ClaimMemory, DriverAbilities, ResizeFacts } from "../decide/facts.ts";
import { decideStep } from "../decide/step.ts";
import type { Driver } from "./driver.ts";
import type { ResizeEvents } from "./events.ts";
import type { Writer } from "./writes.ts";

export interface StepOptions {
  readonly writer: Writer;
  readonly driver: Driver;
  readonly events: ResizeEvents;
  readonly dialect: Dialect;
  /** The gate RecoverExpansionFailure. */
  readonly recovery: boolean;
  /** The gate AnnotateFsResize: note the capacity from before on the volume until the node is done. */
  readonly annotate: boolean;
  readonly slowRetry: number;
  readonly now: () => number;
  /** Whether a call may be made now: the lease is ours beyond doubt. */
  readonly mayCall: () => boolean;
}

export interface StepInput {
  /** As the cache has them; the cache may be behind. */
  readonly claim: PersistentVolumeClaim;
  readonly volume: PersistentVolume;
  readonly memory: ClaimMemory;
  readonly usedByPod: boolean;
}

export type StepResult =
  /** Nothing was called. `decision` says why; a `record` was written. */
  | { readonly kind: "quiet"; readonly decision: Exclude<Decision, { kind: "expand" }> }
  /** The driver was called, and what it answered is written down. */
  | { readonly kind: "called"; readonly after: AfterAnswer; readonly recovers: boolean }
  /** The claim or the volume is gone. */
  | { readonly kind: "gone" };

/** So often in a row somebody else wrote the claim between our read and our write. Then the backoff takes over. */
const MAX_RACES = 8;
/** The same for what came of a call: forgotten, it costs another one. */
const MAX_RACES_FOR_ANSWER = 100;

/** Rejects when the API server cannot be reached or refuses: the step is tried again later, from wherever it was left. */
export async function runStep(options: StepOptions, input: StepInput, signal: AbortSignal): Promise<StepResult> {
  try {
    const abilities = await options.driver.abilities(input.volume);
    return await decideAndAct(options, input, abilities, signal);
  } catch (error) {
    if (isNotFound(error)) return { kind: "gone" };
    throw error;
  }
}

async function decideAndAct(
  options: StepOptions,
  input: StepInput,
  abilities: DriverAbilities,
  signal: AbortSignal,
): Promise<StepResult> {
  const { writer, dialect, now } = options;
  let { claim } = input;
  let live = false;
  for (let race = 0; race < MAX_RACES; race++) {
    const decision = decideStep(gather(options, { ...input, claim }, abilities));
    if (decision.kind !== "expand" && decision.kind !== "record") return { kind: "quiet", decision };

    const change = decision.kind === "expand" ? decision.record : decision.change;
    const wanted = applyClaimChange(claim, change, dialect, now());
    if (wanted === claim && !live) {
      // Nothing to write, so nothing would notice that the cache is behind.
      claim = await writer.readClaim(claim, signal);
      live = true;
      continue;
    }
    const written = await writer.tryClaim(claim, wanted, signal);
    if (written === undefined) {
      claim = await writer.readClaim(claim, signal);
      live = true;
      continue;
    }
    if (decision.kind === "record") return { kind: "quiet", decision };
    if (wanted !== claim) options.events.started(written, input.volume);
    return callAndWrite(options, { ...input, claim: written }, abilities, decision, signal);
  }
  throw new Error(`claim ${claim.metadata.namespace}/${claim.metadata.name} is written by others all the time`);
}

async function callAndWrite(
  options: StepOptions,
  input: StepInput,
  abilities: DriverAbilities,
  { size, recovers }: Decision & { kind: "expand" },
  signal: AbortSignal,
): Promise<StepResult> {
  if (!options.mayCall()) throw new Error("the lease is not ours any more");
  const answer = await options.driver.expand(input.volume, size, signal);
  const after = await writeAnswer(options, input, abilities, size, answer, signal);
  options.events.ended(input.claim, input.volume, after);
  return { kind: "called", after, recovers };
}

/** First the volume, then the claim; after a lost race from what is there now. */
async function writeAnswer(
  options: StepOptions,
  input: StepInput,
  abilities: DriverAbilities,
  size: Quantity,
  answer: DriverAnswer,
  signal: AbortSignal,
): Promise<AfterAnswer> {
  const { writer, dialect, now } = options;
  let { claim, volume } = input;
  for (let race = 0; race < MAX_RACES_FOR_ANSWER; race++) {
    const after = afterAnswer(gather(options, { ...input, claim, volume }, abilities), size, answer);
    const volumeWritten = await writer.tryVolume(volume, grownVolume(options, volume, claim, after), signal);
    if (volumeWritten === undefined) {
      volume = await writer.readVolume(volume, signal);
      continue;
    }
    volume = volumeWritten;
    const wanted = applyClaimChange(claim, after.claim, dialect, now());
    if ((await writer.tryClaim(claim, wanted, signal)) !== undefined) return after;
    claim = await writer.readClaim(claim, signal);
  }
  throw new Error(`claim ${claim.metadata.namespace}/${claim.metadata.name} is written by others all the time`);
}

function gather(options: StepOptions, input: StepInput, driver: DriverAbilities): ResizeFacts {
  return {
    claim: readClaim(input.claim),
    volume: readVolume(input.volume),
    driver,
    memory: input.memory,
    recovery: options.recovery,
    usedByPod: input.usedByPod,
    now: options.now(),
    slowRetry: options.slowRetry,
  };
}

/** The volume with its new capacity; the same object when there is none. */
function grownVolume(
  { annotate }: StepOptions,
  volume: PersistentVolume,
  claim: PersistentVolumeClaim,
  { volumeCapacity, result }: AfterAnswer,
): PersistentVolume {
  if (volumeCapacity === undefined) return volume;
  const capacity = { ...volume.spec.capacity, [STORAGE]: volumeCapacity.toString() };
  const same = readVolume(volume).capacity.equals(volumeCapacity);
  const grown = same ? volume : { ...volume, spec: { ...volume.spec, capacity } };
  const before = claim.status?.capacity?.[STORAGE];
  const noted = volume.metadata.annotations?.[PRE_RESIZE_CAPACITY] !== undefined;
  if (!annotate || result !== "node-expansion-required" || noted || before === undefined) return grown;
  const annotations = { ...volume.metadata.annotations, [PRE_RESIZE_CAPACITY]: before };
  return { ...grown, metadata: { ...grown.metadata, annotations } };
}
