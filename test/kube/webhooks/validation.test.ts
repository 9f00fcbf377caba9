/** What may be registered: each refusal of a real server, beside ours. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { toStatus } from "../../../src/admission/verdict.ts";
import { withDefaults } from "../../../src/cluster/api/defaults/defaults.ts";
import { expressions } from "../../../src/cluster/api/expressions/lazy-expressions.ts";
import type { JsonObject } from "../../../src/cluster/api/json.ts";
import { canonicalObject } from "../../../src/cluster/api/protobuf/canonical.ts";
import { atOnce } from "../../../src/cluster/api/steps.ts";
import { validateWebhookConfiguration } from "../../../src/cluster/api/webhooks/validate-configuration.ts";
import { ApiRefusal } from "../api.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";

let plane: ControlPlane;
beforeAll(async () => {
  await expressions.use(() => {});
  plane = await startControlPlane({ controllers: [] });
});
afterAll(() => plane?.stop());

const GROUP = "admissionregistration.k8s.io";
const RULE = { apiGroups: ["apps"], apiVersions: ["v1"], resources: ["statefulsets"], operations: ["CREATE"] };
const HOOK = {
  name: "a.b.c",
  clientConfig: { url: "https://127.0.0.1:9443/x" },
  rules: [RULE],
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
};
const service = (more: JsonObject) => ({ clientConfig: { service: { namespace: "n", name: "s", ...more } } });
const url = (text: string) => ({ clientConfig: { url: text } });
const rule = (more: JsonObject) => ({ rules: [{ ...RULE, ...more }] });
const selector = (expression: JsonObject) => ({ namespaceSelector: { matchExpressions: [expression] } });

const conditions = (...expressions: string[]): JsonObject => ({
  matchConditions: expressions.map((expression, index) => ({ name: `n${index}`, expression })),
});

/** One webhook each, on top of a good one. */
const WEBHOOKS: readonly (readonly [string, JsonObject])[] = [
  ["a good one", {}],
  ["no name", { name: "" }],
  ["a short name", { name: "a.b" }],
  ["a wrong name", { name: "A_b.c.d" }],
  ["no way to reach it", { clientConfig: {} }],
  ["two ways to reach it", { clientConfig: { url: "https://x", service: { namespace: "n", name: "s" } } }],
  ["plain http", url("http://127.0.0.1/x")],
  ["no host", url("https:///x")],
  ["no scheme", url("127.0.0.1/x")],
  ["user, query and fragment", url("https://me:secret@host/x?a=b#c")],
  ["a service", service({})],
  ["a service with path and port", service({ path: "/a/b/", port: 8443 })],
  ["a service without name", service({ name: "" })],
  ["a service without namespace", service({ namespace: "" })],
  ["a service with a wrong port", service({ port: 70_000 })],
  ["a service with a wrong path", service({ path: "a//B" })],
  ["a service with two slashes", service({ path: "//" })],
  ["no side effects told", { sideEffects: null }],
  ["some side effects", { sideEffects: "Some" }],
  ["no review versions", { admissionReviewVersions: [] }],
  ["unknown review versions", { admissionReviewVersions: ["v3"] }],
  ["odd review versions", { admissionReviewVersions: ["V1", "v1", "v1"] }],
  ["a long timeout", { timeoutSeconds: 31 }],
  ["no timeout", { timeoutSeconds: 0 }],
  ["a wrong failurePolicy", { failurePolicy: "Maybe" }],
  ["a wrong matchPolicy", { matchPolicy: "Maybe" }],
  ["a wrong reinvocationPolicy", { reinvocationPolicy: "Maybe" }],
  ["no operations", rule({ operations: [] })],
  ["a star among operations", rule({ operations: ["*", "CREATE"] })],
  ["a wrong operation", rule({ operations: ["GET"] })],
  ["no groups, versions, resources", rule({ apiGroups: [], apiVersions: [], resources: [] })],
  ["stars among others", rule({ apiGroups: ["*", "a"], apiVersions: ["*", "b"], resources: ["*", "c"] })],
  ["empty words", rule({ apiVersions: [""], resources: [""] })],
  ["all and one", rule({ resources: ["*/*", "pods"] })],
  ["overlapping subresources", rule({ resources: ["pods/*", "pods/status", "*/scale", "sets/scale"] })],
  ["a wrong scope", rule({ scope: "World" })],
  ["a selector with a wrong operator", selector({ key: "a", operator: "Near" })],
  ["a selector without values", selector({ key: "a", operator: "In" })],
  ["a selector with a wrong key", selector({ key: "-a", operator: "Exists" })],
  ["a condition", conditions("object.metadata.name != 'x'")],
  [
    "conditions about everything",
    conditions(
      "request.operation == 'UPDATE'",
      "has(oldObject.spec)",
      "authorizer.requestResource.check('get').allowed()",
    ),
  ],
  ["a condition that is no question", conditions("object.spec")],
  ["a condition that is a number", conditions("1")],
  ["a condition about nothing", conditions(" ")],
  ["a condition that does not compile", conditions("request.nope == 1 && params.a && foo(1)")],
  ["a condition with an error of syntax", conditions("object.spec ==")],
  ["a condition with a literal that makes no sense", conditions("int('a') == 1")],
  ["a condition without name", { matchConditions: [{ name: "", expression: "true" }] }],
  ["a condition with a wrong name", { matchConditions: [{ name: "a/b/c", expression: "true" }] }],
  [
    "conditions of one name",
    {
      matchConditions: [
        { name: "a", expression: "true" },
        { name: "a", expression: "true" },
      ],
    },
  ],
  ["too many conditions", conditions(...Array.from({ length: 65 }, () => "true"))],
  ["a condition about params", conditions("params == null")],
];

const cases = ["Mutating", "Validating"].flatMap((type) =>
  WEBHOOKS.filter(([, webhook]) => type === "Mutating" || !("reinvocationPolicy" in webhook)).map(
    ([name, webhook]) => ({ type, name, webhooks: [{ ...HOOK, ...webhook }] as JsonObject[] }),
  ),
);

test.each([...cases, { type: "Mutating", name: "the same name twice", webhooks: [HOOK, HOOK] as JsonObject[] }])(
  "$type: $name",
  async ({ type, webhooks }) => {
    const kind = `${type}WebhookConfiguration`;
    const object: JsonObject = { apiVersion: `${GROUP}/v1`, kind, metadata: { name: "x" }, webhooks };
    const plural = `${kind.toLowerCase()}s`;
    const real = await plane.api.create(`/apis/${GROUP}/v1/${plural}?dryRun=All`, object).then(
      () => "accepted",
      (error: unknown) => {
        if (error instanceof ApiRefusal) return error.message;
        throw error;
      },
    );
    const errors = atOnce(validateWebhookConfiguration(canonicalObject(withDefaults(object))));
    const target = { group: GROUP, kind, resource: plural, name: "x" };
    expect(errors.length === 0 ? "accepted" : toStatus({ kind: "invalid", target, errors }).message).toBe(real);
  },
);
