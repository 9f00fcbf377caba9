/** What a controller can do next, one API or CSI call at a time. */

import type { Quantity } from "../../../src/core/quantity.ts";
import type { AfterAnswer, DriverAnswer } from "../../../src/resize/decide/answer.ts";
import type { Decision } from "../../../src/resize/decide/decision.ts";
import type { ClaimMemory, ResizeFacts } from "../../../src/resize/decide/facts.ts";
import type { Move } from "../explore.ts";
import type { Bound } from "./bound.ts";
import { driverAnswers } from "./driver.ts";
import type { ClaimRules } from "./rules.ts";
import {
  type Controller,
  changed,
  claimKey,
  DRIVER,
  IDLE_CONTROLLER,
  memoize,
  partKey,
  toQuantity,
  toSize,
  view,
  volumeView,
  type World,
} from "./world.ts";
import { move, normal, put, writeClaim, writeVolume } from "./writes.ts";

function factsKey(world: World, self: Controller): string {
  const flags =
    (self.slow ? 1 : 0) | (self.inUse ? 2 : 0) | (world.pod ? 4 : 0) | (world.gate ? 8 : 0) | (self.owned ? 16 : 0);
  return `${claimKey(known(world, self))} ${self.seenVolume} ${self.refused} ${flags}`;
}

/** The claim as this controller knows it while it decides. */
function known(world: World, self: Controller): World["claim"] {
  return self.at === "idle" ? (self.seenClaim ?? world.claim) : world.claim;
}

/** Whoever holds the lease comes first. */
const NAMES = ["the controller", "the former leader"] as const;

export class ControllerMoves {
  readonly #rules: ClaimRules;
  readonly #bound: Bound;
  /** The rules, asked only once about the same things. */
  readonly #decide: (world: World, self: Controller) => Decision;
  readonly #after: (world: World, self: Controller, asked: Quantity, answer: DriverAnswer) => AfterAnswer;

  constructor(rules: ClaimRules, bound: Bound) {
    this.#rules = rules;
    this.#bound = bound;
    this.#decide = memoize(factsKey, (world, self) => rules.decideStep(this.#facts(world, self)));
    this.#after = memoize(
      (world, self, asked, answer) => `${factsKey(world, self)} ${toSize(asked)} ${partKey(answer)}`,
      (world, self, asked, answer) => rules.afterAnswer(this.#factsAfterCall(world, self, asked), asked, answer),
    );
  }

  *moves(world: World): Iterable<Move<World>> {
    for (const who of [0, 1] as const) {
      if (who === 1 && !this.#bound.leaders) continue;
      yield* this.#step(world, who);
      yield* this.#crash(world, who);
      if (who === 0) yield* this.#giveUp(world);
      const self = world.controllers[who];
      if (who === 0 && self.seenVolume !== world.volume && self.at === "idle") {
        yield move(
          `${NAMES[who]}'s cache learns that the volume has ${world.volume}`,
          true,
          put(world, who, { seenVolume: world.volume }),
        );
      }
      if (self.seenClaim !== undefined && self.at === "idle") {
        yield move(`${NAMES[who]}'s cache catches up with the claim`, true, put(world, who, { seenClaim: undefined }));
      }
      if (self.slow) {
        yield move(`minutes pass for ${NAMES[who]}`, true, put(world, who, { slow: false }));
      }
    }
    if (this.#bound.leaders && world.controllers[1].at === "idle") yield this.#changeLeader(world);
  }

  /** Whether the one in charge holds back only because a pod uses the volume. */
  waitsForRelease(world: World): boolean {
    const [self] = world.controllers;
    return self.at === "idle" && this.#decide(world, self).kind === "wait-for-release";
  }

  #facts(world: World, self: Controller): ResizeFacts {
    const memory: ClaimMemory = {
      ...(self.refused > 0 ? { refused: toQuantity(self.refused) } : {}),
      ...(self.slow ? { notBefore: 1 } : {}),
      inUse: self.inUse,
      owned: self.owned,
    };
    return {
      claim: view(known(world, self)),
      volume: volumeView(self.seenVolume),
      driver: { name: DRIVER, controller: this.#bound.driver !== "node-only" },
      memory,
      recovery: world.gate,
      usedByPod: world.pod,
      now: self.slow ? 0 : 2,
      slowRetry: 1,
    };
  }

  #factsAfterCall(world: World, self: Controller, asked: Quantity): ResizeFacts {
    const facts = this.#facts(world, self);
    if (this.#rules.conduct.preconditions) return facts;
    // Without preconditions nobody is told to look again: the claim is taken to be as it was left.
    return { ...facts, claim: { ...facts.claim, allocated: asked, state: "controller-in-progress" } };
  }

  *#step(world: World, who: 0 | 1): Iterable<Move<World>> {
    const self = world.controllers[who];
    const name = NAMES[who];
    const { conduct } = this.#rules;
    if (who === 1 && conduct.fenced) {
      yield* this.#withoutLease(world, who);
      return;
    }
    switch (self.at) {
      case "idle": {
        if (who === 1) return;
        const decision = this.#decide(world, self);
        if (decision.kind !== "expand" && decision.kind !== "record") return;
        const change = decision.kind === "expand" ? decision.record : decision.change;
        const { writes } = changed(known(world, self), change);
        const what =
          decision.kind === "expand" ? `to grow the volume to ${toSize(decision.size)}` : "to tidy the status";
        const at =
          !conduct.recordsFirst && decision.kind === "expand"
            ? "calling"
            : writes
              ? "recording"
              : conduct.verifies
                ? "verifying"
                : "calling";
        yield move(
          `${name} decides ${what}`,
          true,
          put(world, who, { at, fresh: self.seenClaim === undefined, decision }),
        );
        return;
      }
      case "recording": {
        const { decision } = self;
        if (decision === undefined) return;
        if (!self.fresh && conduct.preconditions) {
          yield move(`${name} is told that the claim has changed, and reads it afresh`, true, put(world, who, AFRESH));
          return;
        }
        const change = decision.kind === "expand" ? decision.record : decision.change;
        const next =
          decision.kind === "record" || !conduct.recordsFirst ? DROP : ({ at: "calling", fresh: true } as const);
        yield move(
          decision.kind === "expand"
            ? `${name} records ${toSize(decision.size)} on the claim`
            : `${name} tidies the claim's status`,
          true,
          put(writeClaim(world, changed(world.claim, change), this.#bound), who, next),
        );
        return;
      }
      case "verifying": {
        // A live read, and the decision made again on it.
        const decision = this.#decide(world, self);
        const same =
          decision.kind === "expand" &&
          self.decision?.kind === "expand" &&
          decision.size.equals(self.decision.size) &&
          !changed(world.claim, decision.record).writes;
        yield move(
          same ? `${name} reads the claim afresh: still so` : `${name} reads the claim afresh: no longer so`,
          true,
          put(world, who, same ? { at: "calling", fresh: true, seenClaim: undefined } : AFRESH),
        );
        return;
      }
      case "calling":
        yield this.#call(world, who);
        return;
      case "waiting":
        yield* this.#answers(world, who);
        return;
      case "writing-volume":
      case "writing-claim":
        yield this.#writeAnswer(world, who);
        return;
    }
  }

  #call(world: World, who: 0 | 1): Move<World> {
    const { decision } = world.controllers[who];
    const size = decision?.kind === "expand" ? toSize(decision.size) : 0;
    if (this.#bound.driver === "node-only") {
      // Nothing to call: the controller half of a node-only driver always agrees.
      const answer: DriverAnswer = { kind: "expanded", capacity: toQuantity(size), nodeExpansionRequired: true };
      return move(
        `${NAMES[who]} has nobody to call: the driver works on the node only`,
        true,
        put(world, who, answered(answer, world, who)),
      );
    }
    return move(
      `${NAMES[who]} calls the driver for ${size}`,
      true,
      put({ ...world, crime: this.#crimeOfCall(world, size) }, who, { at: "waiting" }),
    );
  }

  /** What a call must never do. */
  #crimeOfCall(world: World, size: number): string | undefined {
    const claim = view(world.claim);
    const counted = toSize(this.#rules.claimUsage(claim, { RecoverExpansionFailure: true }));
    if (world.gate && size > counted) return `rule 1: the driver is asked for ${size}, quota counts ${counted}`;
    // (On the old way the claim may have been given a rounded size meanwhile; what was asked for is what counts.)
    if (world.gate && size < toSize(claim.capacity))
      return `rule 3: the driver is asked for ${size}, the claim has ${toSize(claim.capacity)}`;
    if (size < world.done) return `rule 3: the driver is asked for ${size}, it has been told to make ${world.done}`;
    if (size < world.doubt) return `rule 4: the driver is asked for ${size} while ${world.doubt} is in doubt`;
    return undefined;
  }

  *#answers(world: World, who: 0 | 1): Iterable<Move<World>> {
    const { decision } = world.controllers[who];
    const size = decision?.kind === "expand" ? toSize(decision.size) : 0;
    for (const { label, fair, answer, after } of driverAnswers(world, size, this.#bound)) {
      yield move(label, fair, put(after, who, answered(answer, after, who)));
    }
  }

  /** What the answer makes of the claim and the volume, as this controller knows them. */
  #writes(
    world: World,
    who: 0 | 1,
  ): { after: AfterAnswer; claim: ReturnType<typeof changed>; volume: number | undefined } {
    const self = world.controllers[who];
    const asked = self.decision?.kind === "expand" ? self.decision.size : toQuantity(0);
    const after = this.#after(world, self, asked, self.answer as DriverAnswer);
    const volume = toSize(after.volumeCapacity);
    return {
      after,
      claim: changed(world.claim, after.claim),
      volume: volume > 0 && volume !== world.volume ? volume : undefined,
    };
  }

  #writeAnswer(world: World, who: 0 | 1): Move<World> {
    const self = world.controllers[who];
    const name = NAMES[who];
    const { conduct } = this.#rules;
    const { after, claim, volume } = this.#writes(world, who);
    const finished = {
      ...DROP,
      refused: toSize(after.memory.refused),
      slow: after.memory.notBefore !== undefined,
      inUse: after.memory.inUse === true,
      owned: after.memory.owned === true,
    };
    const next = self.at === "writing-volume" ? ({ at: "writing-claim" } as const) : finished;

    if ((self.at === "writing-volume") === conduct.volumeFirst) {
      if (volume === undefined) {
        return move(
          `${name} finds the volume as it should be`,
          true,
          put(world, who, { ...next, seenVolume: world.volume }),
        );
      }
      if (!self.freshVolume && conduct.preconditions) {
        const read = { freshVolume: true, seenVolume: world.volume };
        return move(`${name} is told that the volume has changed, and reads it again`, true, put(world, who, read));
      }
      const written = put(writeVolume(world, volume), who, { ...next, seenVolume: volume });
      return move(`${name} records ${volume} on the volume`, true, written);
    }
    if (!self.fresh && conduct.preconditions) {
      return move(
        `${name} is told that the claim has changed, and reads it again`,
        true,
        put(world, who, { fresh: true }),
      );
    }
    return move(
      `${name} writes on the claim what came of it`,
      true,
      put(writeClaim(world, claim, this.#bound), who, next),
    );
  }

  /** Whoever has lost the lease begins nothing any more; one write may be on its way still, and land late. */
  *#withoutLease(world: World, who: 0 | 1): Iterable<Move<World>> {
    const self = world.controllers[who];
    if (self.at === "idle") return;
    const name = NAMES[who];
    yield move(`${name} gives up: it no longer holds the lease`, true, put(world, who, DROP));
    if (self.at === "recording" && self.fresh && self.decision !== undefined) {
      const change = self.decision.kind === "expand" ? self.decision.record : self.decision.change;
      const late = writeClaim(world, changed(world.claim, change), this.#bound);
      yield move(`${name}'s record on the claim lands late`, true, put(late, who, DROP));
    }
    if (self.at !== "writing-volume" && self.at !== "writing-claim") return;
    const { claim, volume } = this.#writes(world, who);
    if (self.at === "writing-volume" && self.freshVolume && volume !== undefined) {
      yield move(
        `${name}'s write of ${volume} on the volume lands late`,
        true,
        put(writeVolume(world, volume), who, DROP),
      );
    }
    if (self.at === "writing-claim" && self.fresh && claim.writes) {
      yield move(
        `${name}'s last write on the claim lands late`,
        true,
        put(writeClaim(world, claim, this.#bound), who, DROP),
      );
    }
  }

  /** The API server fails a write, and the step is given up: how far it came, nobody knows. */
  *#giveUp(world: World): Iterable<Move<World>> {
    const { at } = world.controllers[0];
    if (at !== "recording" && at !== "writing-volume" && at !== "writing-claim") return;
    const memory = this.#rules.conduct.forgetsOnFailure ? NO_MEMORY : {};
    yield move(
      "the API server fails, and the controller gives up the step",
      false,
      put(world, 0, { ...DROP, ...memory }),
    );
  }

  *#crash(world: World, who: 0 | 1): Iterable<Move<World>> {
    const self = world.controllers[who];
    if (self.at === "idle" && self.refused === 0 && !self.slow && !self.inUse && !self.owned) return;
    const label = `${NAMES[who]} dies and comes back`;
    const reborn = { ...IDLE_CONTROLLER, seenVolume: world.volume };
    for (const left of this.#leftAlone(world, who)) yield move(label + left.what, false, put(left.world, who, reborn));
  }

  /** A call that nobody waits for any more: done, not done, or still under way. */
  *#leftAlone(world: World, who: 0 | 1): Iterable<{ what: string; world: World }> {
    const self = world.controllers[who];
    if (self.at !== "waiting" || self.decision?.kind !== "expand") {
      yield { what: "", world };
      return;
    }
    const size = toSize(self.decision.size);
    const doubtful = { ...world, doubt: size };
    yield { what: "; the driver did not do it", world: doubtful };
    if (world.lateController > 0) return;
    yield {
      what: "; the driver did it",
      world: { ...doubtful, done: Math.max(world.done, size), real: Math.max(world.real, size) },
    };
    yield { what: "; the driver is still at it", world: { ...doubtful, lateController: size } };
  }

  #changeLeader(world: World): Move<World> {
    const [old] = world.controllers;
    const { fenced, forgetsWithLease } = this.#rules.conduct;
    const memory = forgetsWithLease ? NO_MEMORY : {};
    const successor: Controller = { ...IDLE_CONTROLLER, ...world.controllers[1], seenVolume: old.seenVolume };
    const label = "the controller loses the lease to another";
    const size = old.at === "waiting" && old.decision?.kind === "expand" ? toSize(old.decision.size) : 0;
    if (size === 0 || !fenced) {
      return move(label, false, { ...world, controllers: [successor, normal({ ...old, ...memory })] });
    }
    // A call under way is given up with the lease; what the driver makes of it, nobody is told.
    const lateController = Math.max(size, world.lateController);
    const former = normal({ ...old, ...DROP, ...memory });
    return move(label, false, { ...world, doubt: size, lateController, controllers: [successor, former] });
  }
}

const NO_MEMORY = { refused: 0, slow: false, inUse: false, owned: false } as const;

/** Back to the beginning of a step, with the claim read afresh. */
const AFRESH = {
  at: "idle",
  fresh: false,
  freshVolume: false,
  seenClaim: undefined,
  decision: undefined,
  answer: undefined,
} as const;

/** Back to the beginning of a step. */
const DROP = { at: "idle", fresh: false, freshVolume: false, decision: undefined, answer: undefined } as const;

function answered(answer: DriverAnswer, world: World, who: 0 | 1): Partial<Controller> {
  return { at: "writing-volume", answer, freshVolume: world.controllers[who].seenVolume === world.volume };
}
