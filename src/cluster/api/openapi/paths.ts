/**
 * The paths of a resource and what each does: enough for kubectl to see that the server checks fields itself, and whether a
 * strategic merge patch is understood; for `explain` to find the kind; and for generated clients.
 */
import type { JsonObject } from "../json.ts";
import { groupVersionOf, type Kind, type Subresource } from "../kinds/kind.ts";
import { capital, operationGroup, reference, tagOf } from "./names.ts";
import { DELETE_OPTIONS, PATCH, STATUS } from "./shared-schemas.ts";

export interface Described {
  readonly kind: Kind;
  /** Names of its definitions. */
  readonly definition: string;
  readonly listDefinition: string;
  /** Custom resources have no strategic merge patch. */
  readonly strategic: boolean;
  /** The definition of what a subresource speaks. */
  readonly spoken: (subresource: Subresource) => string;
}

type Action = "list" | "get" | "post" | "put" | "patch" | "delete" | "deletecollection";

interface Operation {
  readonly action: Action;
  /** What operations are called after it: `readAppsV1NamespacedStatefulSet`. */
  readonly word: string;
  readonly method: "get" | "post" | "put" | "patch" | "delete";
}

const OPERATIONS: Readonly<Record<string, Operation>> = {
  list: { action: "list", word: "list", method: "get" },
  create: { action: "post", word: "create", method: "post" },
  deletecollection: { action: "deletecollection", word: "delete", method: "delete" },
  get: { action: "get", word: "read", method: "get" },
  update: { action: "put", word: "replace", method: "put" },
  patch: { action: "patch", word: "patch", method: "patch" },
  delete: { action: "delete", word: "delete", method: "delete" },
};

const LIST = [
  "allowWatchBookmarks:boolean",
  "continue:string",
  "fieldSelector:string",
  "labelSelector:string",
  "limit:integer",
  "resourceVersion:string",
  "resourceVersionMatch:string",
  "sendInitialEvents:boolean",
  "timeoutSeconds:integer",
  "watch:boolean",
];
const WRITE = ["dryRun:string", "fieldManager:string", "fieldValidation:string"];
const DELETE = ["dryRun:string", "gracePeriodSeconds:integer", "orphanDependents:boolean", "propagationPolicy:string"];
const SELECT = LIST.filter((name) => !/^(?:allowWatchBookmarks|watch):/.test(name));

const PARAMETERS: Readonly<Record<Action, readonly string[]>> = {
  list: LIST,
  get: [],
  post: WRITE,
  put: WRITE,
  patch: [...WRITE, "force:boolean"],
  delete: DELETE,
  deletecollection: [...DELETE, ...SELECT].sort(),
};

/** What a successful answer may be, beside 200. */
const MORE_ANSWERS: Readonly<Record<Action, readonly string[]>> = {
  list: [],
  get: [],
  post: ["201", "202"],
  put: ["201"],
  patch: ["201"],
  delete: ["202"],
  deletecollection: [],
};

/** Every path of the resource. */
export function pathsOf(described: Described): Record<string, JsonObject> {
  const { kind, listDefinition } = described;
  const root = kind.group === "" ? "/api" : "/apis";
  const base = `${root}/${groupVersionOf(kind)}`;
  const collection = kind.namespaced ? `${base}/namespaces/{namespace}/${kind.plural}` : `${base}/${kind.plural}`;
  const paths: Record<string, JsonObject> = {};
  const add = (path: string, operations: Record<string, JsonObject>): void => {
    if (Object.keys(operations).length > 0) paths[path] = { ...operations, parameters: parametersOf(path) };
  };

  const own = (verbs: readonly string[]) => operationsOf(described, verbs, undefined);
  add(collection, own(["list", "create", "deletecollection"]));
  if (kind.namespaced && kind.verbs.includes("list")) {
    const operationId = `list${operationGroup(kind)}${kind.kind}ForAllNamespaces`;
    add(`${base}/${kind.plural}`, { get: { ...operation(described, "list", undefined, listDefinition), operationId } });
  }
  add(`${collection}/{name}`, own(["get", "update", "patch", "delete"]));
  for (const subresource of kind.subresources) {
    add(`${collection}/{name}/${subresource.name}`, operationsOf(described, subresource.verbs, subresource));
  }
  return paths;
}

function parametersOf(path: string): JsonObject[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name).sort();
  return [...names.map(pathParameter), queryParameter("pretty:string")];
}

function operationsOf(
  described: Described,
  verbs: readonly string[],
  subresource: Subresource | undefined,
): Record<string, JsonObject> {
  const { kind, definition, listDefinition, spoken } = described;
  const speaks = subresource === undefined ? definition : spoken(subresource);
  const answered = verbs.filter(
    (verb) => verb in OPERATIONS && (subresource !== undefined || kind.verbs.includes(verb)),
  );
  const entries = answered.map((verb): [string, JsonObject] => {
    const subject = verb === "list" ? listDefinition : speaks;
    return [OPERATIONS[verb]?.method ?? verb, operation(described, verb, subresource, subject)];
  });
  return Object.fromEntries(entries);
}

/** `subject`: the definition of what is sent and answered. */
function operation(
  { kind, strategic }: Described,
  verb: string,
  subresource: Subresource | undefined,
  subject: string,
): JsonObject {
  const known = OPERATIONS[verb];
  if (known === undefined) throw new Error(`no operation is called ${verb}`);
  const { action, word } = known;
  const speaks = subresource?.speaks ?? kind;
  return {
    tags: [tagOf(kind)],
    operationId: [
      word,
      operationGroup(kind),
      action === "deletecollection" ? "Collection" : "",
      kind.namespaced ? "Namespaced" : "",
      kind.kind,
      capital(subresource?.name ?? ""),
    ].join(""),
    ...(PARAMETERS[action].length === 0 ? {} : { parameters: PARAMETERS[action].map(queryParameter) }),
    ...bodyOf(action, subject, strategic),
    responses: answersOf(action, action === "delete" && kind.deleteAnswers === "status" ? STATUS : subject),
    "x-kubernetes-action": action,
    "x-kubernetes-group-version-kind": { group: speaks.group, version: speaks.version, kind: speaks.kind },
  };
}

/** OpenAPI asks for a word on each answer. */
const ANSWERS: Readonly<Record<string, string>> = { 200: "OK", 201: "Created", 202: "Accepted" };

function answersOf(action: Action, definition: string): JsonObject {
  const schema = reference(action === "deletecollection" ? STATUS : definition);
  const types = action === "list" ? ["application/json", "application/json;stream=watch"] : ["application/json"];
  const content = Object.fromEntries(types.map((type) => [type, { schema }]));
  const answers = ["200", ...MORE_ANSWERS[action]].map((status): [string, JsonObject] => [
    status,
    { description: ANSWERS[status] ?? "", content },
  ]);
  return Object.fromEntries([...answers, ["401", { description: "Unauthorized" }]]);
}

const PATCH_TYPES = ["application/apply-patch+yaml", "application/json-patch+json", "application/merge-patch+json"];

function bodyOf(action: Action, subject: string, strategic: boolean): JsonObject {
  switch (action) {
    case "post":
    case "put":
      return { requestBody: { content: { "*/*": { schema: reference(subject) } }, required: true } };
    case "patch": {
      const types = strategic ? [...PATCH_TYPES, "application/strategic-merge-patch+json"] : PATCH_TYPES;
      const content = Object.fromEntries(types.map((type) => [type, { schema: reference(PATCH) }]));
      return { requestBody: { content, required: true } };
    }
    case "delete":
    case "deletecollection":
      return { requestBody: { content: { "*/*": { schema: reference(DELETE_OPTIONS) } } } };
    case "list":
    case "get":
      return {};
  }
}

/** `limit:integer` */
function queryParameter(text: string): JsonObject {
  const [name = "", type = ""] = text.split(":");
  return { name, in: "query", schema: { type, uniqueItems: true } };
}

function pathParameter(name: string): JsonObject {
  return { name, in: "path", required: true, schema: { type: "string", uniqueItems: true } };
}
