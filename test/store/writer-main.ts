/**
 * `node writer-main.ts FILE SEED WRITERS`: writes to the store until it is killed, and says on standard output what it is about to do
 * and what was acknowledged. Each line is handed to the system at once: what was said is known, whatever happens next.
 */
import { writeSync } from "node:fs";
import { createSeeded } from "../../src/kube/testing/seeded.ts";
import { type Line, openWorkload, valueOf } from "./workload.ts";

const KEYS_PER_WRITER = 12;

const [file = "", seed = "", writers = ""] = process.argv.slice(2);
const seeded = createSeeded(Number(seed));
const say = (line: Line) => writeSync(1, `${JSON.stringify(line)}\n`);

const store = openWorkload(file);
say({ say: "open", revision: store.revision });
await Promise.all(Array.from({ length: Number(writers) }, (_, writer) => writeForever(writer)));

async function writeForever(writer: number): Promise<never> {
  for (;;) {
    const key = `w${writer}/k${seeded.below(KEYS_PER_WRITER)}`;
    const current = store.get(key);
    const remove = current !== undefined && seeded.chance(0.3);
    const tag = remove ? undefined : `${seed}-${writer}-${seeded.below(36 ** 6).toString(36)}`;
    say({ say: "intent", writer, key, tag });
    const { revision } = await (current === undefined
      ? store.create(key, valueOf(tag ?? ""))
      : tag === undefined
        ? store.delete(key, current.revision)
        : store.update(key, current.revision, valueOf(tag)));
    say({ say: "done", writer, revision });
  }
}
