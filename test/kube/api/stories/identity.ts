/** What only the server sets, in requests that would set it. */
import type { Request } from "../server.ts";
import { type Stage, story } from "../story.ts";

const OTHER = "0b5f0a5c-0000-4000-8000-000000000000";
const MOMENT = "2020-01-01T00:00:00Z";
const set = {
  metadata: { name: "x", finalizers: ["example.com/held"] },
  spec: {
    replicas: 0,
    serviceName: "x",
    selector: { matchLabels: { app: "x" } },
    template: { metadata: { labels: { app: "x" } }, spec: { containers: [{ name: "c", image: "i" }] } },
  },
};

const KINDS: readonly (readonly [string, (stage: Stage) => string, object])[] = [
  ["a map", ({ ns }) => `/api/v1/namespaces/${ns}/configmaps`, { metadata: set.metadata }],
  ["a set", ({ ns }) => `/apis/apps/v1/namespaces/${ns}/statefulsets`, set],
  ["a class", () => "/apis/scheduling.k8s.io/v1/priorityclasses", { metadata: { name: "x" }, value: 1 }],
];

const FIELDS: readonly object[] = [
  { uid: OTHER },
  { uid: "" },
  { creationTimestamp: MOMENT },
  { deletionTimestamp: MOMENT },
  { deletionGracePeriodSeconds: 5 },
  { generation: 9 },
  { selfLink: "/x" },
  { uid: OTHER, deletionTimestamp: MOMENT },
  { name: "other", uid: OTHER },
  { uid: OTHER, resourceVersion: "1" },
];

export const IDENTITY = KINDS.map(([called, at, object]) =>
  story(`what only the server sets, of ${called}`, async (stage) => {
    const path = at(stage);
    const { tell } = stage;
    await stage.quietly({ method: "POST", path, body: object });
    const patch = (type: string, body: object): Request => ({ method: "PATCH", path: `${path}/x`, type, body });
    for (const metadata of FIELDS) {
      const title = JSON.stringify(metadata);
      await tell(`merge ${title}`, patch("merge", { metadata }));
      await tell(`strategic ${title}`, patch("strategic", { metadata }));
    }
    await tell("JSON", patch("json", [{ op: "replace", path: "/metadata/uid", value: OTHER }]));
    await tell("JSON, none", patch("json", [{ op: "remove", path: "/metadata/uid" }]));
    await tell("PUT", { method: "PUT", path: `${path}/x`, body: { ...object, metadata: { name: "x", uid: OTHER } } });
    const config = { metadata: { name: "x", uid: OTHER } };
    const { body } = await stage.quietly({ path: `${path}/x` });
    const { apiVersion, kind } = body as { apiVersion: string; kind: string };
    const applied = `${path}/x?fieldManager=one&force=true`;
    await tell("apply", { method: "PATCH", path: applied, type: "apply", body: { apiVersion, kind, ...config } });
    await stage.quietly({ method: "DELETE", path: `${path}/x` });
    for (const metadata of FIELDS.slice(2, 5)) {
      await tell(`being deleted, ${JSON.stringify(metadata)}`, patch("merge", { metadata }));
    }
    await stage.quietly(patch("merge", { metadata: { finalizers: null } }));
  }),
);
