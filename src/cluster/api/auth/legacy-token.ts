/** Tokens that live in Secrets of type kubernetes.io/service-account-token and never expire. */
import type { JsonObject } from "../json.ts";
import { textOf } from "../lifecycle/metadata.ts";
import { type SigningKey, signToken } from "./jwt.ts";
import { writeLegacyClaims } from "./token-claims.ts";

/**
 * The `data` of such a Secret, base64 as the API has it: token, ca.crt and namespace. The account and the Secret are stored
 * ones, of the same namespace; `ca` is the certificate of the authority that vouches for this server, in PEM.
 */
export function legacyTokenData(account: JsonObject, secret: JsonObject, key: SigningKey, ca: string): JsonObject {
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  return {
    "ca.crt": base64(ca),
    namespace: base64(textOf(secret, "namespace")),
    token: base64(signToken(writeLegacyClaims(account, secret), key)),
  };
}
