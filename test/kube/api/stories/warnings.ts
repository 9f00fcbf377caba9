/** What the server takes, and says a word about. */
import { type Stage, story } from "../story.ts";

const inNamespace = ({ ns }: Stage, plural: string): string => `/api/v1/namespaces/${ns}/${plural}`;
const container = { name: "c", image: "busybox" };
const claim = (name: string, storage: string, metadata: object = {}): object => ({
  metadata: { name, ...metadata },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } },
});

export const WARNINGS = [
  story("a word about finalizers", async (stage) => {
    const path = inNamespace(stage, "configmaps");
    const post = (title: string, finalizers: readonly string[]) =>
      stage.tell(title, { method: "POST", path: `${path}?dryRun=All`, body: { metadata: { name: "x", finalizers } } });
    await post("without a path", ["hold.example.com"]);
    await post("with a path", ["example.com/hold"]);
    await post("of the cluster's own", ["orphan", "foregroundDeletion", "kubernetes"]);
    await stage.quietly({ method: "POST", path, body: { metadata: { name: "y" } } });
    await stage.tell("later", {
      method: "PATCH",
      path: `${path}/y`,
      type: "merge",
      body: { metadata: { finalizers: ["hold.example.com"] } },
    });
    await stage.tell("no more than once", {
      method: "PATCH",
      path: `${path}/y`,
      type: "merge",
      body: { metadata: { labels: { a: "b" } } },
    });
  }),
  story("a word about claims and volumes", async (stage) => {
    const path = `${inNamespace(stage, "persistentvolumeclaims")}?dryRun=All`;
    await stage.tell("part of a byte", { method: "POST", path, body: claim("a", "1500m") });
    const old = { annotations: { "volume.beta.kubernetes.io/storage-class": "x" } };
    await stage.tell("an old annotation", { method: "POST", path, body: claim("b", "1Gi", old) });
    const volume = (title: string, metadata: object, spec: object) =>
      stage.tell(title, {
        method: "POST",
        path: "/api/v1/persistentvolumes?dryRun=All",
        body: {
          metadata: { name: `${stage.ns}-v`, ...metadata },
          spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/x" }, ...spec },
        },
      });
    await volume("recycled", {}, { persistentVolumeReclaimPolicy: "Recycle" });
    await volume("an old annotation of a volume", old, {});
    await volume("part of a byte of a volume", {}, { capacity: { storage: "1500m" } });
  }),
  story("a word about services", async (stage) => {
    const path = inNamespace(stage, "services");
    const post = (title: string, spec: object, annotations: object = {}) =>
      stage.tell(title, {
        method: "POST",
        path: `${path}?dryRun=All`,
        body: { metadata: { name: "s", annotations }, spec: { ports: [{ port: 80 }], ...spec } },
      });
    const outside = { externalIPs: ["192.0.2.1"], loadBalancerIP: "192.0.2.2", sessionAffinity: "ClientIP" };
    await post("without an address", { clusterIP: "None", ...outside });
    await post("that others lead to", outside);
    await post("of another name", { type: "ExternalName", externalName: "example.com", externalIPs: ["192.0.2.1"] });
    await post("with a name it does not need", { clusterIP: "None", externalName: "example.com" });
    await post("near", { clusterIP: "None", trafficDistribution: "PreferClose" });
    await post("hints", { clusterIP: "None" }, { "service.kubernetes.io/topology-aware-hints": "auto" });
    await stage.quietly({
      method: "POST",
      path,
      body: { metadata: { name: "s" }, spec: { ports: [{ port: 80 }], clusterIP: "None" } },
    });
    await stage.tell("later", {
      method: "PATCH",
      path: `${path}/s`,
      type: "merge",
      body: { spec: { trafficDistribution: "PreferClose" } },
    });
    await stage.tell("once more", {
      method: "PATCH",
      path: `${path}/s`,
      type: "merge",
      body: { metadata: { labels: { a: "b" } } },
    });
  }),
  story("a word about pods and sets", async (stage) => {
    const pod = (title: string, spec: object, metadata: object = {}) =>
      stage.tell(title, {
        method: "POST",
        path: `${inNamespace(stage, "pods")}?dryRun=All`,
        body: { metadata: { name: "p", ...metadata }, spec: { containers: [container], ...spec } },
      });
    await pod("twice the same variable", {
      containers: [
        {
          ...container,
          env: [
            { name: "A", value: "1" },
            { name: "A", value: "2" },
          ],
        },
      ],
    });
    await pod("twice the same port", {
      containers: [{ ...container, ports: [{ containerPort: 80 }, { containerPort: 80 }] }],
    });
    await pod("less than no time", { terminationGracePeriodSeconds: -1 });
    await pod("an old label of nodes", { nodeSelector: { "beta.kubernetes.io/os": "linux" } });
    await pod("an account by its old name", { serviceAccount: "default" });
    await pod("part of a byte", { containers: [{ ...container, resources: { requests: { memory: "1500m" } } }] });
    const set = (title: string, spec: object) =>
      stage.tell(title, {
        method: "POST",
        path: `/apis/apps/v1/namespaces/${stage.ns}/statefulsets?dryRun=All`,
        body: {
          metadata: { name: "s" },
          spec: {
            serviceName: "s",
            selector: { matchLabels: { app: "s" } },
            template: { metadata: { labels: { app: "s" } }, spec: { containers: [container] } },
            ...spec,
          },
        },
      });
    await set("part of a byte of a template", { volumeClaimTemplates: [claim("data", "1500m")] });
    await set("an old label in a template", {
      template: {
        metadata: { labels: { app: "s" } },
        spec: { containers: [container], nodeSelector: { "beta.kubernetes.io/arch": "amd64" } },
      },
    });
    await set("less than no revisions", { revisionHistoryLimit: -1 });
  }),
  story("the end of a namespace", async (stage) => {
    const { tell, ns } = stage;
    const path = `/api/v1/namespaces/${ns}-own`;
    await stage.quietly({ method: "POST", path: "/api/v1/namespaces", body: { metadata: { name: `${ns}-own` } } });
    await tell("of another uid", {
      method: "DELETE",
      path,
      body: { preconditions: { uid: "0b5f0a5c-0000-4000-8000-000000000000" } },
    });
    await tell("of another version", { method: "DELETE", path, body: { preconditions: { resourceVersion: "1" } } });
    await tell("a trial", { method: "DELETE", path: `${path}?dryRun=All` });
    await tell("in the foreground", { method: "DELETE", path, body: { propagationPolicy: "Foreground" } });
    await tell("again", { method: "DELETE", path });
    const { body } = await stage.quietly({ path });
    await tell("let go", { method: "PUT", path: `${path}/finalize`, body: { ...(body as object), spec: {} } });
    await tell("its last finalizer", {
      method: "PATCH",
      path,
      type: "merge",
      body: { metadata: { finalizers: null } },
    });
    await tell("gone", { path });
    await tell("finalize what is not there", {
      method: "PUT",
      path: `${path}/finalize`,
      body: { metadata: { name: `${ns}-own` } },
    });
  }),
];
