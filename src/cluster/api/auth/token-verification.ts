/** Whether a ServiceAccount token is good (upstream pkg/serviceaccount/jwt.go): signed by us, in time, and its account still there. */
import { timingSafeEqual } from "node:crypto";
import { type Clock, fromTimestamp } from "../../../core/clock.ts";
import { get, isObject, type JsonObject } from "../json.ts";
import type { Kind } from "../kinds/kind.ts";
import { metadataOf, textOf } from "../lifecycle/metadata.ts";
import { notFound } from "../lifecycle/refusals.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import { goQuoteList } from "./go-quote.ts";
import {
  accountGroups,
  accountUser,
  CREDENTIAL_ID,
  type Identity,
  NODE_NAME,
  NODE_UID,
  POD_NAME,
  POD_UID,
} from "./identity.ts";
import { isSignedBy, type ParsedToken, parseToken, type SigningKey } from "./jwt.ts";
import { ISSUER } from "./openid.ts";
import { NODE, POD, SECRET, SERVICE_ACCOUNT } from "./stored-kinds.ts";
import {
  type BoundObject,
  LEGACY_ISSUER,
  type LegacyClaims,
  readClaims,
  readLegacyClaims,
  type TokenClaims,
  textIn,
} from "./token-claims.ts";

export type Verified =
  | { readonly kind: "good"; readonly identity: Identity; readonly audiences: readonly string[] }
  /** It is a token of ours, and not good. */
  | { readonly kind: "bad"; readonly why: string }
  /** It is no token of ours. */
  | { readonly kind: "foreign" };

export interface TokenVerifier {
  /** For these audiences; those of this server unless told. The identity is without system:authenticated. */
  verify(token: string, audiences?: readonly string[]): Verified;
}

/** Seconds by which clocks may differ, and a deleted object may still vouch. */
const LEEWAY = 60;
/** Signatures that were found good are remembered: proving one takes longer than all the rest of a small request. */
const REMEMBERED = 1000;

export function createTokenVerifier(key: SigningKey, objects: ObjectStore, clock: Clock): TokenVerifier {
  const proven = new Map<string, ParsedToken>();

  function prove(token: string): ParsedToken | string | undefined {
    const known = proven.get(token);
    if (known !== undefined) return known;
    const parsed = parseToken(token);
    if (parsed === undefined || !isOurs(parsed)) return undefined;
    const kid = textIn(parsed.header, "kid");
    if (kid !== "" && kid !== key.keyId) return "invalid signature, no keys found";
    if (!isSignedBy(parsed, key)) return "go-jose/go-jose: error in cryptographic primitive";
    const [oldest] = proven.keys();
    if (proven.size >= REMEMBERED && oldest !== undefined) proven.delete(oldest);
    proven.set(token, parsed);
    return parsed;
  }

  return {
    verify(token, wanted = [ISSUER]) {
      const parsed = prove(token);
      if (parsed === undefined) return { kind: "foreign" };
      if (typeof parsed === "string") return { kind: "bad", why: parsed };
      const isLegacy = textIn(parsed.claims, "iss") === LEGACY_ISSUER;
      const claims = readClaims(parsed.claims);
      const meant = isLegacy ? [ISSUER] : claims.audiences;
      const audiences = wanted.filter((audience) => meant.includes(audience));
      if (audiences.length === 0) {
        const why = `token audiences ${goQuoteList(meant)} is invalid for the target audiences ${goQuoteList(wanted)}`;
        return { kind: "bad", why };
      }
      const legacy = readLegacyClaims(parsed.claims);
      const why = isLegacy
        ? whyLegacyIsBad(legacy, token, objects)
        : (whyOutOfTime(claims, clock.now()) ?? whyGone(claims, objects, clock.now()));
      if (why !== undefined) return { kind: "bad", why };
      return { kind: "good", identity: isLegacy ? identityOf(legacy.account, {}) : boundIdentity(claims), audiences };
    },
  };
}

function isOurs({ claims }: ParsedToken): boolean {
  const issuer = textIn(claims, "iss");
  return issuer === ISSUER || issuer === LEGACY_ISSUER;
}

function whyOutOfTime({ notBefore, expires, issuedAt }: TokenClaims, now: number): string | undefined {
  const seconds = now / 1000;
  if (seconds + LEEWAY < notBefore) return "service account token is not valid yet";
  if (seconds - LEEWAY > expires) return "service account token has expired";
  return seconds + LEEWAY < issuedAt ? "service account token is issued in the future" : undefined;
}

const INVALIDATED = "service account token has been invalidated";

/** Why the account, or what the token is bound to, no longer vouches for it. */
function whyGone(claims: TokenClaims, objects: ObjectStore, now: number): string | undefined {
  const { account, pod, secret, node } = claims;
  const { namespace, name, uid } = account;
  const stored = findNamed(objects, SERVICE_ACCOUNT, namespace, name);
  if (stored === undefined) return notFound(SERVICE_ACCOUNT, name).message;
  const current = textOf(stored, "uid");
  if (current !== uid) return `service account UID (${current}) does not match claim (${uid})`;
  if (isLongGone(stored, now)) return `service account ${namespace}/${name} has been deleted`;
  const whyUnbound = (what: string, kind: Kind, bound: BoundObject, in_: string | undefined): string | undefined => {
    const object = findNamed(objects, kind, in_, bound.name);
    if (object === undefined) return INVALIDATED;
    if (textOf(object, "uid") !== bound.uid) {
      const claim = `service account ${what} ref claim (${bound.uid})`;
      return `${what} UID (${textOf(object, "uid")}) does not match ${claim}`;
    }
    return isLongGone(object, now) ? INVALIDATED : undefined;
  };
  return (
    (secret && whyUnbound("secret", SECRET, secret, namespace)) ??
    (pod && whyUnbound("pod", POD, pod, namespace)) ??
    // With a pod, the node is only told: the pod vouches.
    (node && pod === undefined ? whyUnbound("node", NODE, node, undefined) : undefined)
  );
}

function isLongGone(object: JsonObject, now: number): boolean {
  const deleted = fromTimestamp(textOf(object, "deletionTimestamp"));
  return deleted !== undefined && deleted < now - LEEWAY * 1000;
}

function whyLegacyIsBad(
  { subject, account, secret }: LegacyClaims,
  token: string,
  objects: ObjectStore,
): string | undefined {
  const { namespace, name, uid } = account;
  if (subject === "") return "sub claim is missing";
  if (namespace === "") return "namespace claim is missing";
  if (secret === "") return "secretName claim is missing";
  if (name === "") return "serviceAccountName claim is missing";
  if (uid === "") return "serviceAccountUID claim is missing";
  if (subject !== accountUser(account)) return "sub claim is invalid";
  const held = findNamed(objects, SECRET, namespace, secret);
  if (held === undefined || textOf(held, "deletionTimestamp") !== "") return "Token has been invalidated";
  if (!isSameText(tokenIn(held), token)) return "Token does not match server's copy";
  const stored = findNamed(objects, SERVICE_ACCOUNT, namespace, name);
  if (stored === undefined) return notFound(SERVICE_ACCOUNT, name).message;
  if (textOf(stored, "deletionTimestamp") !== "") return `ServiceAccount ${namespace}/${name} has been deleted`;
  const current = textOf(stored, "uid");
  if (current !== uid) return `ServiceAccount UID (${current}) does not match claim (${uid})`;
  return isMarkedInvalid(held) ? invalidSince(account, secret) : undefined;
}

const INVALID_SINCE = "kubernetes.io/legacy-token-invalid-since";

function isMarkedInvalid(secret: JsonObject): boolean {
  const labels = get(metadataOf(secret), "labels");
  return isObject(labels) && textIn(labels, INVALID_SINCE) !== "";
}

function invalidSince({ namespace, name }: { namespace: string; name: string }, secret: string): string {
  return (
    `the token in secret ${namespace}/${secret} for service account ${namespace}/${name} has been marked invalid. ` +
    "Use tokens from the TokenRequest API or manually created secret-based tokens, " +
    `or remove the '${INVALID_SINCE}' label from the secret to temporarily allow use of this token`
  );
}

function tokenIn(secret: JsonObject): string {
  const data = get(secret, "data");
  return isObject(data) ? Buffer.from(textIn(data, "token"), "base64").toString("utf8") : "";
}

function isSameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Claims may name nothing, which is no name that could be looked up. */
function findNamed(
  objects: ObjectStore,
  kind: Kind,
  namespace: string | undefined,
  name: string,
): JsonObject | undefined {
  return name === "" || namespace === "" ? undefined : objects.find(kind, namespace, name);
}

function boundIdentity({ account, pod, node, id }: TokenClaims): Identity {
  return identityOf(account, {
    ...(id === "" ? {} : { [CREDENTIAL_ID]: [`JTI=${id}`] }),
    ...(node === undefined ? {} : { [NODE_NAME]: [node.name] }),
    ...(node === undefined || node.uid === "" ? {} : { [NODE_UID]: [node.uid] }),
    ...(pod === undefined ? {} : { [POD_NAME]: [pod.name], [POD_UID]: [pod.uid] }),
  });
}

function identityOf(account: TokenClaims["account"], extra: Identity["extra"]): Identity {
  return { name: accountUser(account), uid: account.uid, groups: accountGroups(account.namespace), extra };
}
