/** What a ServiceAccount token says: upstream pkg/serviceaccount/claims.go and legacy.go. */
import { fromEntries, get, isList, isObject, type Json, type JsonObject } from "../json.ts";
import { textOf } from "../lifecycle/metadata.ts";
import { type AccountName, accountUser } from "./identity.ts";
import { ISSUER } from "./openid.ts";

/** An object that a token is bound to: it is worth nothing once that is gone. */
export interface BoundObject {
  readonly name: string;
  /** Empty only for a node that is not there. */
  readonly uid: string;
}

export interface TokenClaims {
  readonly account: AccountName & { readonly uid: string };
  readonly audiences: readonly string[];
  /** All moments in seconds since the epoch. */
  readonly issuedAt: number;
  readonly notBefore: number;
  readonly expires: number;
  /** Until here the client asked for it to be good; a client behind it should have asked for a new one. */
  readonly warnAfter?: number | undefined;
  /** Tells this token from any other. */
  readonly id: string;
  readonly pod?: BoundObject | undefined;
  readonly secret?: BoundObject | undefined;
  readonly node?: BoundObject | undefined;
}

export function writeClaims(claims: TokenClaims): JsonObject {
  const { account, pod, secret, node, warnAfter } = claims;
  const reference = ({ name, uid }: BoundObject) => (uid === "" ? { name } : { name, uid });
  return {
    aud: claims.audiences,
    exp: claims.expires,
    iat: claims.issuedAt,
    iss: ISSUER,
    jti: claims.id,
    "kubernetes.io": {
      namespace: account.namespace,
      ...(node === undefined ? {} : { node: reference(node) }),
      ...(pod === undefined ? {} : { pod: reference(pod) }),
      ...(secret === undefined ? {} : { secret: reference(secret) }),
      serviceaccount: reference(account),
      ...(warnAfter === undefined ? {} : { warnafter: warnAfter }),
    },
    nbf: claims.notBefore,
    sub: accountUser(account),
  };
}

/** The claims of a token of ours, whose signature was proven. What it does not say is empty or 0, which no object is. */
export function readClaims(claims: JsonObject): TokenClaims {
  const own = objectIn(claims, "kubernetes.io") ?? {};
  const bound = (key: string): BoundObject | undefined => {
    const reference = objectIn(own, key);
    return reference === undefined ? undefined : { name: textIn(reference, "name"), uid: textIn(reference, "uid") };
  };
  const audience = get(claims, "aud");
  return {
    account: { namespace: textIn(own, "namespace"), ...(bound("serviceaccount") ?? { name: "", uid: "" }) },
    audiences: (isList(audience) ? audience : [audience]).filter((each) => typeof each === "string"),
    issuedAt: numberIn(claims, "iat"),
    notBefore: numberIn(claims, "nbf"),
    expires: numberIn(claims, "exp"),
    id: textIn(claims, "jti"),
    pod: bound("pod"),
    secret: bound("secret"),
    node: bound("node"),
  };
}

/** Who issued the tokens that live in Secrets and never expire. */
export const LEGACY_ISSUER = "kubernetes/serviceaccount";
const LEGACY = "kubernetes.io/serviceaccount/";

export interface LegacyClaims {
  readonly subject: string;
  readonly account: AccountName & { readonly uid: string };
  /** Name of the Secret that holds the token. */
  readonly secret: string;
}

export function writeLegacyClaims(account: JsonObject, secret: JsonObject): JsonObject {
  const namespace = textOf(account, "namespace");
  const name = textOf(account, "name");
  return fromEntries([
    ["iss", LEGACY_ISSUER],
    [`${LEGACY}namespace`, namespace],
    [`${LEGACY}secret.name`, textOf(secret, "name")],
    [`${LEGACY}service-account.name`, name],
    [`${LEGACY}service-account.uid`, textOf(account, "uid")],
    ["sub", accountUser({ namespace, name })],
  ]);
}

export function readLegacyClaims(claims: JsonObject): LegacyClaims {
  return {
    subject: textIn(claims, "sub"),
    account: {
      namespace: textIn(claims, `${LEGACY}namespace`),
      name: textIn(claims, `${LEGACY}service-account.name`),
      uid: textIn(claims, `${LEGACY}service-account.uid`),
    },
    secret: textIn(claims, `${LEGACY}secret.name`),
  };
}

export function textIn(object: JsonObject, key: string): string {
  const value = get(object, key);
  return typeof value === "string" ? value : "";
}

function numberIn(object: JsonObject, key: string): number {
  const value: Json | undefined = get(object, key);
  return typeof value === "number" ? value : 0;
}

function objectIn(object: JsonObject, key: string): JsonObject | undefined {
  const value = get(object, key);
  return isObject(value) ? value : undefined;
}
