/** Watches: what is told, of whom, and from when on. */
import { type Stage, story } from "../story.ts";

const maps = ({ ns }: Stage): string => `/api/v1/namespaces/${ns}/configmaps`;
const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
const METADATA = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";

const create = (stage: Stage, name: string, labels: object = {}) =>
  stage.quietly({ method: "POST", path: maps(stage), body: { metadata: { name, labels } } });
const relabel = (stage: Stage, name: string, labels: object) =>
  stage.quietly({ method: "PATCH", path: `${maps(stage)}/${name}`, type: "merge", body: { metadata: { labels } } });

/** A change, an end: what most watches are there for. */
async function happen(stage: Stage): Promise<void> {
  await create(stage, "new", { color: "red" });
  await relabel(stage, "new", { color: "blue" });
  await relabel(stage, "new", { color: "red" });
  await stage.quietly({ method: "DELETE", path: `${maps(stage)}/new` });
}

async function versionOf(stage: Stage): Promise<string> {
  const { body } = await stage.quietly({ path: `${maps(stage)}?labelSelector=none` });
  return (body as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
}

export const WATCHES = [
  story("changes", async (stage) => {
    const watching = await stage.server.watch(`${maps(stage)}?watch=true&resourceVersion=${await versionOf(stage)}`, 4);
    await happen(stage);
    stage.note("all", await watching.events);
  }),
  story("changes of some", async (stage) => {
    const path = `${maps(stage)}?watch=true&labelSelector=color%3Dred&resourceVersion=${await versionOf(stage)}`;
    const watching = await stage.server.watch(path, 4);
    await happen(stage);
    stage.note("those that are red", await watching.events);
  }),
  story("what is there first", async (stage) => {
    await create(stage, "old", { color: "red" });
    const watching = await stage.server.watch(`${maps(stage)}?watch=true&fieldSelector=metadata.name%3Dold`, 2);
    await relabel(stage, "old", { color: "blue" });
    stage.note("one", await watching.events);
  }),
  story("a streaming list", async (stage) => {
    await create(stage, "old", { color: "red" });
    const query = "watch=true&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan";
    for (const [title, accept] of [
      ["objects", undefined],
      ["a table", TABLE],
      ["metadata", METADATA],
    ] as const) {
      const path = `${maps(stage)}?${query}&labelSelector=color%3Dred`;
      const watching = await stage.server.watch(path, 2, accept);
      stage.note(title, await watching.events);
    }
  }),
  story("marks of other kinds", async (stage) => {
    const query = "watch=true&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan";
    for (const path of [
      `/apis/apps/v1/namespaces/${stage.ns}/statefulsets`,
      `/api/v1/namespaces/${stage.ns}/pods`,
      `/api/v1/namespaces/${stage.ns}/persistentvolumeclaims`,
      `/apis/events.k8s.io/v1/namespaces/${stage.ns}/events`,
      `/apis/rbac.authorization.k8s.io/v1/namespaces/${stage.ns}/roles`,
    ]) {
      const watching = await stage.server.watch(`${path}?${query}`, 1);
      stage.note(path, await watching.events);
    }
  }),
  story("events are watched in both versions", async (stage) => {
    const core = `/api/v1/namespaces/${stage.ns}/events`;
    const group = `/apis/events.k8s.io/v1/namespaces/${stage.ns}/events`;
    const { body } = await stage.quietly({ path: core });
    const { resourceVersion } = (body as { metadata: { resourceVersion: string } }).metadata;
    const watching = await Promise.all(
      [core, group].map((path) => stage.server.watch(`${path}?watch=true&resourceVersion=${resourceVersion}`, 2)),
    );
    const event = { involvedObject: { kind: "Pod", namespace: stage.ns, name: "x" }, reason: "Because", message: "m" };
    await stage.quietly({ method: "POST", path: core, body: { metadata: { name: "one" }, ...event } });
    await stage.quietly({ method: "DELETE", path: `${core}/one` });
    stage.note("core", await watching[0]?.events);
    stage.note("group", await watching[1]?.events);
  }),
  story("watches that cannot be", async (stage) => {
    const path = maps(stage);
    await stage.tell("a match alone", { path: `${path}?watch=true&resourceVersionMatch=Exact` });
    await stage.tell("initial events without a match", { path: `${path}?watch=true&sendInitialEvents=true` });
    await stage.tell("no version", { path: `${path}?watch=true&resourceVersion=abc` });
    await stage.tell("over soon", {
      path: `${path}?watch=true&timeoutSeconds=1&resourceVersion=${await versionOf(stage)}`,
    });
  }),
];
