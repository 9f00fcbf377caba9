/** Events, in the words of both of their versions. */
import { type Stage, story } from "../story.ts";

const core = ({ ns }: Stage): string => `/api/v1/namespaces/${ns}/events`;
const group = ({ ns }: Stage): string => `/apis/events.k8s.io/v1/namespaces/${ns}/events`;
const old = (stage: Stage, name: string, fields: object = {}): object => ({
  metadata: { name },
  involvedObject: { kind: "Pod", namespace: stage.ns, name: "x", uid: "u", apiVersion: "v1" },
  reason: "Because",
  message: "told",
  source: { component: "story", host: "h" },
  firstTimestamp: "2026-01-01T00:00:00Z",
  lastTimestamp: "2026-01-01T00:00:01Z",
  count: 3,
  type: "Warning",
  ...fields,
});
const fresh = (stage: Stage, name: string, fields: object = {}): object => ({
  metadata: { name },
  regarding: { kind: "Pod", namespace: stage.ns, name: "y" },
  reason: "Because",
  action: "Tell",
  note: "noted",
  type: "Normal",
  eventTime: "2026-01-01T00:00:00.123456Z",
  reportingController: "example.com/story",
  reportingInstance: "one",
  ...fields,
});
const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";

export const EVENTS = [
  story("events in both versions", async (stage) => {
    const { tell } = stage;
    await tell("an old one", { method: "POST", path: core(stage), body: old(stage, "old") });
    await tell("a new one", { method: "POST", path: group(stage), body: fresh(stage, "new") });
    await tell("the old one, read as new", { path: `${group(stage)}/old` });
    await tell("the new one, read as old", { path: `${core(stage)}/new` });
    await tell("a list of old ones", { path: core(stage) });
    await tell("a list of new ones", { path: group(stage) });
    await tell("a table of old ones", { path: core(stage), accept: TABLE });
    await tell("a table of new ones", { path: group(stage), accept: TABLE });
    await tell("a series", {
      method: "PATCH",
      path: `${group(stage)}/new`,
      type: "merge",
      body: { series: { count: 2, lastObservedTime: "2026-01-01T00:00:02.000000Z" } },
    });
    await tell("more often", { method: "PATCH", path: `${core(stage)}/old`, type: "strategic", body: { count: 4 } });
    await tell("by put", { method: "PUT", path: `${core(stage)}/put`, body: old(stage, "put") });
    await tell("gone", { method: "DELETE", path: `${group(stage)}/old` });
    await tell("not there", { path: `${core(stage)}/old` });
    await tell("with a policy", { method: "DELETE", path: `${core(stage)}/new?propagationPolicy=Orphan` });
    await tell("all", { method: "DELETE", path: core(stage) });
  }),
  story("events by field", async (stage) => {
    const { tell } = stage;
    await stage.quietly({ method: "POST", path: core(stage), body: old(stage, "old") });
    await stage.quietly({ method: "POST", path: group(stage), body: fresh(stage, "new") });
    for (const selector of [
      "involvedObject.name=x",
      "involvedObject.kind=Pod,type=Warning",
      "source=story",
      "reason=No",
    ]) {
      await tell(selector, { path: `${core(stage)}?fieldSelector=${encodeURIComponent(selector)}` });
    }
    for (const selector of ["regarding.name=y", "regarding.kind=Pod", "reportingController=example.com/story"]) {
      await tell(selector, { path: `${group(stage)}?fieldSelector=${encodeURIComponent(selector)}` });
    }
    await tell("in the other's words", { path: `${group(stage)}?fieldSelector=involvedObject.name%3Dx` });
  }),
  story("events that cannot be", async (stage) => {
    const { tell } = stage;
    await tell("in another namespace", {
      method: "POST",
      path: core(stage),
      body: old(stage, "a", { involvedObject: { kind: "Pod", namespace: "other", name: "x" } }),
    });
    await tell("without a time", { method: "POST", path: group(stage), body: fresh(stage, "b", { eventTime: null }) });
    await tell("without a word", { method: "POST", path: group(stage), body: { metadata: { name: "c" } } });
    await tell("without a word, old", { method: "POST", path: core(stage), body: { metadata: { name: "d" } } });
    await tell("with a type", { method: "POST", path: group(stage), body: fresh(stage, "e", { type: "Odd" }) });
  }),
];
