/** What webhooks may answer, good and bad, by path: asked by us in one suite, by a real kube-apiserver in another. */
import type { JsonObject } from "../../json.ts";
import { allowing, answering, type Behaviour, base64, type HookServer, patching } from "./hook-server.ts";

const label = (key: string, value: string): JsonObject => ({ op: "add", path: `/metadata/labels/${key}`, value });

const BETA: JsonObject = { apiVersion: "admission.k8s.io/v1beta1" };

export const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  "/allow": allowing,
  "/warn": answering({ allowed: true, warnings: ["first", "second", "first"] }),
  "/deny": answering({ allowed: false, status: { code: 403, reason: "Forbidden", message: "not today" } }),
  "/deny-silently": answering({ allowed: false }),
  "/deny-by-reason": answering({ allowed: false, status: { reason: "Invalid" } }),
  "/deny-with-success": answering({ allowed: false, status: { code: 200, status: "Success", message: "odd" } }),
  "/label": patching(label("first", "yes")),
  "/label-again": patching(label("second", "yes")),
  "/data": patching({ op: "add", path: "/data", value: { size: "1Gi" } }),
  "/unknown-field": patching({ op: "add", path: "/unheardOf", value: 1 }, label("first", "yes")),
  "/no-change": patching({ op: "test", path: "/kind", value: "ConfigMap" }),
  "/empty-patch": answering({ allowed: true, patchType: "JSONPatch", patch: base64("[]") }),
  "/patch-misses": patching({ op: "remove", path: "/not/there" }),
  "/patch-no-type": answering({ allowed: true, patch: base64("[]") }),
  "/type-no-patch": answering({ allowed: true, patchType: "JSONPatch" }),
  "/type-unknown": answering({ allowed: true, patchType: "Merge", patch: base64('[{"op":"test"}]') }),
  "/patch-garbage": answering({ allowed: true, patchType: "JSONPatch", patch: base64("{{") }),
  "/other-uid": answering({ allowed: true, uid: "other" }),
  "/absent": () => ({ body: JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview" }) }),
  "/no-kind": ({ request }) => ({ body: JSON.stringify({ response: { uid: request.uid, allowed: true } }) }),
  "/old-version": answering({ allowed: true }, BETA),
  "/beta": answering({ allowed: true }, BETA),
  "/beta-patch": answering({ allowed: true, patch: base64(JSON.stringify([label("first", "yes")])) }, BETA),
  "/garbage": () => ({ body: "this is no JSON" }),
  "/empty": () => ({ body: "" }),
  "/text": (review) => ({ ...(allowing(review) as { body: string }), contentType: "text/plain; charset=utf-8" }),
  "/missing": () => ({ status: 404, contentType: "text/plain", body: "404 page not found\n" }),
  "/broken": () => ({ status: 500, contentType: "text/plain", body: "it broke\n" }),
  "/broken-json": () => ({ status: 500, body: '{"error":"x"}' }),
  "/away": () => ({ status: 503, contentType: "text/plain", body: "away" }),
  "/forbidding": () => ({ status: 403, contentType: "text/plain", body: "no entry" }),
  "/teapot": () => ({ status: 418, contentType: "text/plain", body: "short and stout" }),
  "/moved": () => ({ status: 302, contentType: "text/plain", body: "elsewhere" }),
  "/silent": () => undefined,
};

type Reached = Pick<HookServer, "url" | "port" | "caBundle">;

/** One webhook that is called for ConfigMaps with the label `scene: NAME`, and what is special about it. */
export interface Scene {
  readonly name: string;
  readonly type: "mutating" | "validating";
  readonly path: string;
  /** How it is reached, if not in the usual way. */
  readonly client?: (server: Reached) => JsonObject;
  /** On top of what all have. */
  readonly webhook?: JsonObject;
  readonly operation?: "CREATE" | "UPDATE" | "DELETE";
  readonly dryRun?: boolean;
}

const mutating = (path: string, more: Partial<Scene> = {}): Scene => ({
  name: `m${path.replace("/", "-")}`,
  type: "mutating",
  path,
  ...more,
});
const validating = (path: string, more: Partial<Scene> = {}): Scene => ({
  name: `v${path.replace("/", "-")}`,
  type: "validating",
  path,
  ...more,
});

/** One condition each. */
const when = (expression: string, more: JsonObject = {}): Partial<Scene> => ({
  webhook: { matchConditions: [{ name: "c", expression }], ...more },
});

export const SCENES: readonly Scene[] = [
  validating("/deny", { name: "v-condition-gone", operation: "DELETE", ...when("oldObject.data.a == 'c'") }),
  ...["/allow", "/warn", "/deny", "/deny-silently", "/deny-by-reason", "/deny-with-success"].flatMap((path) => [
    validating(path),
    mutating(path),
  ]),
  ...["/label", "/data", "/unknown-field", "/no-change", "/empty-patch", "/patch-misses", "/patch-no-type"].map(
    (path) => mutating(path),
  ),
  ...["/type-no-patch", "/type-unknown", "/patch-garbage"].map((path) => mutating(path)),
  ...["/label", "/type-no-patch", "/other-uid", "/absent", "/no-kind", "/old-version", "/garbage", "/empty"].map(
    (path) => validating(path),
  ),
  ...["/text", "/missing", "/broken", "/broken-json", "/away", "/forbidding", "/teapot", "/moved"].map((path) =>
    validating(path),
  ),
  validating("/allow", { name: "v-update", operation: "UPDATE" }),
  mutating("/label", { name: "m-update", operation: "UPDATE" }),
  validating("/allow", { name: "v-delete", operation: "DELETE" }),
  validating("/deny", { name: "v-delete-denied", operation: "DELETE" }),
  mutating("/allow", { name: "m-delete", operation: "DELETE" }),
  mutating("/label", { name: "m-delete-patched", operation: "DELETE" }),
  validating("/allow", { name: "v-dry-run", dryRun: true }),
  mutating("/label", { name: "m-dry-run", dryRun: true }),
  validating("/beta", { webhook: { admissionReviewVersions: ["v9", "v1beta1", "v1"] } }),
  mutating("/beta-patch", { webhook: { admissionReviewVersions: ["v1beta1"] } }),
  validating("/deny", { name: "v-condition-met-deny", ...when("object.metadata.name == request.name") }),
  validating("/deny", { name: "v-condition-unmet", ...when("request.operation == 'DELETE'") }),
  validating("/allow", { name: "v-condition-fails", ...when("object.spec.x == 1") }),
  validating("/deny", { name: "v-condition-open", ...when("object.spec.x == 1", { failurePolicy: "Ignore" }) }),
  mutating("/label", { name: "m-condition-met", ...when("authorizer.requestResource.check('create').allowed()") }),
  mutating("/label", { name: "m-condition-unmet", ...when("has(object.immutable)") }),
  mutating("/allow", { name: "m-condition-fails", ...when("oldObject.data.a == 'b'") }),
  validating("/broken", { name: "v-open", webhook: { failurePolicy: "Ignore" } }),
  validating("/deny", { name: "v-open-denied", webhook: { failurePolicy: "Ignore" } }),
  mutating("/other-uid", { name: "m-open", webhook: { failurePolicy: "Ignore" } }),
  validating("/silent", { webhook: { timeoutSeconds: 1 } }),
  mutating("/silent", { name: "m-silent-open", webhook: { timeoutSeconds: 1, failurePolicy: "Ignore" } }),
  validating("/allow", { name: "v-new-to-beta", webhook: { admissionReviewVersions: ["v1beta1"] } }),
  validating("/allow/", { name: "v-slash" }),
  validating("/allow", { name: "v-nobody", client: () => ({ url: "https://127.0.0.1:1/allow" }) }),
  mutating("/allow", {
    name: "m-nobody-open",
    client: () => ({ url: "https://127.0.0.1:1/allow" }),
    webhook: { failurePolicy: "Ignore" },
  }),
  validating("/allow", { name: "v-stranger", client: ({ url }) => ({ url: `${url}/allow` }) }),
  validating("/allow", {
    name: "v-other-name",
    client: ({ port, caBundle }) => ({ url: `https://localhost:${port}/allow`, caBundle }),
  }),
  validating("/allow", {
    name: "v-service",
    client: ({ caBundle }) => ({ service: { namespace: "default", name: "nobody", path: "/allow" }, caBundle }),
  }),
];

/** The configuration of one type with a webhook for each of these scenes. */
export function configurationOf(type: Scene["type"], scenes: readonly Scene[], server: Reached): JsonObject {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: type === "mutating" ? "MutatingWebhookConfiguration" : "ValidatingWebhookConfiguration",
    metadata: { name: `${type}-scenes` },
    webhooks: scenes
      .filter((scene) => scene.type === type)
      .map(({ name, path, operation = "CREATE", client = usual(path), webhook = {} }) => ({
        name: `${name}.scenes.test`,
        clientConfig: client(server),
        rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: [operation] }],
        objectSelector: { matchLabels: { scene: name } },
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
        ...webhook,
      })),
  };
}

function usual(path: string): (server: Reached) => JsonObject {
  return ({ url, caBundle }) => ({ url: url + path, caBundle });
}
