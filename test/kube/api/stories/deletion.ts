/** Ends: at once, in time, or when others are done. */
import { type Stage, story } from "../story.ts";

const maps = ({ ns }: Stage): string => `/api/v1/namespaces/${ns}/configmaps`;
const create = (stage: Stage, name: string, metadata: object = {}) =>
  stage.quietly({ method: "POST", path: maps(stage), body: { metadata: { name, ...metadata } } });

export const DELETION = [
  story("finalizers", async (stage) => {
    const path = `${maps(stage)}/one`;
    const { tell } = stage;
    await create(stage, "one", { finalizers: ["example.com/one", "example.com/two"] });
    await tell("is marked", { method: "DELETE", path });
    await tell("a second time", { method: "DELETE", path });
    await tell("another finalizer", {
      method: "PATCH",
      path,
      type: "merge",
      body: { metadata: { finalizers: ["example.com/one", "example.com/two", "example.com/three"] } },
    });
    await tell("one less", {
      method: "PATCH",
      path,
      type: "merge",
      body: { metadata: { finalizers: ["example.com/two"] } },
    });
    await tell("the last", { method: "PATCH", path, type: "merge", body: { metadata: { finalizers: null } } });
    await tell("is gone", { path });
  }),
  story("propagation", async (stage) => {
    const { tell } = stage;
    for (const policy of ["Foreground", "Orphan", "Background"]) {
      await create(stage, policy.toLowerCase());
      const path = `${maps(stage)}/${policy.toLowerCase()}`;
      await tell(policy, {
        method: "DELETE",
        path,
        body: { kind: "DeleteOptions", apiVersion: "v1", propagationPolicy: policy },
      });
      await tell(`after ${policy}`, { path });
    }
    await create(stage, "query");
    await tell("in the query", { method: "DELETE", path: `${maps(stage)}/query?propagationPolicy=Foreground` });
  }),
  story("preconditions", async (stage) => {
    const path = `${maps(stage)}/one`;
    const { tell } = stage;
    await create(stage, "one");
    await tell("another uid", {
      method: "DELETE",
      path,
      body: { preconditions: { uid: "0b5f0a5c-0000-4000-8000-000000000000" } },
    });
    await tell("another version", { method: "DELETE", path, body: { preconditions: { resourceVersion: "1" } } });
    const { body } = await stage.quietly({ path });
    const { uid, resourceVersion } = (body as { metadata: Record<string, string> }).metadata;
    await tell("the right ones", { method: "DELETE", path, body: { preconditions: { uid, resourceVersion } } });
  }),
  story("collections", async (stage) => {
    const path = maps(stage);
    const { tell } = stage;
    await create(stage, "red-1", { labels: { color: "red" } });
    await create(stage, "red-2", { labels: { color: "red" } });
    await create(stage, "blue", { labels: { color: "blue" } });
    await tell("those that are red", { method: "DELETE", path: `${path}?labelSelector=color%3Dred` });
    await tell("the rest", { path: `${path}?labelSelector=color` });
    await tell("over all namespaces", { method: "DELETE", path: "/api/v1/configmaps?labelSelector=color%3Dblue" });
  }),
  story("pods in time", async (stage) => {
    const path = `/api/v1/namespaces/${stage.ns}/pods`;
    const { tell } = stage;
    const pod = (name: string, spec: object = {}): object => ({
      metadata: { name },
      spec: { containers: [{ name: "c", image: "busybox" }], ...spec },
    });
    await stage.quietly({ method: "POST", path, body: pod("nowhere") });
    await tell("one that runs nowhere", { method: "DELETE", path: `${path}/nowhere` });
    await stage.quietly({ method: "POST", path, body: pod("somewhere", { nodeName: "n" }) });
    await tell("one that runs", { method: "DELETE", path: `${path}/somewhere` });
    await tell("sooner", { method: "DELETE", path: `${path}/somewhere`, body: { gracePeriodSeconds: 5 } });
    await tell("later", { method: "DELETE", path: `${path}/somewhere`, body: { gracePeriodSeconds: 500 } });
    await tell("now", { method: "DELETE", path: `${path}/somewhere`, body: { gracePeriodSeconds: 0 } });
    await tell("is gone", { path: `${path}/somewhere` });
  }),
  story("a namespace", async (stage) => {
    const { tell, ns } = stage;
    const path = `/api/v1/namespaces/${ns}-x`;
    await tell("create", { method: "POST", path: "/api/v1/namespaces", body: { metadata: { name: `${ns}-x` } } });
    await tell("delete", { method: "DELETE", path });
    await tell("get", { path });
    await tell("create in it", { method: "POST", path: `${path}/configmaps`, body: { metadata: { name: "late" } } });
    const { body } = await stage.quietly({ path });
    await tell("finalize", { method: "PUT", path: `${path}/finalize`, body: { ...(body as object), spec: {} } });
    await tell("is gone", { path });
    await tell("default stays", { method: "DELETE", path: "/api/v1/namespaces/default" });
  }),
];
