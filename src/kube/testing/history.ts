/** One life of an informer: what happens on the server, what we write ourselves, and what must hold in the end. */
import { expect } from "vitest";
import type { KubeObject } from "../../core/types.ts";
import type { KubeClient } from "../client/client.ts";
import { defineResource, type Resource, refOf } from "../client/resource.ts";
import { type Informer, startInformer } from "../informer/informer.ts";
import { KubeError } from "../kube-error.ts";
import { sleep, type Timers } from "../timers.ts";
import type { ApiCore } from "./api-core.ts";
import { createFollower } from "./follower.ts";
import { createSeeded, type Seeded } from "./seeded.ts";

export interface History {
  readonly seed: number;
  readonly seeded: Seeded;
  readonly resource: Resource;
  /** It watches a selection. */
  readonly selective: boolean;
  /** It holds only a part of what it sees. */
  readonly partial: boolean;
  /** It meets replicas that are behind. */
  readonly stale: boolean;
  /** It asks for streaming lists. */
  readonly streaming: boolean;
  /** Faults happen. */
  stormy: boolean;
}

export function createHistory(seed: number): History {
  const seeded = createSeeded(seed);
  return {
    seed,
    seeded,
    resource: defineResource("v1", "Thing", `things-${seed}`),
    selective: seeded.chance(0.5),
    partial: seeded.chance(0.3),
    stale: seeded.chance(0.25),
    streaming: seeded.chance(0.5),
    stormy: true,
  };
}

export interface World {
  readonly server: Pick<ApiCore, "store" | "bookmark">;
  readonly client: KubeClient;
  readonly timers: Timers;
  /** Breaks all connections. */
  readonly crash: () => void;
}

const STEPS = 60;

/** Lives through the storm and the calm after it. Rejects, naming the seed, when something does not hold. */
export async function live(history: History, world: World): Promise<void> {
  const { seed, seeded, resource } = history;
  const { timers } = world;
  const informer = startInformer<KubeObject>({
    client: world.client,
    resource,
    labelSelector: history.selective ? "app=db" : undefined,
    trim: (object) => (isHeld(history, object) ? object : undefined),
    streaming: history.streaming,
    timers,
    random: seeded.random,
  });
  const follower = createFollower(!history.stale);
  informer.addHandler(follower.handler);
  for (let i = 0; i < STEPS; i++) await step(history, world, informer);
  history.stormy = false;

  const wanted = (): string =>
    show(
      world.server
        .store(resource.plural)
        .list()
        ?.filter((o) => isWanted(history, o)) ?? [],
    );
  // Long enough for a watch that was silenced in the storm to be noticed.
  for (let seconds = 0; seconds < 3600 && show(informer.values()) !== wanted(); seconds += 5)
    await sleep(timers, 5_000);
  const name = `history ${seed}`;
  expect(show(informer.values()), name).toBe(wanted());
  expect(show(follower.view.values()), name).toBe(wanted());
  expect(follower.problems, name).toEqual([]);
  await informer.stop();
}

async function step(
  history: History,
  { server, client, timers, crash }: World,
  informer: Informer<KubeObject>,
): Promise<void> {
  const { seeded, resource } = history;
  const store = server.store(resource.plural);
  const name = `t${seeded.below(8)}`;
  const labels = { app: seeded.pick(["db", "web"]), hidden: seeded.pick(["yes", "no"]), n: String(seeded.below(1000)) };
  // Some things happen at once, some while the informer is busy with the last one, some long after.
  await sleep(timers, seeded.pick([0, 0, 10, 50, 1_000, 20_000]) * seeded.random());
  switch (seeded.below(13)) {
    case 0:
    case 1:
    case 2:
      store.remove(`ns/${name}`);
      return;
    case 3:
      store.compact(seeded.below(4));
      return;
    case 4:
      server.bookmark(resource.plural);
      return;
    case 5:
      if (seeded.chance(0.3)) crash();
      return;
    case 6:
    case 7:
    case 8: {
      const held = [...informer.values()][seeded.below(informer.size)];
      if (held !== undefined) await write(client, resource, informer, held, labels);
      return;
    }
    default:
      store.put({ metadata: { namespace: "ns", name, labels } });
  }
}

async function write(
  client: KubeClient,
  resource: Resource,
  informer: Informer<KubeObject>,
  held: KubeObject,
  labels: Record<string, string>,
): Promise<void> {
  const { resourceVersion = "" } = held.metadata;
  try {
    const body = { metadata: { labels, resourceVersion } };
    informer.observe(await client.patch(resource, refOf(held), { type: "merge", body }), resourceVersion);
  } catch (error) {
    // Refused, lost, or in doubt: all of that is life.
    if (!(error instanceof KubeError)) throw error;
  }
}

function isHeld({ partial }: History, { metadata }: KubeObject): boolean {
  return !partial || metadata.labels?.["hidden"] !== "yes";
}

function isWanted(history: History, object: KubeObject): boolean {
  return isHeld(history, object) && (!history.selective || object.metadata.labels?.["app"] === "db");
}

function show(objects: Iterable<KubeObject>): string {
  return [...objects]
    .map(
      ({ metadata }) =>
        `${metadata.name}@${metadata.resourceVersion} ${metadata.uid} ${JSON.stringify(metadata.labels)}`,
    )
    .sort()
    .join("\n");
}
