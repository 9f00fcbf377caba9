/**
 * kubectl at the terminal, on our server and on Kubernetes' own: what it prints and how it ends. What differs is in
 * differences.json, with a reason each; a difference that is not there, or one there that is none any more, fails.
 */
import { afterAll, beforeAll, test } from "vitest";
import { expectKnown, readDifferences } from "../known-differences.ts";
import { type Server, startOurs, startTheirs } from "./server.ts";
import { playOn } from "./session.ts";
import { SESSIONS } from "./sessions/index.ts";
import { textDifferences } from "./text-differences.ts";

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

test.each(SESSIONS)("$name", async (session) => {
  const [mine, real] = await Promise.all([playOn(ours, session), playOn(theirs, session)]);
  const found = mine.flatMap(({ command, code, stdout, stderr }, index) => {
    const other = real[index];
    return [
      ...textDifferences(`exit code ${code}`, `exit code ${other?.code}`),
      ...textDifferences(stdout, other?.stdout ?? ""),
      ...textDifferences(stderr, other?.stderr ?? ""),
    ].map((text) => `${command} | ${text}`);
  });
  expectKnown(KNOWN, session.name, found);
});
