/**
 * The same stories on our server and on Kubernetes' own. What differs is in differences.json, with a reason each; a difference that
 * is not there, or one there that is none any more, fails.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { differences } from "./normal.ts";
import { type Server, startOurs, startTheirs } from "./server.ts";
import { STORIES } from "./stories/index.ts";
import { playOn } from "./story.ts";

interface Known {
  readonly story: string;
  /** A regular expression over `title: path: ours …, theirs …`. */
  readonly differs: string;
  readonly reason: string;
}

const KNOWN = JSON.parse(readFileSync(join(import.meta.dirname, "differences.json"), "utf8")) as readonly Known[];
let ours: Server;
let theirs: Server;
beforeAll(async () => {
  [ours, theirs] = await Promise.all([startOurs(), startTheirs()]);
});
afterAll(async () => {
  await ours?.stop();
  await theirs?.stop();
});

test.each(STORIES)("$name", async (story) => {
  const [mine, real] = await Promise.all([playOn(ours, story), playOn(theirs, story)]);
  expect(mine.map(({ title }) => title)).toEqual(real.map(({ title }) => title));
  const found = mine.flatMap(({ title, value }, index) =>
    differences(value, real[index]?.value).map((text) => `${title}: ${text}`),
  );
  const known = KNOWN.filter((each) => each.story === story.name || each.story === "*");
  expect(found.filter((text) => !known.some(({ differs }) => new RegExp(differs).test(text)))).toEqual([]);
  const gone = known.filter((each) => each.story !== "*" && !found.some((text) => new RegExp(each.differs).test(text)));
  expect(gone, "differences that are none any more").toEqual([]);
});
