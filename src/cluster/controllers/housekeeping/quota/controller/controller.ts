/**
 * The quota controller: keeps what quotas say about their limits and usage right. Admission adds to the usage as objects are
 * written; here it goes down again, and here charges are taken back whose objects were never stored.
 */
import { isDeepStrictEqual } from "node:util";
import { DEFAULT_GATES, type Gates } from "../../../../../core/gates.ts";
import type { ResourceQuota } from "../../../../../core/types.ts";
import {
  keyOf,
  mergePatch,
  type Outcome,
  QUOTAS,
  refOf,
  refOfKey,
  startInformer,
  withoutManagedFields,
  withPrecondition,
} from "../../../../../kube/index.ts";
import {
  type Controller,
  type ControllerOptions,
  runController,
  type Surroundings,
} from "../../../shared/run-controller.ts";
import { discoverKinds, readKinds } from "../../shared/kinds.ts";
import { recently } from "../../shared/recently.ts";
import { countedKinds, countsByNumber } from "../counted-kind.ts";
import { countStock, decideUsage } from "../decide/usage.ts";
import { createYoungCharges } from "../decide/young-charges.ts";
import { createStocks } from "./stocks.ts";

export interface QuotaControllerOptions extends ControllerOptions {
  /** What a claim is charged depends on `RecoverExpansionFailure`. @default both on */
  readonly gates?: Gates;
  /**
   * For how long a charge may be ahead of the object that it is for, in milliseconds. Only the write itself lies between the
   * two, so this is far more than it takes. @default 1000
   */
  readonly youth?: number;
}

/** News come in swarms: one count for all of a moment. In milliseconds. */
const GATHER = 100;
/** Pods that should have ended by now free quota although nothing happens. As often as upstream. */
const RESYNC = 300_000;
/** How long it is remembered which kinds there are. */
const KINDS_FOR = 10_000;
/** It limits something that no kind is charged for: a custom one may come. */
const UNKNOWN_AGAIN = 30_000;
const NO_KINDS = readKinds([]);

/** Starts at once. */
export function startQuotaController(options: QuotaControllerOptions): Controller {
  return runController({ ...options, name: "resourcequota" }, (surroundings) => begin(surroundings, options));
}

function begin(surroundings: Surroundings, { gates = DEFAULT_GATES, youth = 1_000 }: QuotaControllerOptions) {
  const { client, queue, timers, logger, metrics, signal } = surroundings;
  const young = createYoungCharges(youth, () => timers.elapsed());
  const quotas = startInformer<ResourceQuota, ResourceQuota, "namespace">(
    {
      client,
      resource: QUOTAS,
      trim: withoutManagedFields,
      indexes: { namespace: ({ metadata }) => metadata.namespace },
      timers,
      logger,
      metrics,
    },
    signal,
  );
  quotas.addHandler({
    added(quota) {
      young.saw(undefined, quota);
      queue.add(keyOf(quota.metadata));
    },
    updated(before, after, source) {
      // What we wrote is no charge. After a gap, charges and what took them back may hide each other.
      if (source !== "write") young.saw(source === "watch" ? before : undefined, after);
      const isEdited = !isDeepStrictEqual(before.spec, after.spec);
      queue.addAfter(keyOf(after.metadata), isEdited ? 0 : youth);
    },
    deleted: ({ metadata }) => young.forget(metadata.uid ?? ""),
  });
  const stocks = createStocks(surroundings, (namespace) => {
    for (const { metadata } of quotas.byIndex("namespace", namespace)) queue.addAfter(keyOf(metadata), GATHER);
  });

  async function reconcile(key: string): Promise<Outcome> {
    const quota = quotas.get(refOfKey(key));
    if (quota === undefined || quota.metadata.deletionTimestamp !== undefined) return undefined;
    const { namespace = "", uid = "" } = quota.metadata;
    const kinds = countedKinds(quota, countsByNumber(quota) ? await kindsOfLate() : NO_KINDS);
    const counting = { gates, now: timers.now() };
    // Before anything is listed: what is charged later changes the quota's version, and then nothing is written.
    const charges = young.of(uid);
    const first = decideUsage(quota, countStock(quota, await stocks.held(kinds, namespace), counting), charges);
    const isComplete = Object.keys(quota.spec?.hard ?? {}).every((name) => kinds.some((kind) => kind.isCharged(name)));
    const later = isComplete ? RESYNC : UNKNOWN_AGAIN;
    if (first.status === undefined) return { after: first.isProvisional ? youth : later };
    // The watches may be behind the quota. Lists that are read after it are not.
    const sure = decideUsage(quota, countStock(quota, await stocks.live(kinds, namespace), counting), charges);
    if (sure.status !== undefined) await writeStatus(quota, sure.status);
    return { after: sure.isProvisional ? youth : later };
  }

  const kindsOfLate = recently(timers, KINDS_FOR, () => discoverKinds(client, signal));

  async function writeStatus(quota: ResourceQuota, status: NonNullable<ResourceQuota["status"]>): Promise<void> {
    const difference = mergePatch({ status: quota.status ?? {} }, { status });
    if (difference === undefined) return;
    const patch = { type: "merge", body: withPrecondition(difference, quota) } as const;
    const written = await client.patch(QUOTAS, refOf(quota), patch, { subresource: "status" }, signal);
    quotas.observe(written, quota.metadata.resourceVersion ?? "");
  }

  const stop = async (): Promise<void> => {
    await Promise.all([quotas.stop(), stocks.stop()]);
  };
  return { informers: [{ synced: quotas.synced, stop }], reconcile };
}
