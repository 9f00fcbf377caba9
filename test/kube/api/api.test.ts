/**
 * The same stories on our server and on Kubernetes' own. What differs is in differences.json, with a reason each; a difference that
 * is not there, or one there that is none any more, fails.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectKnown, readDifferences } from "../known-differences.ts";
import { differences } from "./normal.ts";
import { type Server, startOurs, startTheirs } from "./server.ts";
import { STORIES } from "./stories/index.ts";
import { playOn } from "./story.ts";

const KNOWN = readDifferences(import.meta.dirname);
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
  expectKnown(KNOWN, story.name, found);
});
