/** Questions to the authorizer. Who answers them is for whoever embeds expressions to say. */
import { trimSpace } from "../../trim-space.ts";
import { dnsLabel, dnsSubdomain } from "../../validation/names.ts";
import { type FunctionDeclaration, member, type Overload } from "../check/declarations.ts";
import { BOOL, STRING, sealed, type Type } from "../check/types.ts";
import { type CelError, error, NO_SUCH_OVERLOAD, type Opaque, type Value } from "../value/value.ts";

/** What is asked for: a path, or a resource. Selectors are texts as they were written, and empty where there are none. */
export type Question =
  | { readonly kind: "path"; readonly path: string; readonly verb: string }
  | {
      readonly kind: "resource";
      readonly group: string;
      readonly resource: string;
      readonly subresource: string;
      readonly namespace: string;
      readonly name: string;
      readonly fieldSelector: string;
      readonly labelSelector: string;
      readonly verb: string;
    };

export interface Decision {
  readonly isAllowed: boolean;
  readonly reason: string;
  /** Undefined: the authorizer answered without one. */
  readonly error: string | undefined;
}

/** Answers for the user of the request, or for a service account where one is named. */
export type Authorize = (
  question: Question,
  serviceAccount: { readonly namespace: string; readonly name: string } | undefined,
) => Decision;

export const AUTHORIZER = sealed("kubernetes.authorization.Authorizer");
export const RESOURCE_CHECK = sealed("kubernetes.authorization.ResourceCheck");
const PATH_CHECK = sealed("kubernetes.authorization.PathCheck");
const GROUP_CHECK = sealed("kubernetes.authorization.GroupCheck");
const DECISION = sealed("kubernetes.authorization.Decision");

interface Asker {
  readonly ask: (question: Question) => Decision;
  readonly authorize: Authorize;
}
type ResourceQuestion = Omit<Extract<Question, { kind: "resource" }>, "verb" | "kind">;

/** The value of the variable `authorizer`. */
export function authorizerValue(authorize: Authorize): Value {
  return askerValue({ authorize, ask: (question) => authorize(question, undefined) });
}

/** The value of the variable `authorizer.requestResource`: a check of what the request is about. */
export function requestResourceValue(
  authorize: Authorize,
  about: Pick<ResourceQuestion, "group" | "resource" | "subresource" | "namespace" | "name">,
): Value {
  const asker: Asker = { authorize, ask: (question) => authorize(question, undefined) };
  return resourceValue(asker, { ...about, fieldSelector: "", labelSelector: "" });
}

/** Nobody can compare them, not even with themselves. */
function opaque(type: Type, data: unknown): Opaque {
  return { kind: "opaque", type, data, equals: () => NO_SUCH_OVERLOAD };
}

function askerValue(asker: Asker): Opaque {
  return opaque(AUTHORIZER, asker);
}

function resourceValue(asker: Asker, about: ResourceQuestion): Opaque {
  return opaque(RESOURCE_CHECK, { asker, about });
}

const dataOf = (value: Value | undefined): unknown => (value as Opaque).data;

export const AUTHORIZATION: readonly FunctionDeclaration[] = [
  one(
    "path",
    member("authorizer_path", [AUTHORIZER, STRING], PATH_CHECK, ([authorizer, path]) =>
      trimSpace(path as string) === ""
        ? error("path must not be empty")
        : opaque(PATH_CHECK, { asker: dataOf(authorizer) as Asker, path }),
    ),
  ),
  one(
    "group",
    member("authorizer_group", [AUTHORIZER, STRING], GROUP_CHECK, ([authorizer, group]) =>
      opaque(GROUP_CHECK, { asker: dataOf(authorizer) as Asker, group }),
    ),
  ),
  one(
    "serviceAccount",
    member("authorizer_serviceaccount", [AUTHORIZER, STRING, STRING], AUTHORIZER, ([authorizer, namespace, name]) =>
      serviceAccount(dataOf(authorizer) as Asker, namespace as string, name as string),
    ),
  ),
  one(
    "resource",
    member("groupcheck_resource", [GROUP_CHECK, STRING], RESOURCE_CHECK, ([check, resource]) => {
      if (trimSpace(resource as string) === "") return error("resource must not be empty");
      const { asker, group } = dataOf(check) as { asker: Asker; group: string };
      const empty = { subresource: "", namespace: "", name: "", fieldSelector: "", labelSelector: "" };
      return resourceValue(asker, { ...empty, group, resource: resource as string });
    }),
  ),
  ...(["subresource", "namespace", "name"] as const).map((field) =>
    one(field, narrowed(`resourcecheck_${field}`, field)),
  ),
  one("fieldSelector", narrowed("authorizer_fieldselector", "fieldSelector")),
  one("labelSelector", narrowed("authorizer_labelselector", "labelSelector")),
  {
    name: "check",
    overloads: [
      member("pathcheck_check", [PATH_CHECK, STRING], DECISION, ([check, verb]) => {
        const { asker, path } = dataOf(check) as { asker: Asker; path: string };
        return opaque(DECISION, asker.ask({ kind: "path", path, verb: verb as string }));
      }),
      member("resourcecheck_check", [RESOURCE_CHECK, STRING], DECISION, ([check, verb]) => {
        const { asker, about } = dataOf(check) as { asker: Asker; about: ResourceQuestion };
        return opaque(DECISION, asker.ask({ kind: "resource", ...about, verb: verb as string }));
      }),
    ],
  },
  one(
    "errored",
    member("decision_errored", [DECISION], BOOL, ([decision]) => (dataOf(decision) as Decision).error !== undefined),
  ),
  one(
    "error",
    member("decision_error", [DECISION], STRING, ([decision]) => (dataOf(decision) as Decision).error ?? ""),
  ),
  one(
    "allowed",
    member("decision_allowed", [DECISION], BOOL, ([decision]) => (dataOf(decision) as Decision).isAllowed),
  ),
  one(
    "reason",
    member("decision_reason", [DECISION], STRING, ([decision]) => (dataOf(decision) as Decision).reason),
  ),
];

function one(name: string, overload: Overload): FunctionDeclaration {
  return { name, overloads: [overload] };
}

function narrowed(id: string, field: keyof ResourceQuestion): Overload {
  return member(id, [RESOURCE_CHECK, STRING], RESOURCE_CHECK, ([check, text]) => {
    const { asker, about } = dataOf(check) as { asker: Asker; about: ResourceQuestion };
    return resourceValue(asker, { ...about, [field]: text as string });
  });
}

function serviceAccount({ authorize }: Asker, namespace: string, name: string): Value | CelError {
  if (dnsSubdomain(name).length > 0) return error("Invalid service account name");
  if (dnsLabel(namespace).length > 0) return error("Invalid service account namespace");
  const account = { namespace, name };
  return askerValue({ authorize, ask: (question) => authorize(question, account) });
}
