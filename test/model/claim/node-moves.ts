/** What the node can do next, one API or CSI call at a time. */
import type { AfterNodeAnswer, NodeAnswer } from "../../../src/node/decide/answer.ts";
import type { NodeFacts } from "../../../src/node/decide/facts.ts";
import type { NodeDecision } from "../../../src/node/decide/step.ts";
import type { Move } from "../explore.ts";
import type { Bound } from "./bound.ts";
import type { ClaimRules } from "./rules.ts";
import {
  changed,
  claimKey,
  IDLE_NODE,
  memoize,
  type Node,
  partKey,
  toQuantity,
  toSize,
  view,
  volumeView,
  type World,
} from "./world.ts";
import { move, writeClaim } from "./writes.ts";

function factsKey({ claim, volume, node }: World): string {
  return `${claimKey(claim)} ${volume} ${node.refused} ${node.inUse}`;
}

export class NodeMoves {
  readonly #rules: ClaimRules;
  readonly #bound: Bound;

  /** The rules, asked only once about the same things. */
  readonly #decide: (world: World) => NodeDecision;
  readonly #after: (world: World, size: number, answer: NodeAnswer) => AfterNodeAnswer;

  constructor(rules: ClaimRules, bound: Bound) {
    this.#rules = rules;
    this.#bound = bound;
    this.#decide = memoize(factsKey, (world) => rules.decideNodeStep(this.#facts(world)));
    this.#after = memoize(
      (world, size, answer) => `${factsKey(world)} ${size} ${partKey(answer)}`,
      (world, size, answer) => rules.afterNodeAnswer(this.#facts(world), toQuantity(size), answer),
    );
  }

  *moves(world: World): Iterable<Move<World>> {
    if (this.#bound.driver === "controller-only") return;
    yield* this.#step(world);
    if (world.node !== IDLE_NODE) yield* this.#crash(world);
  }

  /** Whether the node would go on if a pod brought the volume to it. */
  waitsForPod(world: World): boolean {
    if (world.pod || this.#bound.driver === "controller-only") return false;
    const decision = this.#decide(world);
    return decision.kind === "expand" || decision.kind === "record";
  }

  #facts(world: World): NodeFacts {
    return {
      claim: view(world.claim),
      volume: volumeView(world.volume),
      canExpand: true,
      readOnly: false,
      memory: {
        ...(world.node.refused > 0 ? { refused: toQuantity(world.node.refused) } : {}),
        inUse: world.node.inUse,
      },
    };
  }

  *#step(world: World): Iterable<Move<World>> {
    const { node } = world;
    const fresh = node.fresh || !this.#rules.conduct.preconditions;
    switch (node.at) {
      case "idle": {
        if (!world.pod) return;
        const decision = this.#decide(world);
        if (decision.kind === "record") {
          const tidy = { ...node, at: "recording", fresh: true, size: 0, record: decision.change } as const;
          yield move("the node decides to tidy the status", true, { ...world, node: tidy });
        } else if (decision.kind === "expand") {
          const size = toSize(decision.size);
          const next = { ...node, at: "recording", fresh: true, size, record: decision.record } as const;
          yield move(`the node decides to grow the file system to ${size}`, true, { ...world, node: next });
        }
        return;
      }
      case "recording":
        if (!fresh) {
          yield move("the node is told that the claim has changed, and looks again", true, put(world, DROP));
        } else {
          const next = node.size === 0 ? DROP : ({ at: "calling", fresh: true } as const);
          const written = writeClaim(world, changed(world.claim, node.record ?? {}), this.#bound);
          yield move("the node records on the claim that it is at work", true, put(written, next));
        }
        return;
      case "calling":
        yield move(
          `the node asks the driver for ${node.size}`,
          true,
          put({ ...world, crime: this.#crimeOfCall(world) }, { at: "waiting" }),
        );
        return;
      case "waiting":
        yield* this.#answers(world);
        return;
      case "writing-claim":
        yield this.#writeAnswer(world, fresh);
        return;
    }
  }

  #crimeOfCall(world: World): string | undefined {
    const { size } = world.node;
    const counted = toSize(this.#rules.claimUsage(view(world.claim), { RecoverExpansionFailure: true }));
    if (this.#bound.driver === "node-only") {
      if (world.gate && size > counted) return `rule 1: the node asks for ${size}, quota counts ${counted}`;
    } else if (size > world.real) return `the node asks for ${size}, the volume has ${world.real}`;
    if (size < world.fileSystem && size < toSize(view(world.claim).capacity)) {
      return `rule 3: the node asks for ${size}, the claim has more`;
    }
    return undefined;
  }

  *#answers(world: World): Iterable<Move<World>> {
    const { size } = world.node;
    if (world.lateNode > 0) {
      yield answer(world, "the driver answers the node: an earlier call is still under way", IN_DOUBT, false);
      return;
    }
    const grown = { ...world, fileSystem: Math.max(world.fileSystem, size) };
    yield answer(grown, `the file system is grown to ${size}`, { kind: "expanded" }, true);
    // A driver does not refuse for good what it has done: CSI calls are idempotent.
    if (world.fileSystem < size) {
      yield answer(world, `the driver refuses the node ${size} for good`, REFUSED, false);
      yield answer(world, `the driver calls ${size} infeasible on the node`, { ...REFUSED, infeasible: true }, false);
      if (this.#bound.offline)
        yield answer(world, "the driver refuses the node: in use", { ...REFUSED, inUse: true }, false);
    }
    yield answer(grown, `the file system is grown to ${size}, but the answer is lost`, IN_DOUBT, false);
    yield answer(world, "the node's call does nothing, and the answer is lost", IN_DOUBT, false);
    if (this.#bound.lateNode) {
      yield answer({ ...world, lateNode: size }, "the node's call takes too long and goes on", IN_DOUBT, false);
    }
  }

  #writeAnswer(world: World, fresh: boolean): Move<World> {
    const { node } = world;
    if (!fresh)
      return move("the node is told that the claim has changed, and reads it again", true, put(world, { fresh: true }));
    const after = this.#after(world, node.size, node.answer as NodeAnswer);
    const memory = { refused: toSize(after.memory.refused), inUse: after.memory.inUse === true };
    const { capacity } = after.claim;
    const change = this.#bound.oldNode && capacity !== undefined ? { capacity } : after.claim;
    const written = writeClaim(world, changed(world.claim, change), this.#bound);
    return move("the node writes on the claim what came of it", true, put(written, { ...DROP, ...memory }));
  }

  *#crash(world: World): Iterable<Move<World>> {
    const { node } = world;
    const dead = (what: string, left: World): Move<World> =>
      move(`the node dies and comes back${what}`, false, { ...left, node: IDLE_NODE });
    if (node.at !== "waiting") {
      yield dead("", world);
      return;
    }
    yield dead("; the driver did not do it", world);
    if (world.lateNode > 0) return;
    yield dead("; the driver did it", { ...world, fileSystem: Math.max(world.fileSystem, node.size) });
    yield dead("; the driver is still at it", { ...world, lateNode: node.size });
  }
}

const DROP = { at: "idle", fresh: false, size: 0, record: undefined, answer: undefined } as const;
const REFUSED = { kind: "failed", message: "no", final: true, infeasible: false, inUse: false } as const;
const IN_DOUBT: NodeAnswer = { ...REFUSED, final: false };

function put(world: World, change: Partial<Node>): World {
  const node = { ...world.node, ...change };
  const idle = node.at === "idle" && node.refused === 0 && !node.inUse;
  return { ...world, node: idle ? IDLE_NODE : node };
}

function answer(world: World, label: string, said: NodeAnswer, fair: boolean): Move<World> {
  return move(label, fair, put(world, { at: "writing-claim", answer: said }));
}
