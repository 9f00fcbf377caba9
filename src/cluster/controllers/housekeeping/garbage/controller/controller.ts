/**
 * The garbage collector: deletes what belonged to owners that are gone, and lets owners go that waited for those that belong to
 * them. For every kind of the server, custom ones included.
 */
import type { KubeObject, OwnerReference } from "../../../../../core/types.ts";
import {
  apiVersionOf,
  exponential,
  type Handler,
  isNotFound,
  type Outcome,
  type Resource,
  referenceTo,
  sleep,
} from "../../../../../kube/index.ts";
import {
  type Controller,
  type ControllerOptions,
  runController,
  type Surroundings,
} from "../../../shared/run-controller.ts";
import { discoverKinds, type Kinds, kindKey } from "../../shared/kinds.ts";
import { absentKey, createAbsentOwners } from "../apply/absent-owners.ts";
import { collect } from "../apply/collect.ts";
import { createLiveApi } from "../apply/live-api.ts";
import { createGraph, type Node, uidOf } from "../decide/graph.ts";
import { lookAfterChange, lookAfterRemoval } from "../decide/news.ts";
import { createWatchedKinds } from "./watched-kinds.ts";

/** Among the uids in the queue: look which kinds there are. */
const KINDS = "kinds";
/** Which kinds there are is asked this often; and for a while more often after news of definitions. In milliseconds. */
const ASK_EVERY = 30_000;
const ASK_SOON = 1_000;
const NEWS_LAST = 10_000;
const DEFINITIONS: ReadonlySet<string> = new Set([
  "apiextensions.k8s.io/customresourcedefinitions",
  "apiregistration.k8s.io/apiservices",
]);

/** Starts at once. */
export function startGarbageCollector(options: ControllerOptions): Controller {
  const run = { workers: 20, ...options, name: "garbage_collector_attempt_to_delete", backoffMax: ASK_EVERY };
  return runController({ ...run, component: "garbage-collector-controller" }, begin);
}

function begin(surroundings: Surroundings) {
  const { client, queue, recorder, timers, logger, signal } = surroundings;
  const graph = createGraph();
  const absent = createAbsentOwners();
  const api = createLiveApi(client, signal);
  /** Those with an owner of a kind that was not served. */
  const unresolved = new Set<string>();
  let kinds: Kinds | undefined;
  let definitionsChanged = Number.NEGATIVE_INFINITY;

  const look = (uids: Iterable<string>): void => {
    for (const uid of uids) queue.add(uid);
  };
  const changed = (node: Node): void => {
    const before = graph.get(uidOf(node));
    graph.put(node);
    look(lookAfterChange(graph, before, node));
  };
  const removed = (node: Node, wasSeen: boolean): void => {
    graph.remove(uidOf(node));
    if (wasSeen && graph.dependentsOf(uidOf(node)).length > 0) absent.add(keyOfOwner(node));
    look(lookAfterRemoval(graph, node));
  };
  function handlerFor(resource: Resource): Handler<KubeObject> {
    const isDefinition = DEFINITIONS.has(kindKey(resource));
    const news = (): void => {
      if (!isDefinition) return;
      definitionsChanged = timers.elapsed();
      queue.add(KINDS);
    };
    return {
      added({ metadata }, source) {
        changed({ resource, metadata });
        if (source !== "list") news();
      },
      updated(_, { metadata }) {
        changed({ resource, metadata });
        news();
      },
      deleted({ metadata }, source) {
        removed({ resource, metadata }, source === "watch");
        news();
      },
    };
  }
  const watched = createWatchedKinds({
    ...surroundings,
    handlerFor,
    forget(resource) {
      // Not the same as being told that they are gone: what they own stays until the server says so.
      for (const node of graph.values()) if (kindKey(node.resource) === kindKey(resource)) graph.remove(uidOf(node));
    },
  });

  async function askForKinds(): Promise<Outcome> {
    const now = await discoverKinds(client, signal);
    kinds = now;
    await watched.follow(now);
    look(unresolved);
    unresolved.clear();
    return { after: timers.elapsed() - definitionsChanged < NEWS_LAST ? ASK_SOON : ASK_EVERY };
  }

  /** The first time, until it works. */
  async function start(): Promise<void> {
    for (let failures = 0; ; failures++) {
      try {
        queue.addAfter(KINDS, (await askForKinds())?.after ?? ASK_EVERY);
        return await watched.filled();
      } catch (error) {
        signal.throwIfAborted();
        logger.warn({ err: error }, "cannot tell which kinds there are; trying again");
        await sleep(timers, exponential(100, ASK_EVERY, failures), signal);
      }
    }
  }

  function onForeignOwner(dependent: Node, reference: OwnerReference): void {
    const { namespace = "" } = dependent.metadata;
    const owner = `[${reference.apiVersion}/${reference.kind}, namespace: ${namespace}, name: ${reference.name}, uid: ${reference.uid}]`;
    const about = referenceTo(dependent.resource, { metadata: dependent.metadata });
    const message = `ownerRef ${owner} does not exist in namespace ${JSON.stringify(namespace)}`;
    recorder.event(about, "Warning", "OwnerRefInvalidNamespace", message);
  }

  async function reconcile(key: string): Promise<Outcome> {
    if (key === KINDS) return askForKinds();
    if (kinds === undefined) return { after: ASK_SOON };
    const known = kinds;
    try {
      const options = { graph, api, absent, kinds: known, look: (uid: string) => queue.add(uid), onForeignOwner };
      return await collect(options, key);
    } catch (error) {
      if (isNotFound(error)) unresolved.add(key);
      throw error;
    }
  }

  const synced = start();
  synced.catch(() => {});
  return { informers: [{ synced, stop: () => watched.stop() }], reconcile };
}

/** As its dependents name it. */
function keyOfOwner({ resource, metadata }: Node): string {
  const { name, uid = "", namespace } = metadata;
  return absentKey({ apiVersion: apiVersionOf(resource), kind: resource.kind, name, uid }, namespace);
}
