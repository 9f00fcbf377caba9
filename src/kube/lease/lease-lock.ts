/** One Lease of the API server, as a lock: taking, renewing and giving it up. Knows nothing of what it guards. */
import { messageOf } from "../../core/errors.ts";
import type { KubeClient } from "../client/client.ts";
import { LEASES } from "../client/resources.ts";
import type { Lease } from "../client/types.ts";
import { isAlreadyExists, isConflict, isNotFound } from "../kube-error.ts";
import type { Logger } from "../logger.ts";
import type { Timers } from "../timers.ts";
import {
  type Candidate,
  createdLease,
  holderOf,
  type Observation,
  observe,
  releasedLease,
  takenLease,
  timeUntilFree,
} from "./lease-record.ts";

export interface LeaseLock {
  /** Who holds it, as far as we know. */
  readonly holder: string | undefined;
  /** When the last write that made or kept it ours was sent, by `timers.elapsed()`; undefined: it is not ours. */
  readonly renewedAt: number | undefined;
  /** Somebody wrote it like this; the time until it is free counts from when that was first seen. */
  see(lease: Lease): void;
  /** How long it is somebody else's as far as we know, in milliseconds; 0: worth a try. */
  timeUntilFree(): number;
  /** Looks, and takes it when it is free, expired or ours already. False: somebody else has it, or was faster. */
  tryTake(signal: AbortSignal): Promise<boolean>;
  /** Renews with what is known, without a look first. False: somebody wrote it; then `tryTake` tells. */
  tryRenew(signal: AbortSignal): Promise<boolean>;
  /** Makes it nobody's. */
  release(signal: AbortSignal): Promise<void>;
  /** It is not ours any more, whatever the server says. */
  drop(): void;
}

export interface LeaseLockOptions {
  readonly client: Pick<KubeClient, "get" | "create" | "update">;
  readonly namespace: string;
  readonly name: string;
  readonly candidate: Candidate;
  readonly timers: Timers;
  readonly logger: Logger;
}

export function createLeaseLock(options: LeaseLockOptions): LeaseLock {
  const { client, namespace, name, candidate, timers, logger } = options;
  let seen: Observation | undefined;
  let renewedAt: number | undefined;

  /** False when somebody else was faster. */
  async function write(sending: () => Promise<Lease>): Promise<boolean> {
    const sent = timers.elapsed();
    try {
      seen = { lease: await sending(), at: sent };
    } catch (error) {
      if (isConflict(error) || isAlreadyExists(error)) return false;
      throw error;
    }
    renewedAt = sent;
    return true;
  }

  return {
    get holder() {
      return seen === undefined ? undefined : holderOf(seen.lease);
    },
    get renewedAt() {
      return renewedAt;
    },
    see(lease) {
      seen = observe(seen, lease, timers.elapsed());
    },
    timeUntilFree: () => (seen === undefined ? 0 : timeUntilFree(seen, candidate.identity, timers.elapsed())),

    async tryTake(signal) {
      let lease: Lease;
      try {
        lease = await client.get(LEASES, { namespace, name }, {}, signal);
      } catch (error) {
        if (!isNotFound(error)) throw error;
        seen = undefined;
        const first = createdLease(namespace, name, candidate, timers.now());
        return write(() => client.create(LEASES, first, {}, signal));
      }
      seen = observe(seen, lease, timers.elapsed());
      if (timeUntilFree(seen, candidate.identity, timers.elapsed()) > 0) return false;
      return write(() => client.update(LEASES, takenLease(lease, candidate, timers.now()), {}, signal));
    },

    async tryRenew(signal) {
      if (seen === undefined) return false;
      const renewed = takenLease(seen.lease, candidate, timers.now());
      try {
        return await write(() => client.update(LEASES, renewed, {}, signal));
      } catch (error) {
        signal.throwIfAborted();
        // It may have been deleted, or the answer got lost: a fresh look tells.
        logger.debug({ lease: name, reason: messageOf(error) }, "the lease was not renewed at the first attempt");
        return false;
      }
    },

    async release(signal) {
      if (seen === undefined) return;
      const give = (lease: Lease): Promise<Lease> =>
        client.update(LEASES, releasedLease(lease, timers.now()), {}, signal);
      try {
        seen = { lease: await give(seen.lease), at: timers.elapsed() };
      } catch (error) {
        if (!isConflict(error)) throw error;
        // A renewal of ours whose answer was not waited for, or somebody else's.
        const lease = await client.get(LEASES, { namespace, name }, {}, signal);
        if (holderOf(lease) === candidate.identity) seen = { lease: await give(lease), at: timers.elapsed() };
      }
    },

    drop() {
      renewedAt = undefined;
    },
  };
}
