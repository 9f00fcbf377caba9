/**
 * Who may decide about a request for a certificate, and who may answer it: those who may `approve` or `sign` for the signer that
 * it names (upstream plugins CertificateApproval and CertificateSigning). The right to write the endpoint alone is not enough.
 */
import type { AdmissionPlugin } from "../admission/plugin.ts";
import { get, isObject, type JsonObject, jsonEqual } from "../json.ts";
import { forbiddenObject } from "../lifecycle/refusals.ts";
import type { Authorizer } from "./authorizer.ts";
import type { User } from "./identity.ts";

const GROUP = "certificates.k8s.io";

/** Refuses with 403. */
export function signerCheck(authorizer: Authorizer): AdmissionPlugin {
  return {
    name: "CertificateSigners",
    validate({ resource: { kind }, subresource, operation, user, name, old, object }) {
      if (kind.group !== GROUP || operation !== "UPDATE" || old === undefined || object === undefined) return;
      const verb = subresource === "approval" ? "approve" : subresource === "status" ? "sign" : undefined;
      if (verb === undefined || (verb === "sign" && !isAnswered(old, object))) return;
      const signer = get(partOf(old, "spec"), "signerName");
      const signerName = typeof signer === "string" ? signer : "";
      if (mayFor(authorizer, user, verb, signerName)) return;
      const why = `user not permitted to ${verb} requests with signerName ${JSON.stringify(signerName)}`;
      throw forbiddenObject(kind, name, why);
    },
  };
}

/** For this signer, or for all of its domain: `example.com/*`. */
function mayFor(authorizer: Authorizer, user: User, verb: string, signerName: string): boolean {
  const names = [signerName, `${signerName.split("/")[0]}/*`];
  return names.some(
    (name) => authorizer.decide(user, { verb, group: GROUP, resource: "signers", namespace: undefined, name }).allowed,
  );
}

function isAnswered(old: JsonObject, next: JsonObject): boolean {
  return ["certificate", "conditions"].some(
    (field) => !jsonEqual(get(partOf(old, "status"), field) ?? null, get(partOf(next, "status"), field) ?? null),
  );
}

function partOf(object: JsonObject, name: string): JsonObject {
  const value = get(object, name);
  return isObject(value) ? value : {};
}
