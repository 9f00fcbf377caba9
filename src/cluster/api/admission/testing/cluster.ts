/** A store with objects in it and the plugins before it: what admission is tried on. */
import { DEFAULT_GATES, type Gates } from "../../../../core/gates.ts";
import type { KubeObject } from "../../../../core/types.ts";
import { openMemoryStore, type RevisionedStore } from "../../../store/index.ts";
import { createCatalog } from "../../catalog/catalog.ts";
import type { JsonObject } from "../../json.ts";
import { createObjectStore, type ObjectStore } from "../../objects/object-store.ts";
import { StatusError } from "../../status-error.ts";
import { builtInPlugins } from "../built-in.ts";
import type { AdmissionRequest } from "../plugin.ts";
import { runMutating, runValidating } from "../run.ts";

export interface TestCluster {
  readonly objects: ObjectStore;
  /** Stores objects as they are. */
  given(...objects: readonly JsonObject[]): Promise<void>;
  /** The object after admission. */
  admit(object: JsonObject, traits?: Traits): Promise<JsonObject>;
  remove(object: JsonObject): Promise<void>;
  /** `403 Forbidden: ...`; "admitted" when it is not refused. */
  answer(object: JsonObject, traits?: Traits): Promise<string>;
  close(): Promise<void>;
}

/** What is unusual about a request. With `old` it is an update. */
export interface Traits {
  readonly old?: JsonObject;
  readonly subresource?: string;
  readonly dryRun?: boolean;
}

export const NOW = Date.parse("2026-03-01T12:00:00Z");

/** A cluster with the namespace `prod`. `now` may be moved. */
export function createTestCluster(
  store: RevisionedStore = openMemoryStore(),
  gates: Gates = DEFAULT_GATES,
  clock: { now(): number } = { now: () => NOW },
): TestCluster {
  const objects = createObjectStore(store);
  const catalog = createCatalog();
  const plugins = builtInPlugins({ objects, catalog, gates, clock });

  function requestFor(object: JsonObject, { old, subresource, dryRun = false }: Traits): AdmissionRequest {
    const { apiVersion = "", kind = "", metadata } = object as unknown as KubeObject;
    const resource = catalog.findKind(apiVersion, kind);
    if (resource === undefined) throw new Error(`no kind ${kind} in ${apiVersion}`);
    return {
      operation: old === undefined ? "CREATE" : "UPDATE",
      resource,
      subresource,
      namespace: resource.kind.namespaced ? (metadata.namespace ?? "prod") : undefined,
      name: metadata.name,
      object,
      old,
      options: {},
      user: { name: "admin", groups: [] },
      dryRun,
      warn: () => {},
    };
  }

  async function admit(object: JsonObject, traits: Traits = {}): Promise<JsonObject> {
    const request = requestFor(object, traits);
    const admitted = await runMutating(plugins, { ...request, object });
    await runValidating(plugins, { ...request, object: admitted });
    return admitted;
  }

  return {
    objects,
    admit,
    async given(...given) {
      for (const object of given) await objects.create(requestFor(object, {}).resource.kind, object);
    },
    remove: async (object) =>
      runValidating(plugins, { ...requestFor(object, { old: object }), operation: "DELETE", object: undefined }),
    async answer(object, traits) {
      try {
        await admit(object, traits);
        return "admitted";
      } catch (error) {
        return answerOf(error);
      }
    },
    close: () => store.close(),
  };
}

export function answerOf(error: unknown): string {
  if (!(error instanceof StatusError)) throw error;
  return `${error.code} ${error.reason}: ${error.message}`;
}

export const PROD: JsonObject = {
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name: "prod" },
  status: { phase: "Active" },
};

export function object(apiVersion: string, kind: string, name: string, fields: JsonObject = {}): JsonObject {
  const { metadata, ...rest } = fields as { metadata?: JsonObject };
  return { apiVersion, kind, metadata: { name, namespace: "prod", ...metadata }, ...rest };
}

/** An object of the whole cluster. */
export function clusterObject(apiVersion: string, kind: string, name: string, fields: JsonObject = {}): JsonObject {
  const { metadata, ...rest } = fields as { metadata?: JsonObject };
  return { apiVersion, kind, metadata: { name, ...metadata }, ...rest };
}

export function pod(name: string, spec: JsonObject = {}): JsonObject {
  return object("v1", "Pod", name, { spec: { containers: [{ name: "main", image: "i" }], ...spec } });
}

export function claim(name: string, storage: string, fields: JsonObject = {}): JsonObject {
  const { spec, ...rest } = fields as { spec?: JsonObject };
  const resources = { requests: { storage } };
  return object("v1", "PersistentVolumeClaim", name, {
    ...rest,
    spec: { accessModes: ["ReadWriteOnce"], resources, ...spec },
  });
}

/** A quota whose usage has been computed. */
export function quota(name: string, hard: JsonObject, used: JsonObject = {}, spec: JsonObject = {}): JsonObject {
  const zeros = Object.fromEntries(Object.keys(hard).map((resource) => [resource, "0"]));
  return object("v1", "ResourceQuota", name, {
    spec: { hard, ...spec },
    status: { hard, used: { ...zeros, ...used } },
  });
}
