import { expect, test } from "vitest";
import type { JsonObject } from "../json.ts";
import { BUILT_IN } from "../kinds/built-in.ts";
import type { Printer } from "../table/printer.ts";
import { createAuthorizer } from "./authorizer.ts";
import { give, newObjects, person, user } from "./fixtures.ts";
import { signerCheck } from "./signers.ts";

const kind = BUILT_IN.find((each) => each.kind === "CertificateSigningRequest")!;
const request = (status: JsonObject): JsonObject => ({
  metadata: { name: "r" },
  spec: { signerName: "example.com/signer" },
  status,
});
const rule = (verb: string, name: string): JsonObject => ({
  verbs: [verb],
  apiGroups: ["certificates.k8s.io"],
  resources: ["signers"],
  resourceNames: [name],
});

async function refusal(
  rules: readonly JsonObject[],
  subresource: string | undefined,
  next: JsonObject,
): Promise<unknown> {
  const objects = newObjects();
  await give(objects, { name: "ann", rules: [...rules], subjects: [user("ann")] });
  try {
    await signerCheck(createAuthorizer(objects)).validate?.({
      operation: "UPDATE",
      resource: { kind, printer: {} as Printer },
      subresource,
      namespace: undefined,
      name: "r",
      object: next,
      old: request({}),
      options: {},
      user: person("ann"),
      dryRun: false,
      warn: () => undefined,
    });
    return undefined;
  } catch (error) {
    return error;
  }
}

const decided = request({ conditions: [{ type: "Approved", status: "True" }] });
const answered = request({ certificate: "YQ==" });

test.each([
  ["approval", decided, "approve"],
  ["status", answered, "sign"],
])("who may write %s may not decide for every signer", async (subresource, next, verb) => {
  const message = `certificatesigningrequests.certificates.k8s.io "r" is forbidden: user not permitted to ${verb} requests with signerName "example.com/signer"`;
  for (const rules of [[], [rule(verb, "example.org/*")], [rule("attest", "example.com/signer")]]) {
    expect(await refusal(rules, subresource, next)).toMatchObject({ code: 403, reason: "Forbidden", message });
  }
  for (const name of ["example.com/signer", "example.com/*"]) {
    expect(await refusal([rule(verb, name)], subresource, next)).toBeUndefined();
  }
});

test("what is no decision and no answer is free", async () => {
  expect(await refusal([], undefined, decided)).toBeUndefined();
  expect(await refusal([], "status", request({}))).toBeUndefined();
});
