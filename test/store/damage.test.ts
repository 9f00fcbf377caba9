/**
 * Files that were cut, torn or changed. Whatever is done to one: either it opens with all that was acknowledged, or it is
 * refused and left as it is. The one exception is in the nature of a log: of its end, nobody can tell whether it was cut off or never written.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TemporaryFolder, temporaryFolder } from "../../src/cluster/store/testing/temporary-folder.ts";
import { createSeeded } from "../../src/kube/testing/seeded.ts";
import { makeStoredFiles, type Outcome, type StoredFiles, tryToOpen } from "./stored-files.ts";

const PAGE = 4096;
const WAL_HEADER = 32;
const FRAME = 24 + PAGE;
const NO_WAL = Buffer.alloc(0);

let folder: TemporaryFolder;
let closed: StoredFiles;
let crashed: StoredFiles;

beforeAll(async () => {
  folder = temporaryFolder();
  closed = await makeStoredFiles({ closed: true });
  crashed = await makeStoredFiles({ closed: false });
});
afterAll(() => folder[Symbol.dispose]());

const whole = ({ states }: StoredFiles) => states.at(-1);
const flipped = (bytes: Buffer, at: number, bit: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[at] = copy[at]! ^ (1 << bit);
  return copy;
};

/** Opened whole, or refused and untouched. */
function expectAllOrRefusal(outcome: Outcome, files: StoredFiles, what: string): void {
  if (outcome.opened) expect(outcome.state === whole(files), what).toBe(true);
  else expect(outcome, what).toMatchObject({ code: expect.stringMatching(/^STORE_/), untouched: true });
}

describe("undamaged files", () => {
  test("open, with and without a log", async () => {
    expect(await tryToOpen(folder, closed.main, NO_WAL)).toEqual({ opened: true, state: whole(closed) });
    expect(crashed.wal.length).toBeGreaterThan(20 * FRAME);
    expect(await tryToOpen(folder, crashed.main, crashed.wal)).toEqual({ opened: true, state: whole(crashed) });
  });
});

describe("a file", () => {
  test("that ends at any earlier page is refused and left as it is", async () => {
    expect(closed.main.length % PAGE).toBe(0);
    for (let size = 0; size < closed.main.length; size += PAGE) {
      const outcome = await tryToOpen(folder, closed.main.subarray(0, size), NO_WAL);
      expect(outcome, `cut at ${size}`).toMatchObject({ opened: false, code: "STORE_DAMAGED", untouched: true });
    }
  });

  test("that ends in the middle of a page is refused and left as it is", async () => {
    const seeded = createSeeded(3);
    for (let page = 0; page < closed.main.length / PAGE; page++) {
      const size = page * PAGE + 1 + seeded.below(PAGE - 1);
      const outcome = await tryToOpen(folder, closed.main.subarray(0, size), NO_WAL);
      expect(outcome, `cut at ${size}`).toMatchObject({ opened: false, untouched: true });
    }
  });

  test("that lost pages which its log still has is whole; otherwise it is refused", async () => {
    let whole = 0;
    for (let size = PAGE; size < crashed.main.length; size += PAGE) {
      const outcome = await tryToOpen(folder, crashed.main.subarray(0, size), crashed.wal);
      expectAllOrRefusal(outcome, crashed, `cut at ${size}`);
      if (outcome.opened) whole++;
    }
    expect(whole).toBeGreaterThan(0);
  });

  test("with one bit changed is whole or refused, wherever it is", async () => {
    const seeded = createSeeded(31);
    let refused = 0;
    for (let n = 0; n < 300; n++) {
      const at = n < 100 ? n : seeded.below(closed.main.length);
      const outcome = await tryToOpen(folder, flipped(closed.main, at, seeded.below(8)), NO_WAL);
      expectAllOrRefusal(outcome, closed, `byte ${at}`);
      if (!outcome.opened) refused++;
    }
    expect(refused).toBeGreaterThan(100);
  });

  test("with a page of zeros in it is whole or refused", async () => {
    for (let at = 0; at < closed.main.length; at += PAGE) {
      const zeroed = Buffer.from(closed.main).fill(0, at, at + PAGE);
      expectAllOrRefusal(await tryToOpen(folder, zeroed, NO_WAL), closed, `page at ${at}`);
    }
  });

  test("says what is wrong with it, and the way out", async () => {
    const at = closed.main.indexOf("zzzzzzzz");
    const outcome = await tryToOpen(folder, flipped(closed.main, at, 1), NO_WAL);
    expect(outcome).toMatchObject({
      message: expect.stringMatching(
        /tried\.db has a wrong checksum at revision \d+; it was left as it is\. Restore it/,
      ),
    });
  });
});

describe("a log", () => {
  /** Where the last transaction begins: behind the last but one frame that ends one. */
  const lastTransaction = (): number => {
    const ends: number[] = [];
    for (let at = WAL_HEADER; at + FRAME <= crashed.wal.length; at += FRAME) {
      if (crashed.wal.readUInt32BE(at + 4) !== 0) ends.push(at + FRAME);
    }
    return ends.at(-2)!;
  };

  test("that is cut off anywhere leaves one of the states that there were, never a mixture", async () => {
    const seeded = createSeeded(5);
    const seen = new Set<number>();
    for (let frame = 0; WAL_HEADER + frame * FRAME <= crashed.wal.length; frame++) {
      for (const size of [WAL_HEADER + frame * FRAME, WAL_HEADER + frame * FRAME + seeded.below(FRAME)]) {
        const outcome = await tryToOpen(folder, crashed.main, crashed.wal.subarray(0, size));
        const place = outcome.opened ? crashed.states.indexOf(outcome.state) : -1;
        expect(place, `cut at ${size}`).toBeGreaterThanOrEqual(0);
        seen.add(place);
      }
    }
    expect(seen.size).toBe(crashed.states.length);
  });

  test("with one bit changed is refused when acknowledged writes would be dropped", async () => {
    const seeded = createSeeded(77);
    const last = lastTransaction();
    for (let n = 0; n < 200; n++) {
      const at = n < WAL_HEADER ? n : seeded.below(last);
      const outcome = await tryToOpen(folder, crashed.main, flipped(crashed.wal, at, seeded.below(8)));
      expectAllOrRefusal(outcome, crashed, `byte ${at}`);
    }
  });

  test("is refused also when the salts are changed where the last but one transaction ends", async () => {
    const header = lastTransaction() - FRAME;
    for (let at = header + 8; at < header + 24; at++) {
      const outcome = await tryToOpen(folder, crashed.main, flipped(crashed.wal, at, at % 8));
      expect(outcome, `byte ${at}`).toMatchObject({ opened: false, code: "STORE_DAMAGED", untouched: true });
    }
  });

  test("whose last transaction is torn leaves everything before it", async () => {
    const outcome = await tryToOpen(folder, crashed.main, flipped(crashed.wal, lastTransaction() + 100, 0));
    expect(outcome).toEqual({ opened: true, state: crashed.states.at(-2) });
  });
});
