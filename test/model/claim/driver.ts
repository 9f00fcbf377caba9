/** Everything that a driver can answer to ControllerExpandVolume, and what it has really done. */
import type { DriverAnswer, DriverFailure } from "../../../src/resize/decide/answer.ts";
import type { Bound } from "./bound.ts";
import { memoize, toQuantity, type World } from "./world.ts";

export interface PossibleAnswer {
  readonly label: string;
  /** It is what a driver that has stopped failing answers. */
  readonly fair: boolean;
  readonly answer: DriverAnswer;
  readonly after: World;
}

export function* driverAnswers(world: World, size: number, bound: Bound): Iterable<PossibleAnswer> {
  const node = bound.driver !== "controller-only";
  if (world.lateController > 0) {
    yield failure("the driver answers: an earlier call is still under way", IN_DOUBT, world);
    return;
  }
  const told = { ...world, doubt: 0 };
  const grown = { ...told, done: Math.max(world.done, size), real: Math.max(world.real, size) };
  yield { label: `the driver has grown the volume to ${size}`, fair: true, answer: expanded(size, node), after: grown };
  if (bound.rounds) {
    yield {
      label: `the driver has grown the volume to ${size + 1}, rounded up`,
      fair: true,
      answer: expanded(size + 1, node),
      after: { ...grown, real: Math.max(world.real, size + 1) },
    };
  }
  // A driver does not refuse for good what it has done: CSI calls are idempotent.
  if (world.done < size) {
    yield failure(`the driver refuses ${size} for good`, REFUSED, told);
    yield failure(`the driver calls ${size} infeasible`, INFEASIBLE, told);
    if (bound.offline && world.pod) yield failure("the driver refuses: the volume is in use", IN_USE, told);
  }
  const doubtful = { ...world, doubt: size };
  const doneInDoubt = { ...grown, doubt: size };
  yield failure(`the driver grows the volume to ${size}, but the answer is lost`, IN_DOUBT, doneInDoubt);
  yield failure("the driver does nothing, and the answer is lost", IN_DOUBT, doubtful);
  yield failure("the driver takes too long; the call goes on", IN_DOUBT, { ...doubtful, lateController: size });
  yield {
    label: "the driver reports success with a size of 0",
    fair: false,
    answer: expanded(0, node),
    after: doneInDoubt,
  };
}

const expanded = memoize(
  (capacity: number, node: boolean) => `${capacity} ${node}`,
  (capacity, node): DriverAnswer => ({
    kind: "expanded",
    capacity: toQuantity(capacity),
    nodeExpansionRequired: node,
  }),
);

function failure(label: string, answer: DriverAnswer, after: World): PossibleAnswer {
  return { label, fair: false, answer, after };
}

function failed(failure: DriverFailure): DriverAnswer {
  return { kind: "failed", failure };
}

const FINAL: DriverFailure = { message: "no", final: true, infeasible: false, inUse: false };
const REFUSED = failed(FINAL);
const INFEASIBLE = failed({ ...FINAL, infeasible: true });
const IN_USE = failed({ ...FINAL, inUse: true });
const IN_DOUBT = failed({ ...FINAL, final: false });
