/** The disruption controller: says on every PodDisruptionBudget how many of its pods may go now. */
import { messageOf } from "../../../../core/errors.ts";
import type { Pod } from "../../../../core/types.ts";
import {
  identity,
  isConflict,
  keyOf,
  mergePatch,
  type Outcome,
  PODS,
  referenceTo,
  refOf,
  refOfKey,
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
import { discoverKinds } from "../shared/kinds.ts";
import { recently } from "../shared/recently.ts";
import { BUDGETS, type Budget, type BudgetStatus, protects } from "./budget.ts";
import { goSelector } from "./go-selector.ts";
import { dependsOnScale, disruptedPods, failedStatus, healthyPods, statusOf, wantedPods } from "./health.ts";
import { expectedScale } from "./scale.ts";

/** How long it is remembered which kinds there are, in milliseconds. */
const KINDS_FOR = 10_000;

/** Starts at once. */
export function startDisruptionController(options: ControllerOptions): Controller {
  return runController({ ...options, name: "disruption", component: "controllermanager" }, begin);
}

function begin({ client, queue, recorder, timers, logger, metrics, signal }: Surroundings) {
  const tools = { client, timers, logger, metrics };
  const byNamespace = { namespace: ({ metadata }: Pod | Budget) => metadata.namespace };
  const budgets = startInformer<Budget, Budget, "namespace">(
    { ...tools, resource: BUDGETS, trim: withoutManagedFields, indexes: byNamespace },
    signal,
  );
  const pods = startInformer<Pod, Pod, "namespace">(
    { ...tools, resource: PODS, trim: holdPod, indexes: byNamespace },
    signal,
  );
  const budgetsOf = (pod: Pod): readonly Budget[] =>
    budgets.byIndex("namespace", pod.metadata.namespace ?? "").filter((budget) => protects(budget, pod));
  const look = (pod: Pod): void => {
    for (const { metadata } of budgetsOf(pod)) queue.add(keyOf(metadata));
  };
  budgets.addHandler({
    added: ({ metadata }) => queue.add(keyOf(metadata)),
    updated: (_, { metadata }, source) => source === "write" || queue.add(keyOf(metadata)),
  });
  pods.addHandler({
    added: look,
    updated(before, after) {
      look(before);
      look(after);
    },
    deleted: look,
  });
  const kinds = recently(timers, KINDS_FOR, () => discoverKinds(client, signal));

  async function reconcile(key: string): Promise<Outcome> {
    const budget = budgets.get(refOfKey(key));
    if (budget === undefined) return undefined;
    const own = pods.byIndex("namespace", budget.metadata.namespace ?? "").filter((pod) => protects(budget, pod));
    try {
      return await count(budget, own);
    } catch (error) {
      signal.throwIfAborted();
      if (isConflict(error)) throw error;
      await writeStatus(budget, failedStatus(budget, messageOf(error), timers.now()));
      throw error;
    }
  }

  async function count(budget: Budget, own: readonly Pod[]): Promise<Outcome> {
    const about = referenceTo(BUDGETS, budget);
    if (own.length === 0) recorder.event(about, "Normal", "NoPods", "No matching pods found");
    const scale = dependsOnScale(budget) ? await askForScale(budget, own) : 0;
    const now = timers.now();
    const disrupted = disruptedPods(budget, own, now);
    for (const pod of disrupted.stayed) {
      const name = `${budget.metadata.namespace}/${budget.metadata.name}`;
      const message = `Pod was expected by PDB ${name} to be deleted but it wasn't`;
      recorder.event(referenceTo(PODS, pod), "Warning", "NotDeleted", message);
    }
    const { expected, desired } = wantedPods(budget, own, scale);
    const found = {
      currentHealthy: healthyPods(own, disrupted.pods),
      desiredHealthy: desired,
      expectedPods: expected,
      disruptedPods: disrupted.pods,
    };
    await writeStatus(budget, statusOf(budget, found, now));
    const { lookAgainAt } = disrupted;
    return lookAgainAt === undefined ? undefined : { after: Math.max(1_000, lookAgainAt - now) };
  }

  async function askForScale(budget: Budget, own: readonly Pod[]): Promise<number> {
    const about = referenceTo(BUDGETS, budget);
    try {
      const { replicas, unmanaged } = await expectedScale(client, kinds, own, signal);
      if (unmanaged.length > 0) recorder.event(about, "Warning", "UnmanagedPods", unmanagedMessage(budget));
      return replicas;
    } catch (error) {
      const message = `Failed to calculate the number of expected pods: ${messageOf(error)}`;
      if (!signal.aborted) recorder.event(about, "Warning", "CalculateExpectedPodCountFailed", message);
      throw error;
    }
  }

  async function writeStatus(budget: Budget, status: BudgetStatus): Promise<void> {
    const difference = mergePatch({ status: budget.status ?? {} }, { status });
    if (difference === undefined) return;
    const patch = { type: "merge", body: withPrecondition(difference, budget) } as const;
    const written = await client.patch(BUDGETS, refOf(budget), patch, { subresource: "status" }, signal);
    budgets.observe(written, budget.metadata.resourceVersion ?? "");
  }

  return { informers: [budgets, pods], reconcile };
}

function unmanagedMessage({ spec }: Budget): string {
  return (
    `Pods selected by this PodDisruptionBudget (selector: ${goSelector(spec?.selector ?? {})}) were found ` +
    "to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. " +
    'To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.'
  );
}

/** What budgets look at, and nothing else. */
function holdPod({ metadata, status }: Pod): Pod {
  const { labels, deletionTimestamp, ownerReferences } = metadata;
  const conditions = status?.conditions
    ?.filter(({ type }) => type === "Ready")
    .map(({ type, status }) => ({ type, status }));
  return {
    metadata: {
      ...identity(metadata),
      ...(labels === undefined ? {} : { labels }),
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
      ...(ownerReferences === undefined ? {} : { ownerReferences }),
    },
    spec: {},
    ...(conditions === undefined ? {} : { status: { conditions } }),
  };
}
