/** May somebody do something? SubjectAccessReview and its kin (upstream pkg/registry/authorization, pkg/apis/authorization). */
import { aggregate, type FieldError, fieldErrorText, invalid } from "../../../admission/verdict.ts";
import { semanticallyEqual } from "../../../core/semantic-equal.ts";
import { get, isList, isObject, type JsonObject } from "../json.ts";
import { metadataOf, textOf, withMetadata } from "../lifecycle/metadata.ts";
import { StatusError } from "../status-error.ts";
import type { Authorizer } from "./authorizer.ts";
import type { User } from "./identity.ts";
import { type Attempt, reasonOf } from "./rbac.ts";
import { ignoredSelectors, validateSelectors } from "./review-selectors.ts";
import { textIn } from "./token-claims.ts";

export type AccessReviewKind = "SelfSubjectAccessReview" | "SubjectAccessReview" | "LocalSubjectAccessReview";

/** The review with its status. Throws 422 for a question that makes no sense. */
export function answerAccessReview(
  kind: AccessReviewKind,
  object: JsonObject,
  asker: User,
  authorizer: Authorizer,
): JsonObject {
  const errors = validate(kind, object);
  if (errors.length > 0) throw refusal(errors);
  const spec = objectIn(object, "spec") ?? {};
  const user =
    kind === "SelfSubjectAccessReview" ? asker : { name: textIn(spec, "user"), groups: textsIn(spec, "groups") };
  const decision = authorizer.decide(user, attemptOf(spec));
  const reason = reasonOf(user, decision);
  const ignored = ignoredSelectors(objectIn(spec, "resourceAttributes") ?? {});
  return {
    kind,
    apiVersion: "authorization.k8s.io/v1",
    metadata: metadataOf(object),
    spec,
    status: {
      allowed: decision.allowed,
      ...(reason === "" ? {} : { reason }),
      ...(ignored.length === 0 ? {} : { evaluationError: ignored.join("; ") }),
    },
  };
}

/** What the spec asks for. Selectors make no difference: RBAC does not look at them. */
function attemptOf(spec: JsonObject): Attempt {
  const path = objectIn(spec, "nonResourceAttributes");
  if (path !== undefined) return { verb: textIn(path, "verb"), path: textIn(path, "path") };
  const asked = objectIn(spec, "resourceAttributes") ?? {};
  const subresource = textIn(asked, "subresource");
  return {
    verb: textIn(asked, "verb"),
    namespace: textIn(asked, "namespace") || undefined,
    group: textIn(asked, "group"),
    resource: subresource === "" ? textIn(asked, "resource") : `${textIn(asked, "resource")}/${subresource}`,
    name: textIn(asked, "name") || undefined,
  };
}

function validate(kind: AccessReviewKind, object: JsonObject): FieldError[] {
  const spec = objectIn(object, "spec") ?? {};
  const resource = objectIn(spec, "resourceAttributes");
  const path = objectIn(spec, "nonResourceAttributes");
  return [
    ...checkOneQuestion(resource, path),
    ...(kind === "SelfSubjectAccessReview" ? [] : checkSubject(spec)),
    ...(resource === undefined ? [] : validateSelectors(resource, "spec.resourceAttributes")),
    ...checkMetadata(kind, object),
    ...(kind === "LocalSubjectAccessReview" ? checkLocal(textOf(object, "namespace"), resource, path) : []),
  ];
}

function checkOneQuestion(resource: JsonObject | undefined, path: JsonObject | undefined): FieldError[] {
  if (resource !== undefined && path !== undefined) {
    const detail = "cannot be specified in combination with resourceAttributes";
    return [invalid("spec.nonResourceAttributes", asGo(path), detail)];
  }
  const detail = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
  return resource === undefined && path === undefined ? [invalid("spec.resourceAttributes", null, detail)] : [];
}

function checkSubject(spec: JsonObject): FieldError[] {
  const nobody = textIn(spec, "user") === "" && textsIn(spec, "groups").length === 0;
  return nobody ? [invalid("spec.user", "", "at least one of user or group must be specified")] : [];
}

function checkMetadata(kind: AccessReviewKind, object: JsonObject): FieldError[] {
  const local = kind === "LocalSubjectAccessReview";
  const rest = withMetadata(object, { managedFields: undefined, ...(local ? { namespace: undefined } : {}) });
  if (semanticallyEqual(metadataOf(rest), {})) return [];
  return [invalid("metadata", metadataOf(object), local ? "must be empty except for namespace" : "must be empty")];
}

function checkLocal(namespace: string, resource: JsonObject | undefined, path: JsonObject | undefined): FieldError[] {
  const asked = resource === undefined ? namespace : textIn(resource, "namespace");
  return [
    ...(asked === namespace
      ? []
      : [invalid("spec.resourceAttributes.namespace", asked, "must match metadata.namespace")]),
    ...(path === undefined
      ? []
      : [invalid("spec.nonResourceAttributes", asGo(path), "disallowed on this kind of request")]),
  ];
}

/** Messages show the structure inside of upstream, whose fields have other names. */
function asGo(path: JsonObject): JsonObject {
  return { Path: textIn(path, "path"), Verb: textIn(path, "verb") };
}

/** Upstream forgets the name of the kind here, and so its clients know the message without. */
function refusal(errors: readonly FieldError[]): StatusError {
  const message = `.authorization.k8s.io "" is invalid: ${aggregate(errors.map(fieldErrorText))}`;
  const causes = errors.map((error) => ({
    reason: `FieldValue${error.type}`,
    message: fieldErrorText(error).slice(error.path.length + 2),
    field: error.path,
  }));
  return new StatusError(422, "Invalid", message, causes, { group: "authorization.k8s.io" });
}

function objectIn(object: JsonObject, key: string): JsonObject | undefined {
  const value = get(object, key);
  return isObject(value) ? value : undefined;
}

function textsIn(object: JsonObject, key: string): readonly string[] {
  const value = get(object, key);
  return isList(value) ? value.filter((each) => typeof each === "string") : [];
}
