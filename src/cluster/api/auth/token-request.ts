/** `POST …/serviceaccounts/NAME/token`: a token for an account (upstream pkg/registry/core/serviceaccount/storage/token.go). */
import { type FieldError, fieldErrorText, invalid } from "../../../admission/verdict.ts";
import { toTimestamp } from "../../../core/clock.ts";
import { get, isList, isObject, type JsonObject } from "../json.ts";
import { metadataOf, textOf } from "../lifecycle/metadata.ts";
import { notFound } from "../lifecycle/refusals.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import { badRequest, StatusError } from "../status-error.ts";
import type { AccountName } from "./identity.ts";
import { type SigningKey, signToken } from "./jwt.ts";
import { ISSUER } from "./openid.ts";
import { NODE, POD, SECRET, SERVICE_ACCOUNT } from "./stored-kinds.ts";
import { type BoundObject, type TokenClaims, textIn, writeClaims } from "./token-claims.ts";

export interface TokenIssuer {
  readonly key: SigningKey;
  readonly objects: ObjectStore;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Becomes the token's own name. */
  readonly uid: string;
}

const KIND = { group: "authentication.k8s.io", kind: "TokenRequest" } as const;
const DEFAULT_SECONDS = 3600;
const MIN_SECONDS = 600;
const MAX_SECONDS = 2 ** 32;

/**
 * What kubelets ask for where a pod does not say. Programs that never read their token anew would break after an hour, so it
 * lives a year, and says when a better client would have asked again.
 */
const PROJECTED_SECONDS = 3607;
const EXTENDED_SECONDS = 365 * 24 * 3600;

/**
 * The TokenRequest with its token. Throws `StatusError`: 404 for an account or a bound object that is not there, 409 for one
 * with another uid, 422 and 400 for a request that makes no sense.
 */
export function requestToken(account: AccountName, request: JsonObject, issuer: TokenIssuer): JsonObject {
  const { objects, key, now } = issuer;
  const { namespace, name } = account;
  checkNames(account, request);
  const stored = objects.find(SERVICE_ACCOUNT, namespace, name);
  if (stored === undefined) throw notFound(SERVICE_ACCOUNT, name);
  const uid = textOf(stored, "uid");
  checkUid(name, textOf(request, "uid"), uid);
  const wish = readWish(request);
  const errors = validate(wish.seconds);
  if (errors.length > 0) throw refusal("", errors);

  const bound = wish.bound === undefined ? {} : bind(account, wish.bound, objects);
  const extended = bound.pod !== undefined && wish.seconds === PROJECTED_SECONDS && isForUs(wish.audiences);
  const issuedAt = Math.floor(now / 1000);
  const claims: TokenClaims = {
    account: { namespace, name, uid },
    audiences: wish.audiences,
    issuedAt,
    notBefore: issuedAt,
    expires: issuedAt + (extended ? EXTENDED_SECONDS : wish.seconds),
    id: issuer.uid,
    ...bound,
    ...(extended ? { warnAfter: issuedAt + wish.seconds } : {}),
  };
  return {
    kind: "TokenRequest",
    apiVersion: "authentication.k8s.io/v1",
    metadata: { ...metadataOf(request), name, namespace, uid, creationTimestamp: toTimestamp(now) },
    spec: { audiences: wish.audiences, expirationSeconds: wish.seconds, boundObjectRef: wish.bound ?? null },
    status: {
      token: signToken(writeClaims(claims), key),
      expirationTimestamp: toTimestamp(now + wish.seconds * 1000),
    },
  };
}

interface Wish {
  readonly audiences: readonly string[];
  readonly seconds: number;
  readonly bound: JsonObject | undefined;
}

function readWish(request: JsonObject): Wish {
  const given = get(request, "spec");
  const spec = isObject(given) ? given : {};
  const audiences = get(spec, "audiences");
  const texts = isList(audiences) ? audiences.filter((each) => typeof each === "string") : [];
  const seconds = get(spec, "expirationSeconds");
  const bound = get(spec, "boundObjectRef");
  return {
    audiences: texts.length === 0 ? [ISSUER] : texts,
    seconds: typeof seconds === "number" ? seconds : DEFAULT_SECONDS,
    bound: isObject(bound) ? bound : undefined,
  };
}

function isForUs(audiences: readonly string[]): boolean {
  return audiences.every((audience) => audience === ISSUER);
}

function checkNames({ namespace, name }: AccountName, request: JsonObject): void {
  const givenNamespace = textOf(request, "namespace");
  if (givenNamespace !== "" && givenNamespace !== namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  const givenName = textOf(request, "name");
  if (givenName === "" || givenName === name) return;
  const detail = "must match the service account name if specified";
  throw refusal(name, [invalid("metadata.name", givenName, detail)]);
}

function checkUid(name: string, given: string, uid: string): void {
  if (given === "" || given === uid) return;
  const why = `the UID in the token request (${given}) does not match the UID of the service account (${uid})`;
  throw conflict(KIND, name, why);
}

function validate(seconds: number): FieldError[] {
  const path = "spec.expirationSeconds";
  if (seconds < MIN_SECONDS) return [invalid(path, seconds, "may not specify a duration less than 10 minutes")];
  if (seconds > MAX_SECONDS) return [invalid(path, seconds, "may not specify a duration larger than 2^32 seconds")];
  return [];
}

/** What the token is bound to. */
function bind(
  account: AccountName,
  reference: JsonObject,
  objects: ObjectStore,
): Pick<TokenClaims, "pod" | "node" | "secret"> {
  const [group, version] = groupAndVersion(textIn(reference, "apiVersion"));
  const kind = textIn(reference, "kind");
  const name = textIn(reference, "name");
  const found = (kindOf: typeof POD, namespace: string | undefined): JsonObject => {
    // No object could have such a name, and none may be looked up by it.
    const object = name === "" || name.includes("/") ? undefined : objects.find(kindOf, namespace, name);
    if (object === undefined) throw notFound(kindOf, name);
    return object;
  };
  const checked = (object: JsonObject): BoundObject => {
    const uid = textOf(object, "uid");
    const given = textIn(reference, "uid");
    if (given === "" || given === uid) return { name, uid };
    const why =
      `the UID in the bound object reference (${given}) does not match the UID in record. ` +
      "The object might have been deleted and then recreated";
    throw conflict({ group, kind }, name, why);
  };
  if (group === "" && kind === "Pod") {
    const pod = found(POD, account.namespace);
    checkAccountOf(pod, account.name);
    return { pod: checked(pod), node: nodeOfPod(pod, objects) };
  }
  if (group === "" && kind === "Node") return { node: checked(found(NODE, undefined)) };
  if (group === "" && kind === "Secret") return { secret: checked(found(SECRET, account.namespace)) };
  throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
}

function groupAndVersion(apiVersion: string): readonly [group: string, version: string] {
  const slash = apiVersion.indexOf("/");
  return slash === -1 ? ["", apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
}

function checkAccountOf(pod: JsonObject, account: string): void {
  if (textIn(specOf(pod), "serviceAccountName") === account) return;
  const subject = `cannot bind token for serviceaccount ${JSON.stringify(account)}`;
  throw badRequest(`${subject} to pod running with different serviceaccount name.`);
}

function nodeOfPod(pod: JsonObject, objects: ObjectStore): BoundObject | undefined {
  const name = textIn(specOf(pod), "nodeName");
  if (name === "") return undefined;
  const node = objects.find(NODE, undefined, name);
  return { name, uid: node === undefined ? "" : textOf(node, "uid") };
}

function specOf(object: JsonObject): JsonObject {
  const spec = get(object, "spec");
  return isObject(spec) ? spec : {};
}

function refusal(name: string, errors: readonly FieldError[]): StatusError {
  const texts = errors.map(fieldErrorText).join(", ");
  const message = `${KIND.kind}.${KIND.group} ${JSON.stringify(name)} is invalid: ${texts}`;
  const causes = errors.map((error) => ({
    reason: `FieldValue${error.type}`,
    message: fieldErrorText(error).slice(error.path.length + 2),
    field: error.path,
  }));
  return new StatusError(422, "Invalid", message, causes, { name, ...KIND });
}

function conflict(about: { readonly group: string; readonly kind: string }, name: string, why: string): StatusError {
  const resource = about.group === "" ? about.kind : `${about.kind}.${about.group}`;
  const message = `Operation cannot be fulfilled on ${resource} ${JSON.stringify(name)}: ${why}`;
  return new StatusError(409, "Conflict", message, [], { name, ...about });
}
