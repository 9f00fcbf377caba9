/** The same people, roles and questions before a real server and before the rules of the embedded one. */
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { json } from "node:stream/consumers";
import { type Authorizer, createAuthorizer } from "../../../src/cluster/api/auth/authorizer.ts";
import type { Identity } from "../../../src/cluster/api/auth/identity.ts";
import { CLUSTER_ROLE, CLUSTER_ROLE_BINDING, ROLE, ROLE_BINDING } from "../../../src/cluster/api/auth/stored-kinds.ts";
import { toStatus } from "../../../src/cluster/api/http/status.ts";
import { isList, isObject, type Json, type JsonObject } from "../../../src/cluster/api/json.ts";
import { createObjectStore } from "../../../src/cluster/api/objects/object-store.ts";
import { StatusError } from "../../../src/cluster/api/status-error.ts";
import { openMemoryStore } from "../../../src/cluster/store/index.ts";
import type { ControlPlane } from "../control-plane.ts";
import { type RbacObject, untilGranted } from "../rbac.ts";

export const RBAC = "/apis/rbac.authorization.k8s.io/v1";

/** Named users; with a group each, since a token file knows no user without. */
export const USERS = [
  { name: "nobody", groups: ["none"] },
  { name: "ann", groups: ["dev"] },
  { name: "boss", groups: ["team"] },
] as const;

export function identity(name: (typeof USERS)[number]["name"] | "admin"): Identity {
  const groups = name === "admin" ? ["system:masters"] : (USERS.find((each) => each.name === name)?.groups ?? []);
  const own = name === "admin" ? "outgrow-test-admin" : name;
  return { name: own, uid: own, groups: [...groups, "system:authenticated"], extra: {} };
}

/** What a server answers: an object, or the Status of its refusal. */
export interface Answer {
  readonly taken: boolean;
  readonly object: JsonObject;
}

export interface Call {
  readonly token: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: JsonObject | undefined;
  readonly headers?: Readonly<Record<string, readonly string[]>>;
}

export interface RealServer {
  call(request: Call): Promise<Answer>;
  close(): void;
}

/** Node's own client, since a header that comes twice must arrive twice. */
export function realServer({ url, ca }: ControlPlane): RealServer {
  const agent = new Agent({ ca, keepAlive: true });
  return {
    async call({ token, method, path, body, headers = {} }) {
      const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
      const own = { authorization: `Bearer ${token}`, accept: "application/json", "content-type": type };
      const sent = request(new URL(path, url), { agent, method, headers: { ...own, ...headers } });
      sent.end(body === undefined ? undefined : JSON.stringify(body));
      const [answer] = (await once(sent, "response")) as [IncomingMessage];
      const object = (await json(answer)) as JsonObject;
      return { taken: (answer.statusCode ?? 500) < 400, object };
    },
    close: () => agent.destroy(),
  };
}

/** The answer of a rule of ours: what it gives, or the refusal that it throws. */
export async function ours(rule: () => JsonObject | undefined | Promise<JsonObject | undefined>): Promise<Answer> {
  try {
    return { taken: true, object: (await rule()) ?? {} };
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return { taken: false, object: toStatus(error, {}) };
  }
}

/** Without what differs from call to call: times, and who owns which field of an object that nobody stores. */
export function comparable(value: Json): Json {
  if (isList(value)) return value.map(comparable);
  if (!isObject(value)) return typeof value === "string" ? value.replace(/,"managedFields":\[.*?\}\}\}?\]/, "") : value;
  const kept = Object.entries(value).filter(([key]) => key !== "managedFields" && key !== "creationTimestamp");
  return Object.fromEntries(kept.map(([key, inner]) => [key, comparable(inner)]));
}

/** An authorizer that reads the roles and bindings of the real server. */
export async function copyRoles(plane: ControlPlane): Promise<Authorizer> {
  const objects = createObjectStore(openMemoryStore());
  for (const kind of [CLUSTER_ROLE, CLUSTER_ROLE_BINDING, ROLE, ROLE_BINDING]) {
    const { items } = await plane.api.get<{ items: JsonObject[] }>(`${RBAC}/${kind.plural}`);
    for (const item of items) await objects.create(kind, item);
  }
  return createAuthorizer(objects);
}

/** Roles and bindings, made by the administrator. Resolves when each user has what the cluster roles among them give. */
export async function giveRoles(plane: ControlPlane, objects: readonly JsonObject[]): Promise<void> {
  const items = objects.map((object) => ({ apiVersion: "rbac.authorization.k8s.io/v1", ...object }));
  const input = JSON.stringify({ apiVersion: "v1", kind: "List", items });
  await plane.kubectl(["apply", "-f", "-"], { input });
  const given = objects as unknown as readonly (RbacObject & { subjects?: readonly { name: string }[] })[];
  for (const { roleRef, subjects = [] } of given) {
    const roles = given.filter(({ kind, metadata }) => kind === "ClusterRole" && metadata.name === roleRef?.name);
    for (const role of roles) for (const { name } of subjects) await untilGranted(plane, name, role, "");
  }
}

export function clusterRole(name: string, ...rules: JsonObject[]): JsonObject {
  return { kind: "ClusterRole", metadata: { name }, rules };
}

export function clusterBinding(name: string, role: string, user: string): JsonObject {
  return {
    kind: "ClusterRoleBinding",
    metadata: { name },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: role },
    subjects: [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: user }],
  };
}

/** The status of a SelfSubjectRulesReview: a real server tells rules in the order of a Go map. */
export function sortedRules(answer: Answer): unknown {
  const { status } = answer.object as { status?: Record<string, unknown> };
  const sorted = (rules: unknown) => (rules as object[]).map((rule) => JSON.stringify(rule)).toSorted();
  return {
    ...status,
    resourceRules: sorted(status?.["resourceRules"]),
    nonResourceRules: sorted(status?.["nonResourceRules"]),
  };
}
