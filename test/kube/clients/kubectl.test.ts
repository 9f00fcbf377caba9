/**
 * kubectl at the terminal, on our server and on Kubernetes' own: what it prints and how it ends. What differs is in
 * differences.json, with a reason each; a difference that is not there, or one there that is none any more, fails.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Server, startOurs, startTheirs } from "./server.ts";
import { playOn } from "./session.ts";
import { SESSIONS } from "./sessions/index.ts";
import { textDifferences } from "./text-differences.ts";

interface Known {
  /** The session's name, or `*` for a difference that any may show. */
  readonly session: string;
  /** A regular expression over `command | ours: line` and `command | theirs: line`. */
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
  const known = KNOWN.filter((each) => each.session === session.name || each.session === "*");
  expect(found.filter((text) => !known.some(({ differs }) => new RegExp(differs).test(text)))).toEqual([]);
  const gone = known.filter(
    (each) => each.session !== "*" && !found.some((text) => new RegExp(each.differs).test(text)),
  );
  expect(gone, "differences that are none any more").toEqual([]);
});
