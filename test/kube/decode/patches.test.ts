/** Patches as a real server reads them, and the objects that they lead to, beside ours. */

import { Agent, request } from "undici";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkPatched, decodePatch, type FieldValidation, type Patch } from "../../../src/cluster/api/decode/index.ts";
import type { Json, JsonObject } from "../../../src/cluster/api/json.ts";
import { jsonPatch } from "../../../src/cluster/api/patch/json-patch.ts";
import { mergePatch } from "../../../src/cluster/api/patch/merge-patch.ts";
import { strategicMergePatch } from "../../../src/cluster/api/patch/strategic-merge-patch.ts";
import { kindType } from "../../../src/cluster/api/schema/schema.ts";
import { StatusError } from "../../../src/cluster/api/status-error.ts";
import { atOnce } from "../../../src/cluster/api/steps.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { PATCHES, type SentPatch } from "./patches.ts";

const EXPECTED = { apiVersion: "v1", kind: "ConfigMap", type: "any", custom: false } as const;
const PATH = "/api/v1/namespaces/default/configmaps";
const VALIDATIONS: readonly FieldValidation[] = ["Strict", "Warn"];

let plane: ControlPlane;
let agent: Agent;
let live: JsonObject;
beforeAll(async () => {
  plane = await startControlPlane({ controllers: [] });
  agent = new Agent({ connect: { ca: plane.ca } });
  const created = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "p" }, data: { a: "b" } };
  live = await plane.api.create<JsonObject>(PATH, created);
});
afterAll(async () => {
  await agent?.close();
  await plane?.stop();
});

/** What the patch led to stands in messages in an order of its own; and which Go file knows the kinds is of no use. */
const withoutObject = (message: string) =>
  message.replace(/"\{\\".*\}": /, "OBJECT: ").replace(/ in scheme "[^"]*"/, "");

async function realAnswer({ form, body }: SentPatch, validation: FieldValidation) {
  const query = form.endsWith("yaml") ? "&fieldManager=test&force=true" : "";
  const answer = await request(`${plane.url}${PATH}/p?dryRun=All&fieldValidation=${validation}${query}`, {
    method: "PATCH",
    dispatcher: agent,
    headers: { authorization: `Bearer ${plane.admin.token}`, accept: "application/json", "content-type": form },
    body,
  });
  const object = (await answer.body.json()) as { message: string; reason?: string; data: Json };
  const { statusCode: code } = answer;
  if (code >= 400) return { code, reason: object.reason ?? "", message: withoutObject(object.message) };
  const header = [answer.headers["warning"] ?? []].flat().join(", ");
  const warnings = [...header.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)];
  return { data: object.data, warnings: warnings.map(([, text = ""]) => text.replace(/\\(.)/g, "$1")) };
}

function ourAnswer({ form, body }: SentPatch, validation: FieldValidation) {
  try {
    const patch = decodePatch(Buffer.from(body), form);
    const { object, warnings } = atOnce(checkPatched(applied(patch), patch, EXPECTED, validation));
    return { data: object["data"], warnings };
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return { code: error.code, reason: error.reason, message: withoutObject(error.message) };
  }
}

/** An apply sets what it says, and nothing else is said here. */
function applied({ form, patch }: Patch): JsonObject {
  switch (form) {
    case "application/json-patch+json":
      return jsonPatch(live, patch) as JsonObject;
    case "application/merge-patch+json":
      return mergePatch(live, patch);
    case "application/strategic-merge-patch+json":
      return strategicMergePatch(live, patch as JsonObject, kindType("v1", "ConfigMap") ?? "any");
    case "application/apply-patch+yaml":
      return { ...live, ...(patch as JsonObject) };
  }
}

test.each(PATCHES)("$name", async (sent) => {
  for (const validation of VALIDATIONS) {
    const [real, ours] = [await realAnswer(sent, validation), ourAnswer(sent, validation)];
    expect(ours, validation).toEqual(real);
  }
});
