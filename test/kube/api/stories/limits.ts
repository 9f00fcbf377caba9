/** How much there may be: quota, limits, priorities, defaults of a namespace. */
import { type Stage, story } from "../story.ts";

const path = ({ ns }: Stage, plural: string): string => `/api/v1/namespaces/${ns}/${plural}`;
const claim = (name: string, storage: string, spec: object = {}): object => ({
  metadata: { name },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } }, ...spec },
});
const pod = (name: string, resources: object = {}, spec: object = {}): object => ({
  metadata: { name },
  spec: { containers: [{ name: "c", image: "busybox", resources }], ...spec },
});

/** A quota that counts: Kubernetes enforces what a controller has taken note of. */
async function limit(stage: Stage, hard: Record<string, string>, spec: object = {}): Promise<void> {
  await stage.quietly({
    method: "POST",
    path: path(stage, "resourcequotas"),
    body: { metadata: { name: "q" }, spec: { hard, ...spec } },
  });
  await stage.quietly({
    method: "PATCH",
    path: `${path(stage, "resourcequotas")}/q/status`,
    type: "merge",
    body: { status: { hard, used: Object.fromEntries(Object.keys(hard).map((name) => [name, "0"])) } },
  });
}

export const LIMITS = [
  story("quota", async (stage) => {
    const { tell } = stage;
    await limit(stage, { "requests.storage": "10Gi", persistentvolumeclaims: "2", pods: "1", "count/configmaps": "1" });
    const create = (title: string, plural: string, body: object) =>
      tell(title, { method: "POST", path: path(stage, plural), body });
    await create("a claim", "persistentvolumeclaims", claim("a", "4Gi"));
    await create("too large", "persistentvolumeclaims", claim("b", "7Gi"));
    await create("just right", "persistentvolumeclaims", claim("b", "6Gi"));
    await create("too many", "persistentvolumeclaims", claim("c", "1Gi"));
    await create("a pod", "pods", pod("a"));
    await create("another pod", "pods", pod("b"));
    await create("a map", "configmaps", { metadata: { name: "a" } });
    await create("another map", "configmaps", { metadata: { name: "b" } });
    await tell("what is used", { path: `${path(stage, "resourcequotas")}/q` });
    await tell("a table", {
      path: `${path(stage, "resourcequotas")}/q`,
      accept: "application/json;as=Table;v=v1;g=meta.k8s.io",
    });
    await tell("a dry run", {
      method: "POST",
      path: `${path(stage, "configmaps")}?dryRun=All`,
      body: { metadata: { name: "c" } },
    });
  }),
  story("quota of what containers ask for", async (stage) => {
    const { tell } = stage;
    await limit(stage, { "requests.cpu": "1", "limits.memory": "1Gi" });
    const create = (title: string, body: object) => tell(title, { method: "POST", path: path(stage, "pods"), body });
    await create("without a word", pod("a"));
    await create("in part", pod("a", { requests: { cpu: "100m" } }));
    await create("in full", pod("a", { requests: { cpu: "600m" }, limits: { memory: "512Mi" } }));
    await create("too much", pod("b", { requests: { cpu: "600m" }, limits: { memory: "600Mi" } }));
  }),
  story("limits", async (stage) => {
    const { tell } = stage;
    await tell("a range", {
      method: "POST",
      path: path(stage, "limitranges"),
      body: {
        metadata: { name: "r" },
        spec: {
          limits: [
            { type: "Container", default: { cpu: "500m" }, defaultRequest: { cpu: "100m" }, max: { cpu: "1" } },
            { type: "PersistentVolumeClaim", min: { storage: "1Gi" }, max: { storage: "5Gi" } },
          ],
        },
      },
    });
    const create = (title: string, plural: string, body: object) =>
      tell(title, { method: "POST", path: path(stage, plural), body });
    await create("a pod", "pods", pod("a"));
    await create("too much", "pods", pod("b", { limits: { cpu: "2" } }));
    await create("too large", "persistentvolumeclaims", claim("a", "6Gi"));
    await create("too small", "persistentvolumeclaims", claim("a", "1Mi"));
    await create("right", "persistentvolumeclaims", claim("a", "2Gi"));
  }),
  story("priorities", async (stage) => {
    const { tell, ns } = stage;
    const classes = "/apis/scheduling.k8s.io/v1/priorityclasses";
    await stage.quietly({ method: "POST", path: classes, body: { metadata: { name: ns }, value: 7 } });
    const create = (title: string, body: object) => tell(title, { method: "POST", path: path(stage, "pods"), body });
    await create("by class", pod("a", {}, { priorityClassName: ns }));
    await create("of no class", pod("b", {}, { priorityClassName: "none" }));
    await create("by number", pod("c", {}, { priority: 9 }));
    await create("for the system", pod("d", {}, { priorityClassName: "system-node-critical" }));
    await tell("another value", { method: "PATCH", path: `${classes}/${ns}`, type: "merge", body: { value: 8 } });
    for (const own of ["system-node-critical", "system-cluster-critical"]) {
      await tell(own, { path: `${classes}/${own}` });
      await tell(`no ${own}`, { method: "DELETE", path: `${classes}/${own}` });
    }
    await tell("one more for the system", {
      method: "POST",
      path: classes,
      body: { metadata: { name: "system-more" }, value: 7 },
    });
    await tell("too much", { method: "POST", path: classes, body: { metadata: { name: `${ns}-much` }, value: 2e9 } });
    await tell("described", { method: "PATCH", path: `${classes}/${ns}`, type: "merge", body: { description: "d" } });
  }),
  story("accounts", async (stage) => {
    const { tell } = stage;
    await tell("of nobody", {
      method: "POST",
      path: path(stage, "pods"),
      body: pod("a", {}, { serviceAccountName: "no" }),
    });
    await tell("in no namespace", { method: "POST", path: "/api/v1/namespaces/nowhere/pods", body: pod("a") });
  }),
];
