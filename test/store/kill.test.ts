/**
 * A process that writes as fast as it can is killed at random moments, again and again, over one file. After each time everything
 * that it said was acknowledged must be there. 20 times in `npm test`; OUTGROW_STORE_KILLS=200 for more.
 */
import { expect, test } from "vitest";
import { FIRST_REVISION, type RevisionedStore } from "../../src/cluster/store/index.ts";
import { readAll } from "../../src/cluster/store/testing/read.ts";
import { temporaryFolder } from "../../src/cluster/store/testing/temporary-folder.ts";
import { createSeeded } from "../../src/kube/testing/seeded.ts";
import { writeUntilKilled } from "./killed-writer.ts";
import { type Intent, type Line, openWorkload, valueOf } from "./workload.ts";

const KILLS = Number(process.env.OUTGROW_STORE_KILLS ?? 20);
const SEED = Number(process.env.OUTGROW_STORE_SEED ?? 4711);

/** What is known from outside: the tag of each key as it was last acknowledged, and the revision as of the last look. */
interface Known {
  readonly tags: Map<string, string | undefined>;
  revision: number;
}

/** Takes in what a writer said; gives back the writes that were asked for and not acknowledged. */
function learn(known: Known, lines: readonly Line[]): Map<string, Intent> {
  const underWay = new Map<number, Intent>();
  const revisions = new Set<number>();
  for (const line of lines) {
    switch (line.say) {
      case "open":
        expect(line.revision).toBe(known.revision);
        break;
      case "intent":
        underWay.set(line.writer, line);
        break;
      case "done": {
        const { key, tag } = underWay.get(line.writer)!;
        underWay.delete(line.writer);
        known.tags.set(key, tag);
        expect(line.revision).toBeGreaterThan(known.revision);
        expect(revisions.has(line.revision)).toBe(false);
        revisions.add(line.revision);
      }
    }
  }
  known.revision = Math.max(known.revision, ...revisions);
  return new Map([...underWay.values()].map((intent) => [intent.key, intent]));
}

/** Every key is as it was acknowledged, or as the write that was under way would leave it; and nothing else is there. */
function checkEntries(store: RevisionedStore, known: Known, inDoubt: ReadonlyMap<string, Intent>): void {
  for (const { key } of store.list({ prefix: "" }).entries) expect(known.tags.has(key) || inDoubt.has(key)).toBe(true);
  for (const key of new Set([...known.tags.keys(), ...inDoubt.keys()])) {
    const { value } = store.get(key) ?? {};
    const acknowledged = known.tags.get(key);
    const intent = inDoubt.get(key);
    const intended = intent === undefined ? acknowledged : intent.tag;
    const allowed = [acknowledged, intended].map((tag) => (tag === undefined ? undefined : valueOf(tag)));
    expect(allowed, `${key} at revision ${store.get(key)?.revision}`).toContain(value);
    if (value === allowed[1]) known.tags.set(key, intended);
  }
}

async function checkHistory(store: RevisionedStore): Promise<void> {
  const watch = store.watch("", store.compacted);
  const reading = readAll(watch);
  await new Promise(setImmediate);
  watch.stop();
  const revisions = (await reading).map(({ revision }) => revision);
  expect(revisions).toEqual(Array.from(revisions, (_, index) => store.compacted + 1 + index));
  expect(revisions.at(-1) ?? store.compacted).toBe(store.revision);
}

test(
  `kill -9 under load, ${KILLS} times: nothing that was acknowledged is lost, nothing is half written`,
  async () => {
    using folder = temporaryFolder();
    const file = folder.join("store.db");
    const seeded = createSeeded(SEED);
    const known: Known = { tags: new Map(), revision: FIRST_REVISION };
    let acknowledged = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const atStart = seeded.chance(0.15);
      const lines = await writeUntilKilled({
        file,
        seed: SEED + kill,
        writers: 1 + seeded.below(16),
        acknowledgements: atStart ? 0 : 1 + seeded.below(150),
        milliseconds: 20 + seeded.below(200),
      });
      acknowledged += lines.filter(({ say }) => say === "done").length;
      const inDoubt = learn(known, lines);

      const store = openWorkload(file);
      try {
        expect(store.revision).toBeGreaterThanOrEqual(known.revision);
        checkEntries(store, known, inDoubt);
        await checkHistory(store);
        // Those that were under way may have had revisions of their own; from here on there are only later ones.
        known.revision = store.revision;
      } finally {
        await store.close();
      }
    }
    expect(acknowledged).toBeGreaterThan(KILLS * 10);
  },
  60_000 + KILLS * 5_000,
);
