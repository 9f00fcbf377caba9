/** What others need to verify ServiceAccount tokens by themselves (OpenID Connect Discovery 1.0). */
import type { JsonObject } from "../json.ts";
import type { SigningKey } from "./jwt.ts";

/** Who issues the tokens, and whom they are for unless the client says otherwise. */
export const ISSUER = "https://kubernetes.default.svc.cluster.local";

export const CONFIGURATION_PATH = "/.well-known/openid-configuration";
export const KEYS_PATH = "/openid/v1/jwks";

/** How long others may go by what both say. */
export const FOR_AN_HOUR = "public, max-age=3600";

/** `GET /.well-known/openid-configuration`, as application/json. `address`: host and port of this server. */
export function openIdConfiguration(address: string): JsonObject {
  return {
    issuer: ISSUER,
    jwks_uri: `https://${address}${KEYS_PATH}`,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["ES256"],
  };
}

/** `GET /openid/v1/jwks`, as application/jwk-set+json. */
export function keySet({ keyId, publicKey }: Pick<SigningKey, "keyId" | "publicKey">): JsonObject {
  const { kty = "", crv = "", x = "", y = "" } = publicKey.export({ format: "jwk" });
  return { keys: [{ use: "sig", kty, kid: keyId, crv, alg: "ES256", x, y }] };
}
