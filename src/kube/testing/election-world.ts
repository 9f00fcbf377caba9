/** Candidates for one lease, on a simulated API server in a time that is moved by hand. */
import { createClient } from "../client/client.ts";
import { LEASES } from "../client/resources.ts";
import type { Lease } from "../client/types.ts";
import {
  createLeaderElection,
  type ElectionOutcome,
  type LeaderElection,
  type LeaderElectionOptions,
  type Term,
} from "../lease/leader-election.ts";
import { type ApiCore, type ApiRequest, createApiCore } from "./api-core.ts";
import type { Fault } from "./faults.ts";
import { createManualTimers, type ManualTimers } from "./manual-timers.ts";
import { type RecordedMetrics, recordMetrics } from "./recorded-metrics.ts";
import { createSeeded } from "./seeded.ts";
import { createVirtualTransport } from "./virtual-transport.ts";

/** The lease. */
export const REF = { namespace: "kube-system", name: "external-resizer" };

export interface ElectionWorld {
  readonly timers: ManualTimers;
  readonly server: ApiCore;
  /** What goes wrong, by the identity of who asks. */
  readonly faults: Map<string, (request: ApiRequest) => Fault | undefined>;
  lease(): Lease;
  write(change: (lease: Lease) => Lease): void;
}

export function createWorld(): ElectionWorld {
  const timers = createManualTimers();
  const faults = new Map<string, (request: ApiRequest) => Fault | undefined>();
  const server = createApiCore({
    timers,
    fault: (request) => faults.get(String(request.headers["user-agent"]))?.(request),
  });
  const store = server.store(LEASES.plural);
  const lease = (): Lease => store.get(`${REF.namespace}/${REF.name}`) as Lease;
  return { timers, server, faults, lease, write: (change) => void store.put(change(lease())) };
}

export interface Candidate {
  readonly election: LeaderElection;
  readonly metrics: RecordedMetrics;
  readonly term: () => Term | undefined;
  /** How it ended, as soon as it has. */
  readonly outcome: () => ElectionOutcome | Error | undefined;
  readonly ended: Promise<void>;
  readonly stop: () => void;
}

/** Work that goes on until it is asked to stop. */
export const obedient = ({ stop }: Term): Promise<void> =>
  new Promise((resolve) => stop.addEventListener("abort", () => resolve(), { once: true }));

export function join(
  world: ElectionWorld,
  identity: string,
  work: (term: Term) => Promise<void> = obedient,
  more: Partial<LeaderElectionOptions> = {},
): Candidate {
  const { timers } = world;
  const seeded = createSeeded(identity.length);
  const client = createClient(createVirtualTransport(world.server, timers, seeded, identity));
  const metrics = recordMetrics();
  const { random } = seeded;
  const election = createLeaderElection({ client, ...REF, identity, timers, random, metrics, ...more });
  const controller = new AbortController();
  let term: Term | undefined;
  let outcome: ElectionOutcome | Error | undefined;
  const ended = election
    .run((given) => {
      term = given;
      return work(given);
    }, controller.signal)
    .then(
      (how) => void (outcome = how),
      (error: Error) => void (outcome = error),
    );
  return { election, metrics, term: () => term, outcome: () => outcome, ended, stop: () => controller.abort() };
}
