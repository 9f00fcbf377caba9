/** JSON Web Tokens, signed with ES256 (RFC 7515, 7518, 7519): as much of them as ServiceAccounts need. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { isObject, type JsonObject } from "../json.ts";

/** A P-256 key, and the name under which tokens call it. */
export interface SigningKey {
  readonly keyId: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** From a private key in PEM. Throws for what is no P-256 key. */
export function readSigningKey(pem: string): SigningKey {
  return signingKeyOf(createPrivateKey(pem));
}

/** Throws when it is of another kind than ES256 signs with. */
export function signingKeyOf(privateKey: KeyObject): SigningKey {
  if (privateKey.asymmetricKeyDetails?.namedCurve !== "prime256v1") {
    throw new Error("the key for ServiceAccount tokens must be an EC key on the curve P-256");
  }
  const publicKey = createPublicKey(privateKey);
  const der = publicKey.export({ type: "spki", format: "der" });
  return { keyId: createHash("sha256").update(der).digest("base64url"), privateKey, publicKey };
}

export function signToken(claims: JsonObject, { keyId, privateKey }: SigningKey): string {
  const signed = `${encode({ alg: "ES256", kid: keyId })}.${encode(claims)}`;
  const signature = sign("sha256", Buffer.from(signed), { key: privateKey, dsaEncoding: "ieee-p1363" });
  return `${signed}.${signature.toString("base64url")}`;
}

/** A token taken apart; nothing of it is proven yet. */
export interface ParsedToken {
  readonly header: JsonObject;
  readonly claims: JsonObject;
  readonly signed: string;
  readonly signature: Buffer;
}

/** Undefined for what is no token at all. */
export function parseToken(token: string): ParsedToken | undefined {
  const parts = token.split(".");
  if (parts.length !== 3) return undefined;
  const [head = "", body = "", signature = ""] = parts;
  const header = decode(head);
  const claims = decode(body);
  if (header === undefined || claims === undefined) return undefined;
  return { header, claims, signed: `${head}.${body}`, signature: Buffer.from(signature, "base64url") };
}

/** Whether the key has signed it. The header has no say in how: a token could name a weaker way. */
export function isSignedBy({ header, signed, signature }: ParsedToken, { publicKey }: SigningKey): boolean {
  if (header["alg"] !== "ES256") return false;
  return verify("sha256", Buffer.from(signed), { key: publicKey, dsaEncoding: "ieee-p1363" }, signature);
}

function encode(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function decode(part: string): JsonObject | undefined {
  try {
    const value = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
