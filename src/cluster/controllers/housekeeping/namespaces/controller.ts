/** The namespace controller: empties namespaces that are being deleted, says how far it is, and lets them go. */
import { fromTimestamp } from "../../../../core/clock.ts";
import {
  defineResource,
  identity,
  isNotFound,
  mergePatch,
  type Outcome,
  startInformer,
  withPrecondition,
} from "../../../../kube/index.ts";
import {
  type Controller,
  type ControllerOptions,
  runController,
  type Surroundings,
} from "../../shared/run-controller.ts";
import { conditionsAfter, type Namespace } from "./conditions.ts";
import { emptyNamespace, isEmptied } from "./empty-namespace.ts";

export interface NamespaceControllerOptions extends ControllerOptions {
  /**
   * How long after its deletion a namespace is left alone, in milliseconds, so that every API server knows of it and writes that
   * were under way have ended. @default 0; 5000 is right where there are several API servers
   */
  readonly grace?: number;
}

const NAMESPACES = defineResource<Namespace>("v1", "Namespace", "namespaces", "Cluster");
const FINALIZER = "kubernetes";
/** How often a namespace is looked at that is not empty yet, in milliseconds: the longer it takes, the less often. */
const SOON = 250;
const LATE = 15_000;

/** Starts at once. */
export function startNamespaceController(options: NamespaceControllerOptions): Controller {
  const { grace = 0 } = options;
  return runController({ workers: 5, ...options, name: "namespace", backoffMax: 60_000 }, (surroundings) =>
    begin(surroundings, grace),
  );
}

function begin({ client, queue, timers, logger, metrics, signal }: Surroundings, grace: number) {
  const namespaces = startInformer<Namespace>(
    {
      client,
      resource: NAMESPACES,
      trim({ metadata }) {
        const { deletionTimestamp } = metadata;
        return deletionTimestamp === undefined ? undefined : { metadata: { ...identity(metadata), deletionTimestamp } };
      },
      timers,
      logger,
      metrics,
    },
    signal,
  );
  // Its own changes are no news: it is looked at in its own rhythm until it is gone.
  namespaces.addHandler({ added: ({ metadata }) => queue.addAfter(metadata.name, grace) });

  async function reconcile(name: string): Promise<Outcome> {
    const held = namespaces.get({ name });
    if (held === undefined) return undefined;
    let namespace: Namespace;
    try {
      namespace = await client.get(NAMESPACES, { name }, {}, signal);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
    if (namespace.metadata.uid !== held.metadata.uid) return undefined;
    return terminate(namespace);
  }

  async function terminate(namespace: Namespace): Promise<Outcome> {
    const { finalizers = [] } = namespace.spec ?? {};
    if (namespace.metadata.deletionTimestamp === undefined || !finalizers.includes(FINALIZER)) return undefined;
    const marked = await writeStatus(namespace, { ...namespace.status, phase: "Terminating" });
    const progress = await emptyNamespace(client, namespace.metadata.name, signal);
    const before = marked.status?.conditions ?? [];
    const conditions = [...conditionsAfter(before, progress, timers.now())];
    const told = await writeStatus(marked, { ...marked.status, conditions });
    if (!isEmptied(progress)) return { after: rhythm(namespace) };
    await finalize(told);
    return undefined;
  }

  async function writeStatus(read: Namespace, status: NonNullable<Namespace["status"]>): Promise<Namespace> {
    const difference = mergePatch({ status: read.status ?? {} }, { status });
    if (difference === undefined) return read;
    const patch = { type: "merge", body: withPrecondition(difference, read) } as const;
    return client.patch(NAMESPACES, { name: read.metadata.name }, patch, { subresource: "status" }, signal);
  }

  async function finalize(namespace: Namespace): Promise<void> {
    const finalizers = (namespace.spec?.finalizers ?? []).filter((each) => each !== FINALIZER);
    const body = { ...namespace, apiVersion: "v1", kind: "Namespace", spec: { ...namespace.spec, finalizers } };
    try {
      await client.update(NAMESPACES, body, { subresource: "finalize" }, signal);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  function rhythm({ metadata }: Namespace): number {
    const since = timers.now() - (fromTimestamp(metadata.deletionTimestamp) ?? 0);
    return Math.min(LATE, Math.max(SOON, since / 4));
  }

  return { informers: [namespaces], reconcile };
}
