/** What a request for objects may ask for besides them, and what does not go together; answers for people. */
import { type Stage, type Story, story } from "../story.ts";

const mapsOf = ({ ns }: Stage): string => `/api/v1/namespaces/${ns}/configmaps`;
const WATCH = "watch=true&timeoutSeconds=1";

async function two(stage: Stage): Promise<void> {
  for (const name of ["a", "b"])
    await stage.quietly({ method: "POST", path: mapsOf(stage), body: { metadata: { name } } });
}

async function tokenOf(stage: Stage): Promise<string> {
  const { body } = await stage.quietly({ path: `${mapsOf(stage)}?limit=1` });
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
      await stage.tell(version, { path: `${mapsOf(stage)}/a?resourceVersion=${version}` });
    }
    await stage.tell("one that is watched is only read", { path: `${mapsOf(stage)}/a?${WATCH}` });
    await stage.tell("also one that is not there", { path: `${mapsOf(stage)}/none?${WATCH}` });
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
      await stage.tell(query.replaceAll(token, "TOKEN"), { path: `${mapsOf(stage)}?${query}` });
    }
  }),
  story("times that are none", async (stage) => {
    await two(stage);
    const [maps, one] = [mapsOf(stage), `${mapsOf(stage)}/a`];
    for (const text of ["abc", "5", "5x", "-", "5s", "0", ""]) {
      await stage.tell(`a list with ${text}`, { path: `${maps}?timeout=${text}&fieldSelector=metadata.name%3Da` });
    }
    await stage.tell("one object", { path: `${one}?timeout=abc` });
    await stage.tell("a write", { method: "POST", path: `${maps}?timeout=abc`, body: { metadata: { name: "c" } } });
    await stage.tell("a document", { path: "/api?timeout=abc" });
    await stage.tell("from nobody", { path: `${one}?timeout=abc`, token: "nobody's" });
    await stage.tell("a log, which takes as long as it takes", {
      path: `/api/v1/namespaces/${stage.ns}/pods/none/log?timeout=abc`,
    });
    for (const query of [
      "timeoutSeconds=abc",
      "timeoutSeconds=abc&watch=true",
      "limit=1.5",
      "timeoutSeconds=5&limit=1",
    ]) {
      await stage.tell(query, { path: `${maps}?${query}` });
    }
    await stage.tell("all of them", { method: "DELETE", path: `${maps}?timeoutSeconds=abc` });
  }),
  story("watches that end", async (stage) => {
    await two(stage);
    const only = `fieldSelector=metadata.name%3Da&${WATCH}`;
    const streaming = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
    stage.note("without bookmarks", await eventsOf(stage, `${mapsOf(stage)}?${only}&${streaming}`));
    const [root, rest] = ["/api/v1/watch", mapsOf(stage).slice("/api/v1".length)];
    stage.note("by path", await eventsOf(stage, `${root}${rest}?timeoutSeconds=1`));
    stage.note("one by path", await eventsOf(stage, `${root}${rest}/a?timeoutSeconds=1&watch=false`));
    stage.note("none by path", await eventsOf(stage, `${root}${rest}/none?timeoutSeconds=1`));
    await stage.tell("nothing else", { method: "DELETE", path: `${root}${rest}` });
  }),
  story("for people", async (stage) => {
    await two(stage);
    const path = `${mapsOf(stage)}/none`;
    for (const agent of ["curl/8.0", "Wget/1", "Mozilla/5.0 (X11)", "other"]) {
      stage.note(agent, await stage.server.text(path, { "user-agent": agent }));
    }
    stage.note("asked for", await stage.server.text(`${path}?pretty=true`, {}));
    stage.note("not asked for", await stage.server.text(`${path}?pretty=false`, { "user-agent": "curl/8.0" }));
    await stage.tell("a list", { path: `${mapsOf(stage)}?pretty=true&fieldSelector=metadata.name%3Da` });
  }),
];
