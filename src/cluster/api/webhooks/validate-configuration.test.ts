/** The texts are held against a real server's in test/kube/webhooks. */
import { beforeAll, describe, expect, test } from "vitest";
import { fieldErrorText } from "../../../admission/verdict.ts";
import { expressions } from "../expressions/lazy-expressions.ts";
import type { JsonObject } from "../json.ts";
import { atOnce } from "../steps.ts";
import { validateWebhookConfiguration } from "./validate-configuration.ts";

const RULE = { apiGroups: ["apps"], apiVersions: ["v1"], resources: ["statefulsets"], operations: ["CREATE"] };
const HOOK = {
  name: "a.b.c",
  clientConfig: { url: "https://127.0.0.1:9443/x" },
  rules: [RULE],
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
};
const errorsOf = (...webhooks: JsonObject[]) =>
  atOnce(validateWebhookConfiguration({ webhooks: webhooks.map((webhook) => ({ ...HOOK, ...webhook })) })).map(
    fieldErrorText,
  );

describe("a webhook configuration", () => {
  beforeAll(() => expressions.use(() => {}));

  test("may be empty", () => {
    expect(atOnce(validateWebhookConfiguration({}))).toEqual([]);
  });

  test("with good webhooks is good", () => {
    const service = { clientConfig: { service: { namespace: "n", name: "s", path: "/x", port: 443 } } };
    expect(errorsOf({}, { name: "d.e.f", ...service })).toEqual([]);
  });

  test.each<[string, JsonObject, string]>([
    [
      "http",
      { clientConfig: { url: "http://x" } },
      "webhooks[0].clientConfig.url: Invalid value: \"http\": 'https' is the only allowed URL scheme; desired format: https://host[/path]",
    ],
    [
      "no way",
      { clientConfig: {} },
      "webhooks[0].clientConfig: Required value: exactly one of url or service is required",
    ],
    [
      "31 seconds",
      { timeoutSeconds: 31 },
      "webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds",
    ],
    [
      "a star among others",
      { rules: [{ ...RULE, resources: ["*/*", "pods"] }] },
      'webhooks[0].rules[0].resources: Invalid value: ["*/*","pods"]: if \'*/*\' is present, must not specify other resources',
    ],
    [
      "a condition that is no question",
      { matchConditions: [{ name: "x", expression: "1 + 1" }] },
      'webhooks[0].matchConditions[0].expression: Invalid value: "1 + 1": must evaluate to bool but got int',
    ],
    [
      "a condition that is none",
      { matchConditions: [{ name: "x", expression: "object.a" }] },
      'webhooks[0].matchConditions[0].expression: Invalid value: "object.a": must evaluate to bool but got dyn',
    ],
    [
      "side effects",
      { sideEffects: "Some" },
      'webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
    ],
  ])("with %s is refused", (_, webhook, expected) => {
    expect(errorsOf(webhook)).toEqual([expected]);
  });

  test("names each webhook once", () => {
    expect(errorsOf({}, {})).toEqual(['webhooks[1].name: Duplicate value: "a.b.c"']);
  });
});
