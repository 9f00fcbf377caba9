/** Kinds that nothing acts on: what their endpoints do, and what may not change. */
import {
  address,
  range,
  resourceClaim,
  resourceClaimTemplate,
  resourceSlice,
  signingRequest,
} from "../../stored-kinds.ts";
import type { Request } from "../server.ts";
import { story } from "../story.ts";

const merge = (path: string, body: object): Request => ({ method: "PATCH", path, type: "merge", body });
const SIGNING = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const CONDITION = { status: "True", reason: "Because", message: "m" };

const scaler = {
  metadata: { name: "web", annotations: { mine: "yes" } },
  spec: {
    minReplicas: 2,
    maxReplicas: 9,
    scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
    metrics: [
      { type: "Resource", resource: { name: "memory", target: { type: "AverageValue", averageValue: "1Gi" } } },
      { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 60 } } },
      { type: "Pods", pods: { metric: { name: "hits" }, target: { type: "AverageValue", averageValue: "1k" } } },
      {
        type: "External",
        external: {
          metric: { name: "queue", selector: { matchLabels: { a: "b" } } },
          target: { type: "Value", value: "30" },
        },
      },
    ],
  },
};

export const STORED = [
  story("versions of an autoscaler", async ({ tell, quietly, ns }) => {
    const path = (version: string) => `/apis/autoscaling/${version}/namespaces/${ns}/horizontalpodautoscalers`;
    await quietly({ method: "POST", path: path("v2"), body: scaler });
    const { body: first } = await tell("as the first", { path: `${path("v1")}/web` });
    await tell("back as it was", { method: "PUT", path: `${path("v1")}/web`, body: first as object });
    await tell("as the second", { path: `${path("v2")}/web` });
    await tell("changed as the first", merge(`${path("v1")}/web`, { spec: { targetCPUUtilizationPercentage: 70 } }));
    await tell("as the second again", { path: `${path("v2")}/web` });
    await tell("made as the first", {
      method: "POST",
      path: path("v1"),
      body: { metadata: { name: "plain" }, spec: { maxReplicas: 3, scaleTargetRef: scaler.spec.scaleTargetRef } },
    });
    await tell("made as the first, seen as the second", { path: `${path("v2")}/plain` });
    await tell("a list", { path: path("v1") });
    await tell("of another version", {
      method: "POST",
      path: path("v1"),
      body: { ...scaler, apiVersion: "autoscaling/v2", kind: "HorizontalPodAutoscaler" },
    });
    await tell("delete", { method: "DELETE", path: `${path("v1")}/web` });
  }),

  story("a request for a certificate", async ({ tell, quietly, ns }) => {
    const path = `${SIGNING}/${ns}`;
    const body = { metadata: { name: ns }, ...signingRequest };
    await tell("create", {
      method: "POST",
      path: SIGNING,
      body: {
        ...body,
        spec: { ...body.spec, username: "king", groups: ["system:masters"], uid: "1", extra: { a: ["b"] } },
        status: { conditions: [{ ...CONDITION, type: "Approved" }], certificate: "YQ==" },
      },
    });
    await tell("another question", merge(path, { spec: { signerName: "example.com/other" } }));
    await tell(
      "a decision in the wrong place",
      merge(path, { status: { conditions: [{ ...CONDITION, type: "Approved" }] } }),
    );
    await tell(
      "a decision with the status",
      merge(`${path}/status`, { status: { conditions: [{ ...CONDITION, type: "Denied" }] } }),
    );
    await tell(
      "half a decision",
      merge(`${path}/approval`, { status: { conditions: [{ type: "Approved", status: "False" }] } }),
    );
    await tell(
      "both",
      merge(`${path}/approval`, {
        status: {
          conditions: [
            { ...CONDITION, type: "Approved" },
            { ...CONDITION, type: "Denied" },
          ],
        },
      }),
    );
    await tell(
      "approved",
      merge(`${path}/approval`, {
        metadata: { labels: { a: "b" } },
        status: { certificate: "YQ==", conditions: [{ ...CONDITION, type: "Approved" }] },
      }),
    );
    await tell("taken back", merge(`${path}/approval`, { status: { conditions: [] } }));
    await tell("taken back with the status", merge(`${path}/status`, { status: { conditions: [] } }));
    await tell(
      "failed",
      merge(`${path}/status`, {
        status: {
          conditions: [
            { ...CONDITION, type: "Approved" },
            { ...CONDITION, type: "Failed" },
          ],
        },
      }),
    );
    await tell("its decision", { path: `${path}/approval` });
    await tell("by signer", {
      path: `${SIGNING}?fieldSelector=spec.signerName%3Dexample.com/signer,metadata.name%3D${ns}`,
    });
    await tell("by something else", { path: `${SIGNING}?fieldSelector=spec.username%3Dx` });
    await tell("an approval made", { method: "POST", path: `${path}/approval`, body });
    await quietly({ method: "DELETE", path });
  }),

  story("a pod is bound by a binding", async ({ tell, quietly, ns }) => {
    const path = `/api/v1/namespaces/${ns}/bindings`;
    const pods = `/api/v1/namespaces/${ns}/pods`;
    await quietly({
      method: "POST",
      path: pods,
      body: { metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "x" }] } },
    });
    const bind = (title: string, name: string, target: object) =>
      tell(title, { method: "POST", path, body: { metadata: { name }, target } });
    await bind("nowhere", "p", {});
    await bind("nobody", "missing", { name: "node" });
    await bind("to a node", "p", { kind: "Node", name: "node" });
    await bind("again", "p", { kind: "Node", name: "node" });
    await tell("all of them", { path });
  }),

  story("stored kinds that stay as they are", async ({ tell, quietly, ns }) => {
    const networking = "/apis/networking.k8s.io/v1";
    const devices = `/apis/resource.k8s.io/v1/namespaces/${ns}`;
    const changes: readonly (readonly [string, string, object, object])[] = [
      [`${networking}/ipaddresses`, "192.0.2.78", address, { spec: { parentRef: { name: "other" } } }],
      [`${networking}/servicecidrs`, `${ns}-range`, range, { spec: { cidrs: ["198.51.100.0/24"] } }],
      ["/apis/node.k8s.io/v1/runtimeclasses", `${ns}-class`, { handler: "a" }, { handler: "b" }],
      [`${devices}/resourceclaims`, "claim", resourceClaim, { spec: { devices: { requests: null } } }],
      [
        `${devices}/resourceclaimtemplates`,
        "template",
        resourceClaimTemplate,
        { spec: { spec: { devices: { requests: null } } } },
      ],
      [
        "/apis/resource.k8s.io/v1/resourceslices",
        `${ns}-slice`,
        resourceSlice,
        { spec: { driver: "other.example.com" } },
      ],
    ];
    for (const [path, name, fields, change] of changes) {
      await quietly({ method: "POST", path, body: { metadata: { name }, ...fields } });
      await tell(`${path.split("/").at(-1)} changed`, merge(`${path}/${name}`, change));
      await quietly({ method: "DELETE", path: `${path}/${name}` });
    }
    for (const name of ["10.01.0.1", "2001:DB8::1", "::ffff:1.2.3.4", "x", "2001:db8:0::1"]) {
      await tell(`an address called ${name}`, {
        method: "POST",
        path: `${networking}/ipaddresses?dryRun=All`,
        body: { metadata: { name }, ...address },
      });
    }
    await tell("an API under another name", {
      method: "POST",
      path: "/apis/apiregistration.k8s.io/v1/apiservices?dryRun=All",
      body: {
        metadata: { name: "v1.example.com" },
        spec: { group: "example.org", version: "v2", groupPriorityMinimum: 1, versionPriority: 1 },
      },
    });
  }),
];
