/** A small cluster for the tests of this folder: objects in memory, a clock that stands still, one key. */
import { generateKeyPairSync } from "node:crypto";
import { openMemoryStore } from "../../store/index.ts";
import type { JsonObject } from "../json.ts";
import { groupVersionOf, type Kind } from "../kinds/kind.ts";
import { createObjectStore, type ObjectStore } from "../objects/object-store.ts";
import type { Identity } from "./identity.ts";
import { readSigningKey } from "./jwt.ts";
import { CLUSTER_ROLE, CLUSTER_ROLE_BINDING, ROLE, ROLE_BINDING } from "./stored-kinds.ts";
import { textIn } from "./token-claims.ts";

export const NOW = Date.UTC(2026, 0, 1);
export const clock = { now: () => NOW };

export function newKeyPem(): string {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

export const KEY = readSigningKey(newKeyPem());

export function newObjects(): ObjectStore {
  return createObjectStore(openMemoryStore());
}

/** Stores an object; its uid is `NAME-uid` unless it brings one. */
export async function put(objects: ObjectStore, kind: Kind, metadata: JsonObject, rest: JsonObject = {}) {
  const uid = `${textIn(metadata, "name")}-uid`;
  const object = { kind: kind.kind, apiVersion: groupVersionOf(kind), metadata: { uid, ...metadata }, ...rest };
  return objects.create(kind, object);
}

export interface GivenRole {
  readonly name: string;
  readonly rules: readonly JsonObject[];
  readonly subjects: readonly JsonObject[];
  /** A Role in this namespace, bound there; a ClusterRole, bound everywhere, unless it is given. */
  readonly namespace?: string;
}

/** A role, and a binding of the same name. */
export async function give(objects: ObjectStore, { name, rules, subjects, namespace }: GivenRole): Promise<void> {
  const local = namespace !== undefined;
  const metadata = local ? { name, namespace } : { name };
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: local ? "Role" : "ClusterRole", name };
  await put(objects, local ? ROLE : CLUSTER_ROLE, metadata, { rules });
  await put(objects, local ? ROLE_BINDING : CLUSTER_ROLE_BINDING, metadata, { subjects, roleRef });
}

export function person(name: string, ...groups: string[]): Identity {
  return { name, uid: "", groups: [...groups, "system:authenticated"], extra: {} };
}

export const user = (name: string): JsonObject => ({ kind: "User", apiGroup: "rbac.authorization.k8s.io", name });
export const group = (name: string): JsonObject => ({ kind: "Group", apiGroup: "rbac.authorization.k8s.io", name });
