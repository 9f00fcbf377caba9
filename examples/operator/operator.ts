/**
 * An operator for Notebooks: each gets a StatefulSet of one pod, with a volume as large as `spec.size` says. When somebody
 * edits the size, the volume grows while the notebook runs; how that goes stands in the condition `VolumeResized`.
 */
import { inspect } from "node:util";
import {
  type ClaimTemplate,
  type Condition,
  createClient,
  createTransport,
  createWorkQueue,
  defineResource,
  findConfig,
  isConflict,
  type KubeClient,
  type KubeObject,
  keyOf,
  type Logger,
  mergePatch,
  type ReconcileOutcome,
  refOf,
  refOfKey,
  requestGrowth,
  runWorkers,
  STATEFUL_SETS,
  type StatefulSet,
  startGrowth,
  startInformer,
  VOLUME_EXPANSIONS,
  type VolumeExpansion,
  withOutcome,
  withoutManagedFields,
  withPrecondition,
} from "outgrow";

interface Notebook extends KubeObject {
  spec: { image: string; size: string };
  status?: { conditions?: Condition[] };
}

const NOTEBOOKS = defineResource<Notebook>("example.com/v1", "Notebook", "notebooks");
const MANAGER = "notebook-operator";

/** Works until the signal is aborted. */
async function runOperator(client: KubeClient, logger: Logger, signal: AbortSignal): Promise<void> {
  const tools = { client, logger, trim: withoutManagedFields };
  const notebooks = startInformer<Notebook>({ ...tools, resource: NOTEBOOKS }, signal);
  const sets = startInformer<StatefulSet>({ ...tools, resource: STATEFUL_SETS }, signal);
  const records = startInformer<VolumeExpansion>({ ...tools, resource: VOLUME_EXPANSIONS }, signal);
  await Promise.all([notebooks.synced, sets.synced, records.synced]);

  // A Notebook, its set and the record of its growth have the same name: news about one is news about all three.
  const queue = createWorkQueue({ name: "notebooks", backoffBase: 200, backoffMax: 60_000 });
  const look = ({ metadata }: KubeObject): void => {
    if (notebooks.get(metadata) !== undefined) queue.add(keyOf(metadata));
  };
  for (const informer of [notebooks, sets, records]) {
    informer.addHandler({ added: look, updated: (_, object) => look(object), deleted: look });
  }
  const growth = startGrowth({ client, logger, only: (set) => notebooks.get(set) !== undefined });
  await runWorkers({ queue, workers: 5, logger, reconcile }, signal);
  await growth.stop();

  async function reconcile(key: string): Promise<ReconcileOutcome> {
    const ref = refOfKey(key);
    const notebook = notebooks.get(ref);
    if (notebook === undefined || notebook.metadata.deletionTimestamp !== undefined) return undefined;
    try {
      await applySet(notebook, sets.get(ref));
      await followSize(notebook);
      return undefined;
    } catch (error) {
      if (isConflict(error)) return { after: 200 };
      throw error;
    }
  }

  /** The set as this operator wants it, and only if it is still the one that was looked at. */
  async function applySet(notebook: Notebook, live: StatefulSet | undefined): Promise<void> {
    const set = desiredSet(notebook, live);
    const body = live === undefined ? set : withPrecondition({ ...set }, live);
    await client.patch(STATEFUL_SETS, refOf(notebook), { type: "apply", body, force: true }, { fieldManager: MANAGER });
  }

  async function followSize(notebook: Notebook): Promise<void> {
    const { name, namespace = "default" } = notebook.metadata;
    const sizes = { work: notebook.spec.size };
    const outcome = await requestGrowth({ client, namespace, name, sizes, recreatedBy: "Operator" });
    const told = withOutcome(notebook, "VolumeResized", outcome, Date.now());
    const body = mergePatch(notebook, told);
    if (body === undefined) return;
    const patch = { type: "merge", body: withPrecondition(body, notebook) } as const;
    await client.patch(NOTEBOOKS, refOf(notebook), patch, { subresource: "status" });
  }
}

/** One that is there keeps its templates: only the set that is created again gets the new size, or Outgrow edits it. */
function desiredSet({ metadata: { name, namespace = "default", uid = "" }, spec }: Notebook, live?: StatefulSet) {
  const labels = { notebook: name };
  const owner = {
    apiVersion: "example.com/v1",
    kind: "Notebook",
    name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  };
  const work: ClaimTemplate = {
    metadata: { name: "work" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: spec.size } } },
  };
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { name, namespace, labels, ownerReferences: [owner] },
    spec: {
      serviceName: name,
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [{ name: "notebook", image: spec.image, volumeMounts: [{ name: "work", mountPath: "/work" }] }],
        },
      },
      volumeClaimTemplates: live?.spec.volumeClaimTemplates ?? [work],
    },
  };
}

const line = (fields: object | string, message = ""): void =>
  void process.stderr.write(`${message} ${inspect(fields)}\n`);
const logger: Logger = { debug() {}, info() {}, warn: line, error: line };
const stopping = new AbortController();
for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => stopping.abort());

const client = createClient(createTransport(await findConfig({ env: process.env })));
await runOperator(client, logger, stopping.signal);
await client.close();
