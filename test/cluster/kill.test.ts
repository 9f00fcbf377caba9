/**
 * The API server as people start it, killed at random moments while many clients write, again and again over one folder. After
 * each time everything that was acknowledged must be there. 12 times in `npm test`; OUTGROW_API_KILLS=200 for more.
 */
import { expect, test } from "vitest";
import { temporaryFolder } from "../../src/cluster/store/testing/temporary-folder.ts";
import { createSeeded } from "../../src/kube/testing/seeded.ts";
import {
  MAPS,
  type Seen,
  type Server,
  type StoredMap,
  seenOf,
  startServer,
  type Write,
  watchFrom,
  writeUntilKilled,
} from "./killed-server.ts";
import { createTestClient } from "./target.ts";

const KILLS = Number(process.env.OUTGROW_API_KILLS ?? 12);
const SEED = Number(process.env.OUTGROW_API_SEED ?? 4712);

/** What is there as of one version. */
interface Snapshot {
  readonly version: number;
  readonly objects: ReadonlyMap<string, Seen>;
}

async function list({ access }: Server): Promise<Snapshot> {
  await using client = createTestClient(access);
  const { json } = await client.send("GET", MAPS);
  const { metadata, items } = json as { metadata: { resourceVersion: string }; items: StoredMap[] };
  const seen = items.map((item) => seenOf("", item));
  return { version: Number(metadata.resourceVersion), objects: new Map(seen.map((each) => [each.name, each])) };
}

/** Every object is as it was last acknowledged, or as the write under way on it would leave it; and nothing else is there. */
function checkAcknowledged(before: Snapshot, writes: readonly Write[], after: Snapshot): void {
  const expected = new Map<string, Seen | undefined>(before.objects);
  const inDoubt = writes.filter(({ version }) => version === undefined);
  for (const { name = "", tag, version } of writes) {
    if (version === undefined) continue;
    expect(version === 0 || version > before.version).toBe(true);
    expected.set(name, version === 0 ? undefined : { type: "", name, tag, version });
  }
  const doubtful = (name: string, found: Seen | undefined): boolean =>
    inDoubt.some((write) => (write.name === undefined || write.name === name) && write.tag === found?.tag);
  for (const name of new Set([...expected.keys(), ...after.objects.keys()])) {
    const found = after.objects.get(name);
    const wanted = expected.get(name);
    if (found?.tag === wanted?.tag && found?.version === wanted?.version) continue;
    expect(
      doubtful(name, found),
      `${name} is ${JSON.stringify(found)} and was acknowledged as ${JSON.stringify(wanted)}`,
    ).toBe(true);
    expect(found?.version ?? Number.POSITIVE_INFINITY).toBeGreaterThan(wanted?.version ?? 0);
  }
}

/** A watch that goes on from a version that was acknowledged leads to what is there now, through all that others saw. */
function checkHistory(
  before: Snapshot,
  events: readonly Seen[],
  seenLive: readonly Seen[],
  writes: readonly Write[],
  after: Snapshot,
): void {
  const versions = events.map(({ version }) => version);
  expect(versions).toEqual(versions.toSorted((a, b) => a - b));
  expect(new Set(versions).size).toBe(versions.length);
  const replayed = new Map(before.objects);
  for (const { type, name, tag, version } of events) {
    expect(replayed.has(name)).toBe(type !== "ADDED");
    if (type === "DELETED") replayed.delete(name);
    else replayed.set(name, { type: "", name, tag, version });
  }
  expect(replayed).toEqual(after.objects);
  expect(events.slice(0, seenLive.length)).toEqual(seenLive);
  const told = new Set(versions);
  for (const { version = 0 } of writes) expect(version === 0 || told.has(version)).toBe(true);
}

test(
  `kill -9 under load, ${KILLS} times: nothing that was acknowledged is lost, and watches go on without a gap`,
  async () => {
    using folder = temporaryFolder();
    const seeded = createSeeded(SEED);
    let server = await startServer(folder.path);
    let acknowledged = 0;
    try {
      for (let round = 0; round < KILLS; round++) {
        const before = await list(server);
        const live = watchFrom(server.access, before.version);
        const load = { round, clients: 1 + seeded.below(24), acknowledgements: 1 + seeded.below(150) };
        const writes = await writeUntilKilled(server, seeded, load, new Set(before.objects.keys()));
        acknowledged += writes.filter(({ version }) => version !== undefined).length;
        // Now and then it is killed again before it has come up.
        if (seeded.chance(0.2)) await startServer(folder.path, 50 + seeded.below(400));

        server = await startServer(folder.path);
        const after = await list(server);
        expect(after.version).toBeGreaterThanOrEqual(before.version);
        checkAcknowledged(before, writes, after);

        await using client = createTestClient(server.access);
        const events = watchFrom(server.access, before.version, "mark");
        await client.send("POST", MAPS, { body: { metadata: { name: "mark" } } });
        checkHistory(before, (await events).slice(0, -1), await live, writes, after);
        const mark = await client.send("DELETE", `${MAPS}/mark`);
        expect(mark.code).toBe(200);
      }
      expect(acknowledged).toBeGreaterThan(KILLS * 10);
    } finally {
      await server.kill();
    }
  },
  60_000 + KILLS * 15_000,
);
