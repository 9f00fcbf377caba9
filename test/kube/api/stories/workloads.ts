/** Claims, volumes, StatefulSets and pods: the kinds that growth is about. */
import { type Stage, story } from "../story.ts";

const claim = (name: string, spec: object = {}): object => ({
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec },
});
const set = (name: string, spec: object = {}): object => ({
  apiVersion: "apps/v1",
  kind: "StatefulSet",
  metadata: { name },
  spec: {
    serviceName: name,
    replicas: 2,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: "c", image: "busybox" }] } },
    volumeClaimTemplates: [claim("data")],
    ...spec,
  },
});
const pod = (name: string, labels: object = {}, spec: object = {}): object => ({
  metadata: { name, labels },
  spec: { containers: [{ name: "c", image: "busybox" }], ...spec },
});
const inNamespace = ({ ns }: Stage, plural: string): string => `/api/v1/namespaces/${ns}/${plural}`;
const sets = ({ ns }: Stage): string => `/apis/apps/v1/namespaces/${ns}/statefulsets`;

export const WORKLOADS = [
  story("containers added to a pod", async (stage) => {
    const { tell } = stage;
    const path = inNamespace(stage, "pods");
    const ephemeral = (...containers: object[]): object => ({ spec: { ephemeralContainers: containers } });
    const shell = { name: "shell", image: "busybox" };
    const patch = (title: string, body: object, type = "strategic") =>
      tell(title, { method: "PATCH", path: `${path}/p/ephemeralcontainers`, type, body });
    await stage.quietly({ method: "POST", path, body: pod("p") });
    await tell("from the start", { method: "POST", path, body: pod("early", {}, { ephemeralContainers: [shell] }) });
    await patch("one", { metadata: { labels: { a: "b" } }, spec: { nodeName: "n", ephemeralContainers: [shell] } });
    await patch("another", ephemeral({ ...shell, name: "more", targetContainerName: "c", stdin: true, tty: true }));
    await patch("one that is there", ephemeral({ ...shell, image: "other" }));
    await patch("none", ephemeral(), "merge");
    await patch("with ports", ephemeral({ ...shell, name: "x", ports: [{ containerPort: 80 }] }));
    await patch("with the name of a container", ephemeral({ ...shell, name: "c" }));
    await patch("into nobody", ephemeral({ ...shell, name: "x", targetContainerName: "none" }));
    await patch("without an image", ephemeral({ name: "x" }));
    await tell("through the pod itself", {
      method: "PATCH",
      path: `${path}/p`,
      type: "strategic",
      body: ephemeral({ ...shell, name: "y" }),
    });
    const renamed = (title: string, name: string) =>
      tell(title, {
        method: "PATCH",
        path: `${path}/p`,
        type: "json",
        body: [{ op: "replace", path: "/spec/containers/0/name", value: name }],
      });
    await renamed("another name for what they look into", "other");
    await renamed("the name of one of them", "shell");
    const { body: live } = await tell("get", { path: `${path}/p/ephemeralcontainers` });
    await tell("put", { method: "PUT", path: `${path}/p/ephemeralcontainers`, body: live as object });
    await tell("of nobody", { path: `${path}/none/ephemeralcontainers` });
    await tell("delete", { method: "DELETE", path: `${path}/p/ephemeralcontainers` });
    await tell("the pod", { path: `${path}/p` });
  }),
  story("a claim grows", async (stage) => {
    const { tell } = stage;
    const path = inNamespace(stage, "persistentvolumeclaims");
    const className = `${stage.ns}-fast`;
    await stage.quietly({
      method: "POST",
      path: "/apis/storage.k8s.io/v1/storageclasses",
      body: { metadata: { name: className }, provisioner: "x.example.com", allowVolumeExpansion: true },
    });
    await tell("create", {
      method: "POST",
      path,
      body: claim("data", { storageClassName: className, volumeName: "pv" }),
    });
    const size = (storage: string) =>
      ({
        method: "PATCH",
        path: `${path}/data`,
        type: "merge",
        body: { spec: { resources: { requests: { storage } } } },
      }) as const;
    await tell("before it is bound", size("2Gi"));
    const status = (fields: object) =>
      ({ method: "PATCH", path: `${path}/data/status`, type: "merge", body: { status: fields } }) as const;
    await tell("bound", status({ phase: "Bound", capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"] }));
    await tell("more", size("3Gi"));
    await tell("less, but not too little", size("2Gi"));
    await tell("too little", size("1Gi"));
    await tell("no size", size("much"));
    await tell("nothing", size("0"));
    await tell(
      "recorded",
      status({
        allocatedResources: { storage: "2Gi" },
        allocatedResourceStatuses: { storage: "ControllerResizeInProgress" },
      }),
    );
    await tell("no state", status({ allocatedResourceStatuses: { storage: "Dreaming" } }));
    await tell("another class", {
      method: "PATCH",
      path: `${path}/data`,
      type: "merge",
      body: { spec: { storageClassName: "x" } },
    });
    await tell("a status through the claim", {
      method: "PATCH",
      path: `${path}/data`,
      type: "merge",
      body: { status: { phase: "Lost" } },
    });
    await tell("a table", { path: `${path}/data`, accept: "application/json;as=Table;v=v1;g=meta.k8s.io" });
  }),
  story("claims that cannot be", async (stage) => {
    const { tell } = stage;
    const path = inNamespace(stage, "persistentvolumeclaims");
    await tell("no modes", { method: "POST", path, body: claim("a", { accessModes: [] }) });
    await tell("a mode", { method: "POST", path, body: claim("b", { accessModes: ["WriteNever"] }) });
    await tell("no size", { method: "POST", path, body: claim("c", { resources: {} }) });
    await tell("a negative size", {
      method: "POST",
      path,
      body: claim("d", { resources: { requests: { storage: "-1Gi" } } }),
    });
    await tell("a volume mode", { method: "POST", path, body: claim("e", { volumeMode: "Tape" }) });
  }),
  story("a volume", async (stage) => {
    const { tell, ns } = stage;
    const path = "/api/v1/persistentvolumes";
    const volume = {
      metadata: { name: `${ns}-pv` },
      spec: {
        capacity: { storage: "1Gi" },
        accessModes: ["ReadWriteOnce"],
        csi: { driver: "x.example.com", volumeHandle: "one" },
        claimRef: { namespace: ns, name: "data" },
      },
    };
    await tell("create", { method: "POST", path, body: volume });
    await tell("grow", {
      method: "PATCH",
      path: `${path}/${ns}-pv`,
      type: "merge",
      body: { spec: { capacity: { storage: "2Gi" } } },
    });
    await tell("another handle", {
      method: "PATCH",
      path: `${path}/${ns}-pv`,
      type: "merge",
      body: { spec: { csi: { volumeHandle: "two" } } },
    });
    await tell("bound", {
      method: "PATCH",
      path: `${path}/${ns}-pv/status`,
      type: "merge",
      body: { status: { phase: "Bound" } },
    });
    await tell("delete", { method: "DELETE", path: `${path}/${ns}-pv` });
  }),
  story("a StatefulSet", async (stage) => {
    const { tell } = stage;
    const path = sets(stage);
    await tell("create", { method: "POST", path, body: set("db") });
    await tell("its scale", { path: `${path}/db/scale` });
    await tell("scale by patch", {
      method: "PATCH",
      path: `${path}/db/scale`,
      type: "merge",
      body: { spec: { replicas: 5 } },
    });
    const { body } = await stage.quietly({ path: `${path}/db/scale` });
    await tell("scale by put", {
      method: "PUT",
      path: `${path}/db/scale`,
      body: { ...(body as object), spec: { replicas: 1 } },
    });
    await tell("scale below nothing", {
      method: "PATCH",
      path: `${path}/db/scale`,
      type: "merge",
      body: { spec: { replicas: -1 } },
    });
    await tell("a table of its scale", {
      path: `${path}/db/scale`,
      accept: "application/json;as=Table;v=v1;g=meta.k8s.io",
    });
    await tell("another image", {
      method: "PATCH",
      path: `${path}/db`,
      type: "strategic",
      body: { spec: { template: { spec: { containers: [{ name: "c", image: "busybox:2" }] } } } },
    });
    await tell("another service", {
      method: "PATCH",
      path: `${path}/db`,
      type: "merge",
      body: { spec: { serviceName: "other" } },
    });
    await tell("its status", {
      method: "PATCH",
      path: `${path}/db/status`,
      type: "merge",
      body: { status: { replicas: 1, readyReplicas: 1 } },
    });
    await tell("no selector", { method: "POST", path, body: set("bad", { selector: {} }) });
    await tell("labels that do not match", {
      method: "POST",
      path,
      body: set("bad", { selector: { matchLabels: { app: "x" } } }),
    });
    await tell("without a word", { method: "POST", path, body: { metadata: { name: "bad" }, spec: {} } });
    await tell("delete", { method: "DELETE", path: `${path}/db`, body: { propagationPolicy: "Orphan" } });
  }),
  story("pods are bound and evicted", async (stage) => {
    const { tell, ns } = stage;
    const path = inNamespace(stage, "pods");
    await tell("create", { method: "POST", path, body: pod("one", { app: "x" }) });
    const binding = (name: string, fields: object = {}): object => ({
      apiVersion: "v1",
      kind: "Binding",
      metadata: { name },
      target: { kind: "Node", name: "n" },
      ...fields,
    });
    await tell("bind to nothing", {
      method: "POST",
      path: `${path}/one/binding`,
      body: binding("one", { target: {} }),
    });
    await tell("bind another", { method: "POST", path: `${path}/one/binding`, body: binding("two") });
    await tell("bind", { method: "POST", path: `${path}/one/binding`, body: binding("one") });
    await tell("bound", { path: `${path}/one` });
    await tell("bind again", { method: "POST", path: `${path}/one/binding`, body: binding("one") });
    await stage.quietly({
      method: "PATCH",
      path: `${path}/one/status`,
      type: "merge",
      body: { status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] } },
    });
    const budgets = `/apis/policy/v1/namespaces/${ns}/poddisruptionbudgets`;
    await tell("a budget", {
      method: "POST",
      path: budgets,
      body: { metadata: { name: "b" }, spec: { minAvailable: 1, selector: { matchLabels: { app: "x" } } } },
    });
    const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "one", namespace: ns } };
    await tell("evict, unseen", { method: "POST", path: `${path}/one/eviction`, body: eviction });
    const status = (fields: object) =>
      stage.quietly({
        method: "PATCH",
        path: `${budgets}/b/status`,
        type: "merge",
        body: { status: { observedGeneration: 1, expectedPods: 1, ...fields } },
      });
    await status({ currentHealthy: 1, desiredHealthy: 1, disruptionsAllowed: 0 });
    await tell("evict, not allowed", { method: "POST", path: `${path}/one/eviction`, body: eviction });
    await status({ currentHealthy: 2, desiredHealthy: 1, disruptionsAllowed: 1 });
    await tell("evict", { method: "POST", path: `${path}/one/eviction`, body: eviction });
    await tell("is going", { path: `${path}/one` });
  }),
];
