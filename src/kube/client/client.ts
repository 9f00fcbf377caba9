/** The Kubernetes API in objects: small, typed, and nothing in it that is particular to one kind. */
import type { KubeObject } from "../../core/types.ts";
import { KubeError, type Status } from "../kube-error.ts";
import type { KubeRequest, Transport } from "../transport/transport.ts";
import { PATCH_CONTENT_TYPES, type Patch } from "./patch.ts";
import {
  apiVersionOf,
  collectionPath,
  nameForMessages,
  objectPath,
  type Ref,
  type Resource,
  refOf,
} from "./resource.ts";
import type { KubeList, ServerVersion, WatchEvent } from "./types.ts";

export interface ListOptions {
  /** Of one namespace. @default all */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly limit?: number | undefined;
  readonly continue?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: "Exact" | "NotOlderThan" | undefined;
}

export interface WatchOptions extends ListOptions {
  readonly allowWatchBookmarks?: boolean | undefined;
  readonly sendInitialEvents?: boolean | undefined;
  readonly timeoutSeconds?: number | undefined;
}

export interface WriteOptions {
  /** Check everything, store nothing. @default false */
  readonly dryRun?: boolean;
  /** Who is recorded as the owner of the fields. @default the server takes it from the user agent */
  readonly fieldManager?: string;
  /** `status`, `scale`, `eviction` ... @default the object itself */
  readonly subresource?: string;
  /** What the server does about fields it does not know. @default its own, Warn */
  readonly fieldValidation?: "Ignore" | "Warn" | "Strict";
}

export interface DeleteOptions {
  /** Only if it is still this one, and unchanged; else 409. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  /** What happens to what it owns. @default the kind's own, mostly Background */
  readonly propagationPolicy?: "Orphan" | "Background" | "Foreground";
  readonly gracePeriodSeconds?: number;
  readonly dryRun?: boolean;
}

/**
 * Everything rejects with a `KubeError`, or with the signal's reason. What comes back is what the server sent: fields that
 * no type here names stay in it.
 */
export interface KubeClient {
  get<T extends KubeObject>(
    resource: Resource<T>,
    ref: Ref,
    options?: { subresource?: string },
    signal?: AbortSignal,
  ): Promise<T>;
  /** One page: up to `limit` objects, and `metadata.continue` when there are more. */
  list<T extends KubeObject>(resource: Resource<T>, options?: ListOptions, signal?: AbortSignal): Promise<KubeList<T>>;
  /** All objects, page by page (500 unless `limit` says otherwise). Rejects with `isGone` when it took the reader too long. */
  listAll<T extends KubeObject>(resource: Resource<T>, options?: ListOptions, signal?: AbortSignal): Promise<T[]>;
  /**
   * Events as they come, until the server ends the stream. An event of type ERROR is handed out like the others, since
   * what it means depends on the caller. Others may be reading the same object: whoever changes one copies it.
   */
  watch<T extends KubeObject>(
    resource: Resource<T>,
    options?: WatchOptions,
    signal?: AbortSignal,
  ): AsyncGenerator<WatchEvent<T>, void, undefined>;
  /** The namespace is the object's own. With a `subresource`, the object is what that takes (an Eviction, a Binding). */
  create<T extends KubeObject>(
    resource: Resource<T>,
    object: T,
    options?: WriteOptions,
    signal?: AbortSignal,
  ): Promise<T>;
  /** Replaces the object. With its `resourceVersion` in it, only if nobody wrote it since (else 409). */
  update<T extends KubeObject>(
    resource: Resource<T>,
    object: T,
    options?: WriteOptions,
    signal?: AbortSignal,
  ): Promise<T>;
  patch<T extends KubeObject>(
    resource: Resource<T>,
    ref: Ref,
    patch: Patch,
    options?: WriteOptions,
    signal?: AbortSignal,
  ): Promise<T>;
  /** Gives the object (still there when finalizers hold it) or a Status, as the kind does. */
  delete<T extends KubeObject>(
    resource: Resource<T>,
    ref: Ref,
    options?: DeleteOptions,
    signal?: AbortSignal,
  ): Promise<T | Status>;
  version(signal?: AbortSignal): Promise<ServerVersion>;
  /** Whether the server serves this kind, in namespaces or not as it says: a look at discovery. */
  serves(resource: Resource, signal?: AbortSignal): Promise<boolean>;
  /** Any JSON request that has no method here. */
  raw<T>(request: KubeRequest, signal?: AbortSignal): Promise<T>;
  /** Closes the transport. May be called twice. */
  close(): Promise<void>;
}

/** As far as it is looked at. */
interface ResourceList {
  readonly resources?: readonly { readonly name: string; readonly namespaced?: boolean }[];
}

const PAGE = 500;

export function createClient(transport: Transport): KubeClient {
  async function list<T extends KubeObject>(
    resource: Resource<T>,
    options: ListOptions = {},
    signal?: AbortSignal,
  ): Promise<KubeList<T>> {
    const path = collectionPath(resource, options.namespace) + queryOf(options);
    const what = `list ${resource.plural}`;
    const request = { method: "GET", path, ...form(resource, "PartialObjectMetadataList"), what } as const;
    const found = await transport.json<KubeList<T> & { items: readonly T[] | null }>(request, signal);
    // kube-apiserver sends an empty list of metadata as null.
    return found.items === null ? { ...found, items: [] } : found;
  }

  return {
    get(resource, ref, options = {}, signal) {
      const path = objectPath(resource, ref, options.subresource);
      const what = `get ${nameForMessages(resource, ref)}`;
      return transport.json({ method: "GET", path, ...form(resource), what }, signal);
    },

    list,

    async listAll<T extends KubeObject>(resource: Resource<T>, options: ListOptions = {}, signal?: AbortSignal) {
      const items: T[] = [];
      let next: string | undefined;
      do {
        const page: KubeList<T> = await list(resource, { limit: PAGE, ...options, continue: next }, signal);
        for (const item of page.items) items.push(item);
        next = page.metadata.continue || undefined;
      } while (next !== undefined);
      return items;
    },

    async *watch<T extends KubeObject>(resource: Resource<T>, options: WatchOptions = {}, signal?: AbortSignal) {
      const path = collectionPath(resource, options.namespace) + queryOf({ ...options, watch: true });
      const what = `watch ${resource.plural}`;
      const values = await transport.stream({ method: "GET", path, ...form(resource), what }, signal);
      for await (const value of values) yield asEvent<T>(value, what);
    },

    create(resource, object, options = {}, signal) {
      const ref = refOf(object);
      const path =
        options.subresource === undefined
          ? collectionPath(resource, ref.namespace)
          : objectPath(resource, ref, options.subresource);
      const body = options.subresource === undefined ? typed(resource, object) : object;
      const what = `create ${nameForMessages(resource, ref)}`;
      return transport.json({ method: "POST", path: path + queryOfWrite(options), body, what }, signal);
    },

    update(resource, object, options = {}, signal) {
      const ref = refOf(object);
      const path = objectPath(resource, ref, options.subresource) + queryOfWrite(options);
      const body =
        options.subresource === undefined || options.subresource === "status" ? typed(resource, object) : object;
      return transport.json({ method: "PUT", path, body, what: `update ${nameForMessages(resource, ref)}` }, signal);
    },

    patch(resource, ref, patch, options = {}, signal) {
      const force = patch.type === "apply" && patch.force === true;
      const query = queryOfWrite(options, force ? { force: "true" } : {});
      return transport.json(
        {
          method: "PATCH",
          path: objectPath(resource, ref, options.subresource) + query,
          body: patch.body,
          contentType: PATCH_CONTENT_TYPES[patch.type],
          ...form(resource),
          what: `patch ${nameForMessages(resource, ref)}`,
          // A JSON patch may append; the others say how things should be.
          idempotent: patch.type !== "json",
        },
        signal,
      );
    },

    delete(resource, ref, options = {}, signal) {
      const { dryRun, ...rest } = options;
      const body = {
        apiVersion: "v1",
        kind: "DeleteOptions",
        ...rest,
        ...(dryRun === true ? { dryRun: ["All"] } : {}),
      };
      const what = `delete ${nameForMessages(resource, ref)}`;
      return transport.json({ method: "DELETE", path: objectPath(resource, ref), body, what }, signal);
    },

    version: (signal) => transport.json({ method: "GET", path: "/version", what: "read the server's version" }, signal),

    async serves(resource, signal) {
      const path = collectionPath(resource).slice(0, -resource.plural.length - 1);
      const what = `look for ${resource.plural} in ${apiVersionOf(resource)}`;
      try {
        const { resources = [] } = await transport.json<ResourceList>({ method: "GET", path, what }, signal);
        return resources.some(
          ({ name, namespaced = resource.namespaced }) =>
            name === resource.plural && namespaced === resource.namespaced,
        );
      } catch (error) {
        if (error instanceof KubeError && error.status === 404) return false;
        throw error;
      }
    },

    raw: (request, signal) => transport.json(request, signal),
    close: () => transport.close(),
  };
}

/** In which form the answer is wanted, where not as the object itself. */
function form({ metadataOnly }: Resource, as = "PartialObjectMetadata"): { readonly accept?: string } {
  return metadataOnly === true ? { accept: `application/json;as=${as};g=meta.k8s.io;v=v1,application/json` } : {};
}

/** The server wants kind and apiVersion in what is written; objects out of lists do not carry them. */
function typed<T extends KubeObject>(resource: Resource<T>, object: T): T {
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, ...object };
}

function queryOfWrite(options: WriteOptions, more: Readonly<Record<string, string>> = {}): string {
  return queryOf({
    ...(options.dryRun === true ? { dryRun: "All" } : {}),
    fieldManager: options.fieldManager,
    fieldValidation: options.fieldValidation,
    ...more,
  });
}

function queryOf(parameters: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && name !== "namespace") query.set(name, String(value));
  }
  return query.size === 0 ? "" : `?${query}`;
}

function asEvent<T>(value: unknown, what: string): WatchEvent<T> {
  const event = value as WatchEvent<T> | null;
  if (typeof event?.type !== "string" || typeof event.object !== "object" || event.object === null) {
    throw new KubeError("BadResponse", `${what}: a line is not an event: ${JSON.stringify(value).slice(0, 200)}`);
  }
  return event;
}
