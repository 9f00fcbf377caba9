/** One object of one name in every namespace: made when it is not there, mended when it is not as it should be. */
import type { KubeObject } from "../../../../core/types.ts";
import {
  identity,
  isAlreadyExists,
  isNotFound,
  mergePatch,
  type Outcome,
  type Resource,
  refOf,
  startInformer,
  withoutManagedFields,
  withPrecondition,
} from "../../../../kube/index.ts";
import {
  type Controller,
  type ControllerOptions,
  runController,
  type Surroundings,
} from "../../shared/run-controller.ts";
import { isNamespaceTerminating } from "../../shared/terminating.ts";
import { SPACES } from "./types.ts";

export interface PerNamespace<T extends KubeObject> {
  /** Of the queue, and of whoever tells about it. */
  readonly name: string;
  readonly resource: Resource<T>;
  readonly objectName: string;
  /** The object as it should be. `found` is what is there; the same back: it is fine. */
  readonly wanted: (namespace: string, found: T | undefined) => T;
}

/** Starts at once. */
export function keepInEveryNamespace<T extends KubeObject>(
  options: ControllerOptions,
  { name, resource, objectName, wanted }: PerNamespace<T>,
): Controller {
  return runController({ ...options, name }, (surroundings) =>
    begin(surroundings, { name, resource, objectName, wanted }),
  );
}

function begin<T extends KubeObject>(
  { client, queue, timers, logger, metrics, signal }: Surroundings,
  { resource, objectName, wanted }: PerNamespace<T>,
) {
  const tools = { client, timers, logger, metrics };
  const spaces = startInformer(
    {
      ...tools,
      resource: SPACES,
      // Where nothing can be created any more, nothing is missing.
      trim: ({ metadata, status }) => (status?.phase === "Active" ? { metadata: identity(metadata) } : undefined),
    },
    signal,
  );
  const fieldSelector = `metadata.name=${objectName}`;
  const objects = startInformer<T>({ ...tools, resource, fieldSelector, trim: withoutManagedFields }, signal);
  const look = ({ metadata }: KubeObject): void => queue.add(metadata.namespace ?? "");
  spaces.addHandler({ added: ({ metadata }) => queue.add(metadata.name) });
  objects.addHandler({ updated: (_, after) => look(after), deleted: look });

  async function reconcile(namespace: string): Promise<Outcome> {
    if (spaces.get({ name: namespace }) === undefined) return undefined;
    const found = objects.get({ namespace, name: objectName });
    const object = wanted(namespace, found);
    try {
      if (found === undefined) await client.create(resource, object, {}, signal);
      else await mend(found, object);
    } catch (error) {
      // Somebody else has made it, or the namespace is on its way out: the watches bring the news of either.
      if (!isAlreadyExists(error) && !isNotFound(error) && !isNamespaceTerminating(error)) throw error;
    }
    return undefined;
  }

  async function mend(found: T, object: T): Promise<void> {
    const difference = mergePatch(found, object);
    if (difference === undefined) return;
    const patch = { type: "merge", body: withPrecondition(difference, found) } as const;
    const written = await client.patch(resource, refOf(found), patch, {}, signal);
    objects.observe(written, found.metadata.resourceVersion ?? "");
  }

  return { informers: [spaces, objects], reconcile };
}
