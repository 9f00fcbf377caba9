/** Patches and applies of objects with lists in them, and what becomes of their owners. */
import { type Stage, story } from "../story.ts";

const sets = ({ ns }: Stage): string => `/apis/apps/v1/namespaces/${ns}/statefulsets`;
const container = (name: string, fields: object = {}): object => ({ name, image: "busybox", ...fields });
const set = (spec: object = {}): object => ({
  apiVersion: "apps/v1",
  kind: "StatefulSet",
  metadata: { name: "db" },
  spec: {
    serviceName: "db",
    selector: { matchLabels: { app: "db" } },
    template: {
      metadata: { labels: { app: "db" } },
      spec: { containers: [container("a", { env: [{ name: "X", value: "1" }] }), container("b")] },
    },
    ...spec,
  },
});
const template = (spec: object): object => ({ spec: { template: { spec } } });

export const DEEPER = [
  story("strategic patches", async (stage) => {
    const { tell } = stage;
    const path = `${sets(stage)}/db`;
    await stage.quietly({ method: "POST", path: sets(stage), body: set() });
    const patch = (title: string, body: object) => tell(title, { method: "PATCH", path, type: "strategic", body });
    await patch("one container", template({ containers: [{ name: "b", image: "busybox:2" }] }));
    await patch("another variable", template({ containers: [{ name: "a", env: [{ name: "Y", value: "2" }] }] }));
    await patch("a variable less", template({ containers: [{ name: "a", env: [{ name: "X", $patch: "delete" }] }] }));
    await patch("a new container", template({ containers: [container("c")] }));
    await patch(
      "in another order",
      template({ "$setElementOrder/containers": [{ name: "c" }, { name: "b" }, { name: "a" }], containers: [] }),
    );
    await patch("a container less", template({ containers: [{ name: "c", $patch: "delete" }] }));
    await patch("replaced", { spec: { template: { metadata: { labels: { $patch: "replace", app: "db", v: "2" } } } } });
    await patch("without a key", template({ containers: [{ image: "x" }] }));
    await patch("no directive", template({ containers: [{ name: "a", $patch: "odd" }] }));
  }),
  story("applies from many hands", async (stage) => {
    const { tell } = stage;
    const apply = (title: string, manager: string, spec: object, more = "") =>
      tell(title, {
        method: "PATCH",
        path: `${sets(stage)}/db?fieldManager=${manager}${more}`,
        type: "apply",
        body: { apiVersion: "apps/v1", kind: "StatefulSet", metadata: { name: "db" }, spec },
      });
    const { spec } = set() as { spec: object };
    await apply("create", "one", spec);
    await apply("replicas by another", "two", { replicas: 3 }, "&force=true");
    await apply("a sidecar by another", "two", { replicas: 3, template: { spec: { containers: [container("c")] } } });
    await apply("no sidecar any more", "two", { replicas: 3 });
    await apply("a conflict in a list", "two", { template: { spec: { containers: [{ name: "a", image: "other" }] } } });
    await apply("less than all", "one", {
      ...spec,
      template: { metadata: { labels: { app: "db" } }, spec: { containers: [container("a")] } },
    });
    await tell("an update on top", {
      method: "PATCH",
      path: `${sets(stage)}/db`,
      type: "merge",
      body: { spec: { replicas: 5 } },
    });
    await apply("against the update", "two", { replicas: 4 });
    await tell("reset", {
      method: "PATCH",
      path: `${sets(stage)}/db`,
      type: "merge",
      body: { metadata: { managedFields: [{}] } },
    });
    await apply("after the reset", "one", spec, "&force=true");
  }),
  story("from client-side to server-side apply", async (stage) => {
    const { tell } = stage;
    const path = `/api/v1/namespaces/${stage.ns}/configmaps`;
    const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "one" }, data: { a: "1", b: "2" } };
    const last = { "kubectl.kubernetes.io/last-applied-configuration": `${JSON.stringify(body)}\n` };
    await tell("create", {
      method: "POST",
      path: `${path}?fieldManager=kubectl-client-side-apply`,
      body: { ...body, metadata: { name: "one", annotations: last } },
    });
    await tell("apply", {
      method: "PATCH",
      path: `${path}/one?fieldManager=kubectl`,
      type: "apply",
      body: { ...body, data: { a: "1", b: "3" } },
    });
    await tell("apply less", {
      method: "PATCH",
      path: `${path}/one?fieldManager=kubectl&force=true`,
      type: "apply",
      body: { ...body, data: { a: "1" } },
    });
  }),
  story("generations", async (stage) => {
    const { tell, ns } = stage;
    const deployments = `/apis/apps/v1/namespaces/${ns}/deployments`;
    const { spec } = set() as { spec: { selector: object; template: object } };
    const body = { metadata: { name: "web" }, spec: { selector: spec.selector, template: spec.template } };
    await stage.quietly({ method: "POST", path: deployments, body });
    const patch = (title: string, path: string, fields: object) =>
      tell(title, { method: "PATCH", path, type: "merge", body: fields });
    await patch("a label", `${deployments}/web`, { metadata: { labels: { a: "b" } } });
    await patch("an annotation", `${deployments}/web`, { metadata: { annotations: { a: "b" } } });
    await patch("paused", `${deployments}/web`, { spec: { paused: true } });
    await stage.quietly({ method: "POST", path: sets(stage), body: set() });
    await patch("an annotation of a set", `${sets(stage)}/db`, { metadata: { annotations: { a: "b" } } });
    await patch("the same again", `${sets(stage)}/db`, { spec: { replicas: 1 } });
    await patch("replicas", `${sets(stage)}/db`, { spec: { replicas: 2 } });
  }),
  story("over all namespaces", async (stage) => {
    const { tell, ns } = stage;
    const maps = `/api/v1/namespaces/${ns}/configmaps`;
    for (const name of ["a", "b"]) {
      await stage.quietly({ method: "POST", path: maps, body: { metadata: { name, labels: { story: ns } } } });
    }
    const path = `/api/v1/configmaps?labelSelector=story%3D${ns}`;
    await tell("a list", { path });
    await tell("a table", { path, accept: "application/json;as=Table;v=v1;g=meta.k8s.io" });
    await tell("metadata", { path, accept: "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io" });
    await tell("a page", { path: `${path}&limit=1` });
    await tell("by namespace", {
      path: `/api/v1/configmaps?fieldSelector=metadata.namespace%3D${ns},metadata.name%3Da`,
    });
    await tell("a trial of the end of all", {
      method: "DELETE",
      path: `${maps}?dryRun=All&labelSelector=story%3D${ns}`,
    });
    await tell("still there", { path: `${maps}/a` });
  }),
  story("templates of claims", async (stage) => {
    const { tell } = stage;
    const claim = (name: string, storage: string): object => ({
      metadata: { name },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } },
    });
    await tell("create", {
      method: "POST",
      path: sets(stage),
      body: set({ volumeClaimTemplates: [claim("data", "1Gi")] }),
    });
    const patch = (title: string, spec: object) =>
      tell(title, { method: "PATCH", path: `${sets(stage)}/db`, type: "merge", body: { spec } });
    await patch("another name", { volumeClaimTemplates: [claim("other", "1Gi")] });
    await patch("one more", { volumeClaimTemplates: [claim("data", "1Gi"), claim("wal", "1Gi")] });
    await patch("another selector", { selector: { matchLabels: { app: "x" } } });
    await patch("another policy", { podManagementPolicy: "Parallel" });
    await patch("kept when deleted", { persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete" } });
    await patch("no policy", { persistentVolumeClaimRetentionPolicy: { whenDeleted: "Odd" } });
    await patch("in parts", { updateStrategy: { rollingUpdate: { partition: 1 } } });
    await patch("no part", { updateStrategy: { rollingUpdate: { partition: -1 } } });
    await patch("no strategy", { updateStrategy: { type: "Odd" } });
    await patch("from another number", { ordinals: { start: 3 } });
    await patch("soon", { minReadySeconds: 5 });
    await patch("in less than no time", { minReadySeconds: -5 });
    await patch("fewer than none", { replicas: -1 });
  }),
];
