/**
 * Where quotas are charged. What is booked is written into the quota's `status.used`, by compare-and-swap, before the object
 * itself is written: two writes that each would fit but not both can never both get through, whoever else writes quotas.
 *
 * Requests of one namespace are taken together: those that come while one round is being written form the next. A round
 * decides them in the order in which they came, and writes each quota once, so that a thousand creations cost a few writes
 * and never meet each other as conflicts.
 *
 * If the object's own write fails later, the charge stays until the quota's usage is computed anew: as upstream.
 */
import { type Booking, bookCharges } from "../../../../admission/quota-booking.ts";
import type { ResourceQuota } from "../../../../core/types.ts";
import { prefixOf } from "../../../store/index.ts";
import { type Kind, resourceName } from "../../kinds/kind.ts";
import { listObjects } from "../../objects/list.ts";
import type { ObjectStore } from "../../objects/object-store.ts";
import { StatusError } from "../../status-error.ts";
import { type KnownKind, read, write } from "../known-kind.ts";

export const QUOTA: KnownKind<ResourceQuota> = { apiVersion: "v1", kind: "ResourceQuota" };

export interface Ledger {
  /**
   * Resolves when the booking is on every quota that counts it, on disk; for a dry run, when there is room for it. Rejects
   * with what `refuse` makes of the reason when a quota has no room.
   */
  charge(request: ChargeRequest): Promise<void>;
  /** Whether a namespace has any quota. Most have none: their requests need no booking, and wait for nobody. */
  limits(namespace: string): boolean;
}

export interface ChargeRequest {
  readonly namespace: string;
  readonly booking: Booking;
  readonly dryRun: boolean;
  /** The error for this reason. */
  readonly refuse: (reason: string) => Error;
}

/** How often a round begins anew because somebody else has written a quota meanwhile: far more often than anybody writes. */
const ROUNDS = 100;

interface Waiting extends ChargeRequest {
  readonly allow: () => void;
  readonly reject: (error: unknown) => void;
}

/** `kind` is the row of ResourceQuota. */
export function createLedger(objects: ObjectStore, kind: Kind): Ledger {
  /** By namespace: those for the next round. A namespace is here for as long as its rounds run. */
  const queues = new Map<string, Waiting[]>();

  const quotasOf = (namespace: string): readonly ResourceQuota[] =>
    listObjects(objects, kind, { namespace }).items.map((object) => read(QUOTA, object));

  async function run(namespace: string): Promise<void> {
    for (let next = queues.get(namespace) ?? []; next.length > 0; next = queues.get(namespace) ?? []) {
      queues.set(namespace, []);
      await settle(namespace, next);
    }
    queues.delete(namespace);
  }

  /** Never rejects: each of the waiting hears what there is to say. */
  async function settle(namespace: string, waiting: readonly Waiting[]): Promise<void> {
    let open = waiting;
    try {
      let stored = quotasOf(namespace);
      for (let round = 1; open.length > 0; round++) {
        const { charged, after } = decide(open, stored);
        open = charged;
        const conflicts = await writeAll(stored, after);
        if (conflicts.length === 0) break;
        if (round === ROUNDS) throw conflicts[0]?.error;
        // The others are charged already. One that was deleted meanwhile limits nobody any more.
        const names = new Set(conflicts.map(({ name }) => name));
        stored = quotasOf(namespace).filter(({ metadata }) => names.has(metadata.name));
      }
      for (const each of open) each.allow();
    } catch (error) {
      for (const each of open) each.reject(error);
    }
  }

  /** Writes what changed; tells which were written by somebody else, or are gone. Throws what else goes wrong. */
  async function writeAll(
    before: readonly ResourceQuota[],
    after: readonly ResourceQuota[],
  ): Promise<readonly { name: string; error: StatusError }[]> {
    const writes = before.map(async (quota, index) => {
      const next = after[index] ?? quota;
      try {
        await objects.replace(kind, write(quota), write(next));
        return [];
      } catch (error) {
        if (!(error instanceof StatusError) || (error.code !== 409 && error.code !== 404)) throw error;
        return [{ name: quota.metadata.name, error }];
      }
    });
    return (await Promise.all(writes)).flat();
  }

  return {
    limits: (namespace) => objects.store.count(prefixOf(resourceName(kind), namespace)) > 0,
    charge({ namespace, ...request }) {
      return new Promise((allow, reject) => {
        const waiting = { namespace, ...request, allow, reject };
        const queue = queues.get(namespace);
        if (queue !== undefined) {
          queue.push(waiting);
          return;
        }
        queues.set(namespace, [waiting]);
        // Behind what is asked for at this very moment, which goes together.
        void Promise.resolve().then(() => run(namespace));
      });
    },
  };
}

/** Answers those that need no write, and gives back the others with the quotas as they are to be written. */
function decide(
  waiting: readonly Waiting[],
  quotas: readonly ResourceQuota[],
): { readonly charged: readonly Waiting[]; readonly after: readonly ResourceQuota[] } {
  const charged: Waiting[] = [];
  let after = quotas;
  for (const each of waiting) {
    const before = after;
    try {
      const answer = bookCharges(each.booking, before);
      if (answer.kind === "refused") each.reject(each.refuse(answer.reason));
      else if (each.dryRun || answer.quotas.every((quota, index) => quota === before[index])) each.allow();
      else {
        charged.push(each);
        after = answer.quotas;
      }
    } catch (error) {
      each.reject(error);
    }
  }
  return { charged, after };
}
