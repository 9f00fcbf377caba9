/**
 * A stage on which the stories of the texts are played: a user, the API server, the controller half, the node half and a
 * driver that answers what the story says. All rules are the real ones; nothing happens by itself, and each method is one
 * call in the life of the real programs, so that a story can stop, or somebody can die, between any two.
 */
import { readClaim } from "../../src/core/claim.ts";
import type { ClaimChange } from "../../src/core/claim-change.ts";
import { type Dialect, TODAY } from "../../src/core/dialect.ts";
import type { Quantity } from "../../src/core/quantity.ts";
import { readVolume } from "../../src/core/volume.ts";
import { type CsiCode, CsiError } from "../../src/csi/error.ts";
import { type AfterNodeAnswer, afterNodeAnswer, type NodeAnswer } from "../../src/node/decide/answer.ts";
import type { NodeFacts, NodeMemory } from "../../src/node/decide/facts.ts";
import { decideNodeStep, type NodeDecision } from "../../src/node/decide/step.ts";
import { type AfterAnswer, afterAnswer, type DriverAnswer } from "../../src/resize/decide/answer.ts";
import type { Decision } from "../../src/resize/decide/decision.ts";
import { type ClaimMemory, NOTHING_REMEMBERED, type ResizeFacts } from "../../src/resize/decide/facts.ts";
import { decideStep } from "../../src/resize/decide/step.ts";
import { Api, DRIVER } from "./api.ts";

export interface Scene {
  readonly size?: string;
  readonly hard?: string;
  readonly dialect?: Dialect;
  readonly driver?: "controller-and-node" | "controller-only" | "node-only";
  readonly accessModes?: string[];
  readonly dropsFields?: boolean;
}

/** Who takes part, and what can be seen. Sizes are texts in canonical form. */
export class Play {
  readonly #scene: Required<Scene>;
  readonly #api: Api;
  readonly controller: Controller;
  readonly node: Node;

  constructor(scene: Scene = {}) {
    this.#scene = {
      size: "10Gi",
      hard: "1Ti",
      dialect: TODAY,
      driver: "controller-and-node",
      accessModes: ["ReadWriteOnce"],
      dropsFields: false,
      ...scene,
    };
    this.#api = new Api(this.#scene);
    this.controller = new Controller(this.#api, this.#scene.driver);
    this.node = new Node(this.#api, this.#scene.driver);
  }

  /** The user edits the request. Returns what that adds to the used quota, or why it is refused. */
  userAsksFor(size: string): string {
    const before = this.#api.used;
    return this.#api.edit(size) ?? this.#api.used.minus(before).toString();
  }

  /** Somebody else writes on the claim's status: an older program, a person with `kubectl`. */
  somebodyWrites(change: ClaimChange): void {
    this.#api.patchStatus(change);
  }

  /** The gate RecoverExpansionFailure, switched everywhere; the controller is restarted for it. */
  switchGate(on: boolean): void {
    this.#api.gates = { ...this.#api.gates, RecoverExpansionFailure: on };
    this.controller.dies();
  }

  recreateQuota(): void {
    this.#api.recreateQuota();
  }

  minutesPass(minutes: number): void {
    this.#api.minutesPass(minutes);
  }

  get used(): string {
    return this.#api.used.toString();
  }
  get requested(): string {
    return readClaim(this.#api.claim).request.toString();
  }
  get allocated(): string | undefined {
    return readClaim(this.#api.claim).allocated?.toString();
  }
  /** `pvc.Status.Capacity` */
  get capacity(): string | undefined {
    return readClaim(this.#api.claim).capacity?.toString();
  }
  /** `pv.Spec.Capacity` */
  get volume(): string {
    return readVolume(this.#api.volume).capacity.toString();
  }
  /** The conditions that are True. */
  get conditions(): string[] {
    return (this.#api.claim.status?.conditions ?? []).map(({ type }) => type);
  }
  /** The status as it was stored, field by field. */
  get status(): NonNullable<Api["claim"]["status"]> {
    return this.#api.claim.status ?? {};
  }
  get history(): readonly Api["claim"][] {
    return this.#api.history;
  }
}

/** The controller half, with the lease. */
class Controller {
  /** Every size that the driver was asked for, in order. */
  readonly calls: string[] = [];
  /** A pod that has not ended mentions the claim. */
  usedByPod = true;
  readonly #api: Api;
  readonly #driver: Required<Scene>["driver"];
  #memory: ClaimMemory = NOTHING_REMEMBERED;
  #asked: Quantity | undefined;

  constructor(api: Api, driver: Required<Scene>["driver"]) {
    this.#api = api;
    this.#driver = driver;
  }

  /** What it would do now. */
  looks(): Decision {
    return decideStep(this.#facts());
  }

  /** Takes what it looks at in hand: writes the record, then calls the driver (if that has a controller half). */
  starts(): void {
    const decision = this.looks();
    if (decision.kind !== "expand")
      throw new Error(`the controller does not expand: ${decision.kind}, ${decision.why}`);
    this.#api.patchStatus(decision.record);
    this.#asked = decision.size;
    if (this.#driver !== "node-only") this.calls.push(decision.size.toString());
  }

  /** Puts right a status that tells of what is long over. */
  tidies(): void {
    const decision = this.looks();
    if (decision.kind !== "record") throw new Error(`the controller has nothing to tidy: ${decision.kind}`);
    this.#api.patchStatus(decision.change);
  }

  /** The driver answers; success unless said otherwise. The volume is written, then the claim. */
  hears(answer: DriverAnswer = this.success()): AfterAnswer["result"] {
    this.writesVolume(answer);
    return this.writesClaim(answer);
  }

  /** The first of the two writes after an answer. */
  writesVolume(answer: DriverAnswer = this.success()): void {
    const { volumeCapacity } = this.#after(answer);
    if (volumeCapacity !== undefined) this.#api.patchVolume(volumeCapacity);
  }

  /** The second. */
  writesClaim(answer: DriverAnswer = this.success()): AfterAnswer["result"] {
    const { claim, memory, result } = this.#after(answer);
    this.#api.patchStatus(claim);
    this.#memory = memory;
    this.#asked = undefined;
    return result;
  }

  /** The process ends, with all that it remembers; another takes its place. */
  dies(): void {
    this.#memory = NOTHING_REMEMBERED;
    this.#asked = undefined;
  }

  success(capacity = this.#size()): DriverAnswer {
    return { kind: "expanded", capacity, nodeExpansionRequired: this.#driver !== "controller-only" };
  }

  #size(): Quantity {
    if (this.#asked === undefined) throw new Error("nobody has called the driver");
    return this.#asked;
  }

  #after(answer: DriverAnswer): AfterAnswer {
    return afterAnswer(this.#facts(), this.#size(), answer);
  }

  #facts(): ResizeFacts {
    return {
      claim: readClaim(this.#api.claim),
      volume: readVolume(this.#api.volume),
      driver: { name: DRIVER, controller: this.#driver !== "node-only" },
      memory: this.#memory,
      recovery: this.#api.gates.RecoverExpansionFailure,
      usedByPod: this.usedByPod,
      now: this.#api.now,
      slowRetry: 5 * 60_000,
    };
  }
}

/** The node half, where a pod mounts the volume. */
class Node {
  readonly calls: string[] = [];
  readOnly = false;
  readonly #api: Api;
  readonly #driver: Required<Scene>["driver"];
  #memory: NodeMemory = {};
  #asked: Quantity | undefined;

  constructor(api: Api, driver: Required<Scene>["driver"]) {
    this.#api = api;
    this.#driver = driver;
  }

  looks(): NodeDecision {
    return decideNodeStep(this.#facts());
  }

  /** Writes that it is at work, then calls the driver. */
  starts(): void {
    const decision = this.looks();
    if (decision.kind !== "expand") throw new Error(`the node does not expand: ${decision.kind}`);
    this.#api.patchStatus(decision.record);
    this.#asked = decision.size;
    this.calls.push(decision.size.toString());
  }

  hears(answer: NodeAnswer = { kind: "expanded" }): AfterNodeAnswer {
    if (this.#asked === undefined) throw new Error("the node has not called the driver");
    const after = afterNodeAnswer(this.#facts(), this.#asked, answer);
    this.#api.patchStatus(after.claim);
    this.#memory = after.memory;
    this.#asked = undefined;
    return after;
  }

  #facts(): NodeFacts {
    return {
      claim: readClaim(this.#api.claim),
      volume: readVolume(this.#api.volume),
      canExpand: this.#driver !== "controller-only",
      readOnly: this.readOnly,
      memory: this.#memory,
    };
  }
}

/** The driver fails with this gRPC code. */
export function fails(code: CsiCode): Extract<DriverAnswer, { kind: "failed" }> {
  const { message, final, infeasible, inUse } = new CsiError(code, "the backend says no");
  return { kind: "failed", failure: { message, final, infeasible, inUse } };
}

/** The same, answered to a node. */
export function failsNode(code: CsiCode): NodeAnswer {
  return { kind: "failed", ...fails(code).failure };
}
