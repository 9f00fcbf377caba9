/**
 * The world of one claim, small enough to be looked at in every state: the claim and the volume as the API server holds
 * them, the storage behind, one node, and two controllers of which one holds the lease.
 *
 * Sizes are small whole numbers (Gi). The claim is a real object, and every read and write of it goes through the very
 * functions that run in production; equal claims are one and the same object, so that a state can be told by numbers.
 */
import { type ClaimView, readClaim } from "../../../src/core/claim.ts";
import { applyClaimChange, type ClaimChange } from "../../../src/core/claim-change.ts";
import { TODAY } from "../../../src/core/dialect.ts";
import { Quantity } from "../../../src/core/quantity.ts";
import type { PersistentVolumeClaim } from "../../../src/core/types.ts";
import type { VolumeView } from "../../../src/core/volume.ts";
import type { NodeAnswer } from "../../../src/node/decide/answer.ts";
import type { DriverAnswer } from "../../../src/resize/decide/answer.ts";
import type { Decision } from "../../../src/resize/decide/decision.ts";

export const UID = "claim-1";
export const DRIVER = "driver.example";

/** Where a controller is in its step. Each boundary is a place where it can die, or be overtaken. */
export type ControllerAt =
  /** Between steps. */
  | "idle"
  /** Has decided; the record is not written yet. */
  | "recording"
  /** The record was there already; the claim is to be read afresh before the call. */
  | "verifying"
  /** May call the driver now. */
  | "calling"
  /** The driver is at work. */
  | "waiting"
  /** The driver has answered; the volume is not patched yet. */
  | "writing-volume"
  /** The volume is patched; the claim is not. */
  | "writing-claim";

export interface Controller {
  readonly at: ControllerAt;
  /** Nobody has written the claim since it was read. */
  readonly fresh: boolean;
  /** Nobody has written the volume since it was read. */
  readonly freshVolume: boolean;
  /** The volume's capacity as its cache has it. */
  readonly seenVolume: number;
  /** The claim as its cache has it, where the two can differ; undefined: as it is. */
  readonly seenClaim: PersistentVolumeClaim | undefined;
  readonly decision: Extract<Decision, { kind: "expand" | "record" }> | undefined;
  readonly answer: DriverAnswer | undefined;
  /** What it remembers: the size that was refused (0: none), whether an infeasible size is to wait, whether in use. */
  readonly refused: number;
  readonly slow: boolean;
  readonly inUse: boolean;
  readonly owned: boolean;
}

export type NodeAt = "idle" | "recording" | "calling" | "waiting" | "writing-claim";

export interface Node {
  readonly at: NodeAt;
  readonly fresh: boolean;
  readonly size: number;
  readonly record: ClaimChange | undefined;
  readonly answer: NodeAnswer | undefined;
  readonly refused: number;
  readonly inUse: boolean;
}

export interface World {
  /** What the API server holds. */
  readonly claim: PersistentVolumeClaim;
  readonly volume: number;
  /** The largest size that the backend was asked for and has done; 0 where there is none (node-only). */
  readonly done: number;
  /** What the backend really has: the same, or rounded up. */
  readonly real: number;
  /** The size of the file system on the node. */
  readonly fileSystem: number;
  /** A call that nobody waits for any more, but which the driver may still complete: its size, or 0. */
  readonly lateController: number;
  readonly lateNode: number;
  /** The size of the last controller call whose outcome nobody was told, or 0. */
  readonly doubt: number;
  /** A pod uses the claim. */
  readonly pod: boolean;
  /** The gate RecoverExpansionFailure. */
  readonly gate: boolean;
  /** The one that holds the lease, and one that held it before. */
  readonly controllers: readonly [Controller, Controller];
  readonly node: Node;
  /** A rule that the last move broke by what it did, not by where it led. */
  readonly crime: string | undefined;
}

const QUANTITIES = Array.from({ length: 16 }, (_, n) => Quantity.bytes(BigInt(n) << 30n));

export function toQuantity(size: number): Quantity {
  return QUANTITIES[size] as Quantity;
}

export function toSize(quantity: Quantity | undefined): number {
  return quantity === undefined ? 0 : Number(quantity.toBytes() >> 30n);
}

const CLAIMS = new Map<string, PersistentVolumeClaim>();
const CLAIM_KEYS = new Map<PersistentVolumeClaim, number>();
const VIEWS = new Map<PersistentVolumeClaim, ClaimView>();

/** The one object that stands for all claims equal to this one. */
export function intern(claim: PersistentVolumeClaim): PersistentVolumeClaim {
  if (CLAIM_KEYS.has(claim)) return claim;
  const text = JSON.stringify([claim.spec, sorted(claim.status), claim.metadata.annotations ?? null]);
  const known = CLAIMS.get(text);
  if (known !== undefined) return known;
  CLAIMS.set(text, claim);
  CLAIM_KEYS.set(claim, CLAIMS.size);
  VIEWS.set(claim, readClaim(claim));
  return claim;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, entry]) => [key, sorted(entry)]),
  );
}

export function view(claim: PersistentVolumeClaim): ClaimView {
  return VIEWS.get(claim) as ClaimView;
}

export function claimKey(claim: PersistentVolumeClaim): number {
  return CLAIM_KEYS.get(claim) as number;
}

interface Changed {
  readonly claim: PersistentVolumeClaim;
  /** It is a real write: the claim gets a new version, even where the model does not tell the two apart. */
  readonly writes: boolean;
}

const CHANGES = new WeakMap<ClaimChange, Map<PersistentVolumeClaim, Changed>>();

/** The claim after a change. Moments are not part of the model: time passes by a move of its own. */
export function changed(claim: PersistentVolumeClaim, change: ClaimChange): Changed {
  let results = CHANGES.get(change);
  if (results === undefined) CHANGES.set(change, (results = new Map()));
  let result = results.get(claim);
  if (result === undefined) {
    const next = applyClaimChange(claim, change, TODAY, 0);
    result = { claim: intern(withoutMoments(next)), writes: next !== claim };
    results.set(claim, result);
  }
  return result;
}

function withoutMoments(claim: PersistentVolumeClaim): PersistentVolumeClaim {
  const conditions = claim.status?.conditions?.map(({ type, status, message }) =>
    message === undefined ? { type, status } : { type, status, message },
  );
  return conditions === undefined ? claim : { ...claim, status: { ...claim.status, conditions } };
}

/** The claim with another request. */
export const requesting = memoize(
  (claim: PersistentVolumeClaim, size: number) => `${claimKey(claim)} ${size}`,
  (claim, size) => {
    const storage = toQuantity(size).toString();
    return intern({ ...claim, spec: { ...claim.spec, resources: { requests: { storage } } } });
  },
);

export function volumeView(capacity: number): VolumeView {
  return {
    name: "pv-1",
    capacity: toQuantity(capacity),
    driver: DRIVER,
    claimNamespace: "default",
    claimUid: UID,
    annotations: {},
  };
}

export function newClaim(size: number): PersistentVolumeClaim {
  const storage = toQuantity(size).toString();
  return intern({
    metadata: { name: "data", namespace: "default", uid: UID },
    spec: {
      accessModes: ["ReadWriteOnce"],
      storageClassName: "standard",
      volumeName: "pv-1",
      resources: { requests: { storage } },
    },
    status: { phase: "Bound", capacity: { storage } },
  });
}

export const IDLE_CONTROLLER: Controller = {
  at: "idle",
  fresh: false,
  freshVolume: false,
  seenVolume: 0,
  seenClaim: undefined,
  decision: undefined,
  answer: undefined,
  refused: 0,
  slow: false,
  inUse: false,
  owned: false,
};

export const IDLE_NODE: Node = {
  at: "idle",
  fresh: false,
  size: 0,
  record: undefined,
  answer: undefined,
  refused: 0,
  inUse: false,
};

const PARTS = new Map<string, number>();
const PART_KEYS = new WeakMap<object, number>();

/** A small number for a value of which there are few. Looked up by identity, so it pays to hand in the same object. */
export function partKey(value: object | undefined): number {
  if (value === undefined) return 0;
  const known = PART_KEYS.get(value);
  if (known !== undefined) return known;
  const text = JSON.stringify(value, (_, entry: unknown) => (entry instanceof Quantity ? toSize(entry) : entry));
  const key = PARTS.get(text) ?? PARTS.size + 1;
  PARTS.set(text, key);
  PART_KEYS.set(value, key);
  return key;
}

const CONTROLLER_PLACES: readonly ControllerAt[] = [
  "idle",
  "recording",
  "verifying",
  "calling",
  "waiting",
  "writing-volume",
  "writing-claim",
];
const NODE_PLACES: readonly NodeAt[] = ["idle", "recording", "calling", "waiting", "writing-claim"];

/** Everything that makes two worlds differ, as a short text. */
export function worldKey(world: World): string {
  const [first, second] = world.controllers;
  const { node } = world;
  return String.fromCharCode(
    claimKey(world.claim),
    (world.volume << 8) | (world.done << 4) | world.real,
    (world.fileSystem << 12) | (world.lateController << 8) | (world.lateNode << 4) | world.doubt,
    (world.pod ? 1 : 0) | (world.gate ? 2 : 0) | (NODE_PLACES.indexOf(node.at) << 3),
    (node.fresh ? 1 : 0) | (node.inUse ? 2 : 0) | (node.size << 2) | (node.refused << 6),
    partKey(node.record),
    partKey(node.answer),
    ...controllerKey(first),
    ...controllerKey(second),
  );
}

function controllerKey(self: Controller): number[] {
  const flags = (self.fresh ? 1 : 0) | (self.freshVolume ? 2 : 0) | (self.slow ? 4 : 0) | (self.inUse ? 8 : 0);
  return [
    flags |
      (CONTROLLER_PLACES.indexOf(self.at) << 4) |
      (self.seenVolume << 7) |
      (self.refused << 11) |
      (self.owned ? 1 << 15 : 0),
    self.seenClaim === undefined ? 0 : claimKey(self.seenClaim),
    partKey(self.decision),
    partKey(self.answer),
  ];
}

/** Remembers what a pure function gave for a key: the rules are asked the same question in very many states. */
export function memoize<A extends unknown[], R>(
  keyOf: (...args: A) => string,
  f: (...args: A) => R,
): (...args: A) => R {
  const results = new Map<string, R>();
  return (...args) => {
    const key = keyOf(...args);
    if (results.has(key)) return results.get(key) as R;
    const result = f(...args);
    results.set(key, result);
    return result;
  };
}
