/** What is said of policies whose expressions do not fit the kinds they are for: by kube-controller-manager, and by us. */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import type { JsonObject } from "../../../src/cluster/api/json.ts";
import { CONTROLLERS } from "../../../src/cluster/index.ts";
import { connectTo, type Server, startOurs } from "../clients/server.ts";
import { startControlPlane } from "../control-plane.ts";
import { expectKnown, readDifferences } from "../known-differences.ts";
import { waitFor } from "../wait.ts";

const PATH = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
const rule = (apiGroups: string[], resources: string[]): JsonObject => ({
  apiGroups,
  apiVersions: ["v1"],
  resources,
  operations: ["CREATE"],
});
const SETS = rule(["apps"], ["statefulsets"]);
const says = (...expressions: string[]): JsonObject => ({
  validations: expressions.map((expression) => ({ expression })),
});
const on = (...resourceRules: JsonObject[]): JsonObject => ({ matchConstraints: { resourceRules } });

const POLICIES: readonly (readonly [string, JsonObject])[] = [
  ["all-right", says("object.spec.replicas > 1 && object.metadata.name == 'x'")],
  [
    "no-such-field",
    says("object.spec.replicaz > 1", "true", "object.spec.template.spec.containers.all(c, c.img == '')"),
  ],
  ["wrong-type", says("object.spec.replicas == 'three'")],
  ["quantity", says("object.spec.template.spec.containers[0].resources.requests['cpu'] == '1'")],
  ["quantity-as-number", says("object.spec.template.spec.containers[0].resources.requests['cpu'] == 1")],
  ["int-or-string", says("object.spec.updateStrategy.rollingUpdate.maxUnavailable == 1")],
  ["time", says("object.metadata.creationTimestamp < timestamp('2020-01-01T00:00:00Z')")],
  ["time-as-text", says("object.metadata.creationTimestamp == 'x'")],
  ["labels", says("object.metadata.labels['a'] == 'b' && object.metadata.labels.c == 'd'")],
  ["namespace", says("object.metadata.namespace == 'x'")],
  ["old", says("oldObject == null || oldObject.spec.nothing == 1")],
  ["message", { validations: [{ expression: "true", messageExpression: "'has ' + object.spec.replicas" }] }],
  [
    "variables",
    {
      variables: [{ name: "n", expression: "object.spec.replicas" }],
      ...says("variables.n == 'x'"),
    },
  ],
  ["authorizer", says("authorizer.requestResource.check('get').allowed()")],
  [
    "two-kinds",
    { ...says("object.spec.volumeClaimTemplates.size() > 0"), ...on(rule(["apps"], ["statefulsets", "deployments"])) },
  ],
  ["two-rules", { ...says("object.spec.containers.size() > 0"), ...on(SETS, rule([""], ["pods", "configmaps"])) }],
  [
    "stars",
    {
      ...says("object.nothing == 1"),
      ...on(rule(["*"], ["statefulsets"]), rule(["apps"], ["*", "deployments/scale"])),
    },
  ],
  [
    "params",
    { paramKind: { apiVersion: "v1", kind: "ConfigMap" }, ...says("params.data['a'] == 1", "params.nothing == 1") },
  ],
  ["params-unknown", { paramKind: { apiVersion: "x.io/v1", kind: "Thing" }, ...says("params.a.b == 1") }],
  ["secret", { ...says("object.data['a'] == b'x'", "object.data['a'] == 'x'"), ...on(rule([""], ["secrets"])) }],
];

/** Policies are looked at where something is; the rest of life is of no use here. */
const ALIVE = { driver: "memory", sample: false, without: new Set(CONTROLLERS) } as const;
const known = readDifferences(import.meta.dirname);
const servers: Server[] = [];
beforeAll(async () => {
  const plane = await startControlPlane({ controllers: ["validatingadmissionpolicy-status-controller"] });
  const folder = await mkdtemp(join(tmpdir(), "outgrow-policy-status-"));
  servers.push(
    connectTo("theirs", plane.admin.kubeconfig, folder, () => plane.stop()),
    await startOurs({ life: ALIVE }),
  );
  for (const { api } of servers) {
    for (const [name, spec] of POLICIES) {
      await api.create(PATH, { metadata: { name }, spec: { ...on(SETS), ...spec } });
    }
  }
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
});

async function statusOf({ api }: Server, name: string): Promise<JsonObject> {
  const { status } = await waitFor(`the status of ${name}`, async () => {
    const found = await api.get<{ readonly status?: JsonObject }>(`${PATH}/${name}`);
    return found.status?.["observedGeneration"] !== undefined && found;
  });
  return status ?? {};
}

/** Types of the other have the time in their names. */
const shown = (status: JsonObject): string => JSON.stringify(status, undefined, 1).replaceAll(/(?<=[a-z])\d{4,}/g, "");

describe("the status of a policy", () => {
  test.each(POLICIES)("%s", async (name) => {
    const [theirs, ours] = await Promise.all(servers.map((server) => statusOf(server, name)));
    const [expected, found] = [shown(theirs ?? {}), shown(ours ?? {})];
    expectKnown(known, name, found === expected ? [] : [`theirs: ${expected}\nours: ${found}`]);
  });
});
