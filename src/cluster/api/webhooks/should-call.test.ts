/** Conditions of webhooks; test/kube/webhooks asks a real kube-apiserver the same. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createAuthorizer } from "../auth/authorizer.ts";
import type { JsonObject } from "../json.ts";
import { hooksOf } from "./hook.ts";
import { shouldCall } from "./should-call.ts";
import { type HookBench, openHookBench, requestFor } from "./testing/hook-bench.ts";

const map: JsonObject = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a", namespace: "default", labels: { app: "x" } },
  data: { key: "value" },
};
/** May delete maps, and nothing else. */
const cleaner = { name: "cleaner", groups: ["system:authenticated"] };
const RBAC = "rbac.authorization.k8s.io";
const rights: readonly JsonObject[] = [
  {
    apiVersion: `${RBAC}/v1`,
    kind: "ClusterRole",
    metadata: { name: "cleaner" },
    rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["delete"] }],
  },
  {
    apiVersion: `${RBAC}/v1`,
    kind: "ClusterRoleBinding",
    metadata: { name: "cleaner" },
    roleRef: { apiGroup: RBAC, kind: "ClusterRole", name: "cleaner" },
    subjects: [{ kind: "User", apiGroup: RBAC, name: cleaner.name }],
  },
];

let bench: HookBench;
beforeEach(async () => {
  bench = openHookBench();
  for (const right of rights) await bench.put(right);
});
afterEach(() => bench.close());

async function isCalled(
  expressions: readonly string[],
  failurePolicy: "Fail" | "Ignore" = "Fail",
  operation: "CREATE" | "UPDATE" | "DELETE" = "CREATE",
): Promise<boolean> {
  const [hook] = hooksOf({
    metadata: { name: "c" },
    webhooks: [
      {
        name: "a.b.c",
        clientConfig: { url: "https://x" },
        rules: [{ apiGroups: ["*"], apiVersions: ["*"], resources: ["*"], operations: ["*"] }],
        failurePolicy,
        matchConditions: expressions.map((expression, index) => ({ name: `n${index}`, expression })),
      },
    ],
  });
  if (hook === undefined) throw new Error("there is no webhook");
  const request = requestFor(bench.catalog, operation, map, { user: cleaner });
  const calling = { ...bench, authorizer: createAuthorizer(bench.objects) };
  return (await shouldCall(hook, request, calling)) !== undefined;
}

describe("a webhook is called when all its conditions hold", () => {
  test.each<[string, readonly string[], boolean]>([
    ["none", [], true],
    ["about the object", ["object.metadata.labels.app == 'x'", "object.data.key == 'value'"], true],
    ["one that does not hold", ["true", "object.metadata.labels.app == 'y'"], false],
    ["about what was there before", ["oldObject == null"], true],
    [
      "about the request",
      [
        "request.operation == 'CREATE' && request.resource.resource == 'configmaps' && request.userInfo.username == 'cleaner'",
      ],
      true,
    ],
    [
      "about what the user may do",
      ["authorizer.group('').resource('configmaps').namespace('default').check('delete').allowed()"],
      true,
    ],
    ["about what the user may do with it", ["authorizer.requestResource.check('get').allowed()"], false],
    ["one that fails, and one that does not hold", ["object.nope == 1", "false"], false],
  ])("%s", async (_, expressions, expected) => {
    expect(await isCalled(expressions)).toBe(expected);
  });

  test("of a deletion there is no new object", async () => {
    expect(await isCalled(["object == null && oldObject.data.key == 'value'"], "Fail", "DELETE")).toBe(true);
  });
});

describe("a condition that fails", () => {
  const failing = ["object.nope == 1"];

  test("refuses the request where failures do", async () => {
    await expect(isCalled(failing)).rejects.toMatchObject({
      name: "StatusError",
      code: 403,
      message: "configmaps \"a\" is forbidden: expression 'object.nope == 1' resulted in error: no such key: nope",
    });
  });

  test("leaves the webhook out where they are ignored", async () => {
    expect(await isCalled(failing, "Ignore")).toBe(false);
  });

  test("for want of steps says so", async () => {
    const long = "lists.range(100000).all(x, x >= 0)";
    await expect(isCalled(Array.from({ length: 7 }, () => long))).rejects.toThrow("running out of cost budget");
  });
});
