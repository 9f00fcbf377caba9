/**
 * The rules of a Lease: when it may be taken, and what is written then. Pure. Follows
 * k8s.io/client-go/tools/leaderelection: expiry is counted by our own clock from the moment we saw the last change, so
 * clocks of different machines need not agree.
 */
import type { Lease } from "../client/types.ts";

export interface Candidate {
  readonly identity: string;
  /** In milliseconds; written as whole seconds. */
  readonly leaseDuration: number;
  readonly labels: Readonly<Record<string, string>>;
}

/** A lease as it was seen, and when (by a clock that never goes back) it was first seen like that. */
export interface Observation {
  readonly lease: Lease;
  readonly at: number;
}

/** Keeps the moment of the first sight for as long as nobody writes the lease. */
export function observe(before: Observation | undefined, lease: Lease, now: number): Observation {
  const same =
    before?.lease.metadata.uid === lease.metadata.uid &&
    before?.lease.metadata.resourceVersion === lease.metadata.resourceVersion;
  return same && before !== undefined ? before : { lease, at: now };
}

export function holderOf(lease: Lease): string | undefined {
  return lease.spec?.holderIdentity || undefined;
}

/** How long until this candidate may take the lease, in milliseconds: 0 when it is free, expired or its own. */
export function timeUntilFree({ lease, at }: Observation, identity: string, now: number): number {
  const holder = holderOf(lease);
  if (holder === undefined || holder === identity) return 0;
  return Math.max(0, at + (lease.spec?.leaseDurationSeconds ?? 0) * 1000 - now);
}

/** The lease as its first holder creates it. `now`: milliseconds since the epoch. */
export function createdLease(namespace: string, name: string, candidate: Candidate, now: number): Lease {
  return {
    metadata: { namespace, name, labels: { ...candidate.labels } },
    spec: {
      holderIdentity: candidate.identity,
      leaseDurationSeconds: Math.ceil(candidate.leaseDuration / 1000),
      acquireTime: microTime(now),
      renewTime: microTime(now),
      leaseTransitions: 0,
    },
  };
}

/** The lease after the candidate has taken or renewed it. What it does not know stays, the resourceVersion included. */
export function takenLease(lease: Lease, candidate: Candidate, now: number): Lease {
  const own = holderOf(lease) === candidate.identity;
  const transitions = lease.spec?.leaseTransitions ?? 0;
  return {
    ...lease,
    metadata: { ...lease.metadata, labels: { ...lease.metadata.labels, ...candidate.labels } },
    spec: {
      ...lease.spec,
      holderIdentity: candidate.identity,
      leaseDurationSeconds: Math.ceil(candidate.leaseDuration / 1000),
      acquireTime: own ? (lease.spec?.acquireTime ?? microTime(now)) : microTime(now),
      renewTime: microTime(now),
      leaseTransitions: own ? transitions : transitions + 1,
    },
  };
}

/** The lease after its holder has given it up: nobody's, and free for the taking. */
export function releasedLease(lease: Lease, now: number): Lease {
  const moment = microTime(now);
  const spec = { ...lease.spec, holderIdentity: "", leaseDurationSeconds: 1, acquireTime: moment, renewTime: moment };
  return { ...lease, spec };
}

/** Leases want their moments with six digits, no more and no fewer. */
function microTime(moment: number): string {
  return new Date(moment).toISOString().replace("Z", "000Z");
}
