/** Answers to questions about who somebody is and what they may do: `kubectl auth can-i`, `kubectl auth whoami`. */
import { aggregate } from "../../../admission/verdict.ts";
import { toTimestamp } from "../../../core/clock.ts";
import { get, isList, isObject, type Json, type JsonObject } from "../json.ts";
import { textOf, withMetadata } from "../lifecycle/metadata.ts";
import { badRequest } from "../status-error.ts";
import { answerAccessReview } from "./access-review.ts";
import type { Authenticator } from "./authenticator.ts";
import type { Authorizer } from "./authorizer.ts";
import type { Identity } from "./identity.ts";
import type { Rule } from "./rbac.ts";
import { textIn } from "./token-claims.ts";

export interface ReviewRequest {
  /** Who asks. */
  readonly identity: Identity;
  /** From the path; undefined for all but LocalSubjectAccessReview. */
  readonly namespace: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface ReviewSources {
  readonly authorizer: Authorizer;
  readonly authenticator: Pick<Authenticator, "review">;
}

/**
 * The object with its status; undefined for a kind that is no review. The object fits its schema. Nothing is stored, so
 * nobody owns its fields. Throws `StatusError`, 400 or 422, for a question that makes no sense.
 */
export function answerReview(
  kind: string,
  object: JsonObject,
  request: ReviewRequest,
  { authorizer, authenticator }: ReviewSources,
): JsonObject | undefined {
  switch (kind) {
    case "SelfSubjectReview":
      return answerSelf(request);
    case "TokenReview":
      return answerToken(object, authenticator);
    case "SelfSubjectRulesReview":
      return answerRules(object, request, authorizer);
    case "SelfSubjectAccessReview":
    case "SubjectAccessReview":
      return answerAccessReview(kind, object, request.identity, authorizer);
    case "LocalSubjectAccessReview":
      return answerAccessReview(kind, inNamespace(object, request.namespace), request.identity, authorizer);
    default:
      return undefined;
  }
}

function answerSelf({ identity, now }: ReviewRequest): JsonObject {
  return {
    kind: "SelfSubjectReview",
    apiVersion: "authentication.k8s.io/v1",
    metadata: { creationTimestamp: toTimestamp(now) },
    status: { userInfo: userInfo(identity) },
  };
}

function userInfo({ name, uid, groups, extra }: Identity): JsonObject {
  return {
    username: name,
    ...(uid === "" ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

function answerToken(object: JsonObject, authenticator: Pick<Authenticator, "review">): JsonObject {
  const spec = specOf(object);
  const token = textIn(spec, "token");
  if (token === "") throw badRequest("token is required for TokenReview in authentication");
  const audiences = get(spec, "audiences");
  const verdict = authenticator.review(
    token,
    isList(audiences) ? audiences.filter((it) => typeof it === "string") : [],
  );
  const status: JsonObject =
    verdict.kind === "known"
      ? { authenticated: true, user: userInfo(verdict.identity), audiences: verdict.audiences }
      : { user: {}, error: verdict.why };
  return withStatus(object, "authentication.k8s.io/v1", "TokenReview", status);
}

function answerRules(object: JsonObject, { identity }: ReviewRequest, authorizer: Authorizer): JsonObject {
  const namespace = textIn(specOf(object), "namespace");
  if (namespace === "") throw badRequest("no namespace on request");
  const { rules, missing } = authorizer.rulesFor(identity, namespace);
  return {
    kind: "SelfSubjectRulesReview",
    apiVersion: "authorization.k8s.io/v1",
    metadata: {},
    spec: {},
    status: {
      resourceRules: rules.filter(({ resources = [] }) => resources.length > 0).map(resourceRule),
      nonResourceRules: rules.filter(({ nonResourceURLs = [] }) => nonResourceURLs.length > 0).map(pathRule),
      incomplete: false,
      ...(missing.length === 0 ? {} : { evaluationError: aggregate(missing) }),
    },
  };
}

function resourceRule({ verbs, apiGroups = [], resources = [], resourceNames = [] }: Rule): JsonObject {
  return {
    verbs,
    ...(apiGroups.length === 0 ? {} : { apiGroups }),
    resources,
    ...(resourceNames.length === 0 ? {} : { resourceNames }),
  };
}

function pathRule({ verbs, nonResourceURLs = [] }: Rule): JsonObject {
  return { verbs, nonResourceURLs };
}

function inNamespace(object: JsonObject, namespace = ""): JsonObject {
  const given = textOf(object, "namespace");
  if (given !== "" && given !== namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  return withMetadata(object, { namespace });
}

function withStatus(object: JsonObject, apiVersion: string, kind: string, status: JsonObject): JsonObject {
  return { ...object, kind, apiVersion, metadata: get(object, "metadata") ?? {}, status };
}

function specOf(object: JsonObject): JsonObject {
  const spec: Json | undefined = get(object, "spec");
  return isObject(spec) ? spec : {};
}
