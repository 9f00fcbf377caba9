/** Webhooks that cannot be asked, and those that cannot be. */
import { waitFor } from "../../wait.ts";
import { type Stage, story } from "../story.ts";

const ROOT = "/apis/admissionregistration.k8s.io/v1";
const hook = (stage: Stage, fields: object = {}): object => ({
  name: "hook.example.com",
  clientConfig: { url: "https://127.0.0.1:1/none" },
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
  rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
  namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": stage.ns } },
  ...fields,
});

export const HOOKS = [
  story("webhooks that do not answer", async (stage) => {
    const { tell, ns } = stage;
    const maps = `/api/v1/namespaces/${ns}/configmaps`;
    await stage.quietly({
      method: "POST",
      path: `${ROOT}/validatingwebhookconfigurations`,
      body: { metadata: { name: ns }, webhooks: [hook(stage)] },
    });
    await waitFor("the webhook to count", async () => {
      const { status } = await stage.quietly({
        method: "POST",
        path: `${maps}?dryRun=All`,
        body: { metadata: { name: "x" } },
      });
      return status !== 201;
    });
    await tell("must be asked", { method: "POST", path: maps, body: { metadata: { name: "x" } } });
    await tell("for another kind", {
      method: "POST",
      path: `/api/v1/namespaces/${ns}/secrets`,
      body: { metadata: { name: "x" } },
    });
    await tell("may fail", {
      method: "PATCH",
      path: `${ROOT}/validatingwebhookconfigurations/${ns}`,
      type: "json",
      body: [{ op: "replace", path: "/webhooks/0/failurePolicy", value: "Ignore" }],
    });
    await waitFor("the change to count", async () => {
      const { status } = await stage.quietly({
        method: "POST",
        path: `${maps}?dryRun=All`,
        body: { metadata: { name: "x" } },
      });
      return status === 201;
    });
    await tell("is not asked", { method: "POST", path: maps, body: { metadata: { name: "x" } } });
  }),
  story("webhooks that cannot be", async (stage) => {
    const post = (title: string, fields: object, plural = "mutatingwebhookconfigurations") =>
      stage.tell(title, {
        method: "POST",
        path: `${ROOT}/${plural}?dryRun=All`,
        body: { metadata: { name: `${stage.ns}-bad` }, webhooks: [hook(stage, fields)] },
      });
    await post("no name", { name: "" });
    await post("a short name", { name: "x" });
    await post("nowhere", { clientConfig: {} });
    await post("in the open", { clientConfig: { url: "http://127.0.0.1/x" } });
    await post("effects", { sideEffects: "Some" });
    await post("no versions", { admissionReviewVersions: [] });
    await post("too slow", { timeoutSeconds: 60 });
    await post("an operation", {
      rules: [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["ODD"], resources: ["*"] }],
    });
    await post("a policy", { failurePolicy: "Odd" }, "validatingwebhookconfigurations");
  }),
];
