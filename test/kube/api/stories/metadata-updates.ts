/** Metadata that an update may not have: who looks at it, and how often what is wrong is told. */
import { type Stage, story } from "../story.ts";

const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "busybox" }] } };
const selector = { matchLabels: { a: "b" } };
/** One for each way in which Kubernetes looks at the metadata of its kinds. */
const OBJECTS: Readonly<Record<string, object>> = {
  "api/v1 configmaps": {},
  "api/v1 services": { spec: { clusterIP: "None", ports: [{ port: 80 }] } },
  "api/v1 pods": { spec: { ...template.spec, automountServiceAccountToken: false } },
  "api/v1 persistentvolumeclaims": {
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  },
  "api/v1 resourcequotas": {},
  "apis/apps/v1 statefulsets": { spec: { serviceName: "x", selector, template } },
  "apis/apps/v1 deployments": { spec: { selector, template } },
  "apis/coordination.k8s.io/v1 leases": { spec: {} },
  "apis/policy/v1 poddisruptionbudgets": { spec: { minAvailable: 1 } },
  "apis/rbac.authorization.k8s.io/v1 roles": {},
  "apis/networking.k8s.io/v1 networkpolicies": { spec: { podSelector: {} } },
};

export const METADATA_UPDATES = [
  story("metadata that an update may not have", async (stage: Stage) => {
    for (const [kind, more] of Object.entries(OBJECTS)) {
      const [version, plural] = kind.split(" ");
      const path = `/${version}/namespaces/${stage.ns}/${plural}`;
      await stage.quietly({ method: "POST", path, body: { metadata: { name: "x" }, ...more } });
      const patch = (metadata: object) => ({
        method: "PATCH" as const,
        path: `${path}/x`,
        type: "merge",
        body: { metadata },
      });
      await stage.tell(`a label of ${plural}`, patch({ labels: { "a b": "c" } }));
      await stage.tell(`an annotation of ${plural}`, patch({ annotations: { "a b": "c" } }));
      const nobody = { apiVersion: "v1", kind: "X", name: "", uid: "" };
      await stage.tell(`an owner of ${plural}`, patch({ ownerReferences: [nobody] }));
      // In which order the two ways of looking at a finalizer come, and come again, is each kind's own affair.
      const { status, body } = await stage.quietly(patch({ finalizers: ["a b"] }));
      const { message } = body as { message: string };
      stage.note(`a finalizer of ${plural}`, { status, message });
    }
  }),
];
