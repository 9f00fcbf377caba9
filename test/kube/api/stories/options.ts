/** What a request for objects may ask for besides them, and what does not go together; answers for people. */
import { type Stage, type Story, story } from "../story.ts";

const maps = ({ ns }: Stage): string => `/api/v1/namespaces/${ns}/configmaps`;
const WATCH = "watch=true&timeoutSeconds=1";

async function two(stage: Stage): Promise<void> {
  for (const name of ["a", "b"])
    await stage.quietly({ method: "POST", path: maps(stage), body: { metadata: { name } } });
}

async function tokenOf(stage: Stage): Promise<string> {
  const { body } = await stage.quietly({ path: `${maps(stage)}?limit=1` });
  return (body as { metadata: { continue: string } }).metadata.continue;
}

/** The events of a watch that ends by itself. */
async function eventsOf(stage: Stage, path: string): Promise<unknown> {
  const { events } = await stage.server.watch(path, Number.POSITIVE_INFINITY);
  return events;
}

/** A token of no version. */
const BROKEN = Buffer.from(JSON.stringify({ v: "meta.k8s.io/v1", rv: 0, start: "/a" })).toString("base64url");

export const OPTIONS: readonly Story[] = [
  story("versions of one object", async (stage) => {
    await two(stage);
    for (const version of ["0", "1", "x", "-1", "999999999"]) {
      await stage.tell(version, { path: `${maps(stage)}/a?resourceVersion=${version}` });
    }
    await stage.tell("one that is watched is only read", { path: `${maps(stage)}/a?${WATCH}` });
    await stage.tell("also one that is not there", { path: `${maps(stage)}/none?${WATCH}` });
  }),
  story("what does not go together", async (stage) => {
    await two(stage);
    const token = await tokenOf(stage);
    for (const query of [
      `continue=${token}&resourceVersion=5`,
      `continue=${token}&resourceVersionMatch=Exact`,
      "continue=x&resourceVersion=3",
      "sendInitialEvents=true&resourceVersionMatch=Exact",
      `${WATCH}&continue=x`,
      `${WATCH}&resourceVersionMatch=NotOlderThan`,
      `${WATCH}&sendInitialEvents=true`,
      `${WATCH}&sendInitialEvents=true&resourceVersionMatch=Exact`,
      `${WATCH}&sendInitialEvents=true&resourceVersionMatch=Exact&continue=x`,
      `continue=${BROKEN}`,
    ]) {
      await stage.tell(query.replaceAll(token, "TOKEN"), { path: `${maps(stage)}?${query}` });
    }
  }),
  story("watches that end", async (stage) => {
    await two(stage);
    const only = `fieldSelector=metadata.name%3Da&${WATCH}`;
    const streaming = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
    stage.note("without bookmarks", await eventsOf(stage, `${maps(stage)}?${only}&${streaming}`));
    const [root, rest] = ["/api/v1/watch", maps(stage).slice("/api/v1".length)];
    stage.note("by path", await eventsOf(stage, `${root}${rest}?timeoutSeconds=1`));
    stage.note("one by path", await eventsOf(stage, `${root}${rest}/a?timeoutSeconds=1&watch=false`));
    stage.note("none by path", await eventsOf(stage, `${root}${rest}/none?timeoutSeconds=1`));
    await stage.tell("nothing else", { method: "DELETE", path: `${root}${rest}` });
  }),
  story("for people", async (stage) => {
    await two(stage);
    const path = `${maps(stage)}/none`;
    for (const agent of ["curl/8.0", "Wget/1", "Mozilla/5.0 (X11)", "other"]) {
      stage.note(agent, await stage.server.text(path, { "user-agent": agent }));
    }
    stage.note("asked for", await stage.server.text(`${path}?pretty=true`, {}));
    stage.note("not asked for", await stage.server.text(`${path}?pretty=false`, { "user-agent": "curl/8.0" }));
    await stage.tell("a list", { path: `${maps(stage)}?pretty=true&fieldSelector=metadata.name%3Da` });
  }),
];
