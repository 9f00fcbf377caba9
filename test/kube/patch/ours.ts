/** The same patch by our rules. Decoding and defaulting are not theirs, so the real server does that for both. */
import { get, type JsonObject } from "../../../src/cluster/api/json.ts";
import { jsonPatch } from "../../../src/cluster/api/patch/json-patch.ts";
import { mergePatch } from "../../../src/cluster/api/patch/merge-patch.ts";
import { applyConfiguration, trackUpdate, type WriteRequest } from "../../../src/cluster/api/patch/ownership/index.ts";
import { managedFieldsOf, withoutManaged } from "../../../src/cluster/api/patch/ownership/managed-fields.ts";
import { strategicMergePatch } from "../../../src/cluster/api/patch/strategic-merge-patch.ts";
import { customResourceType } from "../../../src/cluster/api/schema/custom-resource.ts";
import { kindType } from "../../../src/cluster/api/schema/schema.ts";
import { StatusError } from "../../../src/cluster/api/status-error.ts";
import type { Kind } from "./objects.ts";
import type { PatchCase } from "./patches.ts";
import type { Answer } from "./server.ts";

/** Decodes and defaults an object, as the endpoint does that the patch goes to. */
export type Decode = (object: JsonObject) => Promise<Answer>;

export async function patchByOurRules(live: JsonObject, kind: Kind, patch: PatchCase, decode: Decode): Promise<Answer> {
  const request = { ...requestBy(patch.manager, kind), subresource: patch.subresource };
  try {
    if (patch.type === "apply") {
      const applied = applyConfiguration(live, patch.body as JsonObject, patch.force, request);
      return withManagedOf(await decode(withoutManaged(applied)), applied);
    }
    const patched = patchOf(live, kind, patch);
    const decoded = await decode(withoutManaged(patched));
    if (decoded.kind === "refused") return decoded;
    const wish = withManagedOf(decoded, patched);
    return wish.kind === "refused" ? wish : { kind: "taken", object: trackUpdate(live, wish.object, request) };
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return { kind: "refused", code: error.code, reason: error.reason, message: error.message };
  }
}

export function requestBy(manager: string, { apiVersion, kind, status, custom }: Kind): WriteRequest {
  return {
    apiVersion,
    kind,
    manager,
    now: Date.UTC(2030, 0, 1),
    ...(custom !== undefined && { custom: { type: customResourceType(custom), hasStatus: status } }),
  };
}

function patchOf(live: JsonObject, { apiVersion, kind }: Kind, { type, body }: PatchCase): JsonObject {
  if (type === "json") return jsonPatch(live, body) as JsonObject;
  if (type === "merge") return mergePatch(live, body);
  return strategicMergePatch(live, body as JsonObject, kindType(apiVersion, kind)!);
}

function withManagedOf(answer: Answer, source: JsonObject): Answer {
  if (answer.kind === "refused") return answer;
  const bare = withoutManaged(answer.object);
  const managedFields = managedFieldsOf(source);
  if (managedFields === undefined) return { kind: "taken", object: bare };
  const metadata = get(bare, "metadata") as JsonObject;
  return { kind: "taken", object: { ...bare, metadata: { ...metadata, managedFields } } };
}
