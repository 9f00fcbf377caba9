/** What holds when nothing is under way any more. */
import { Quantity } from "../../../src/core/quantity.ts";
import type { PersistentVolumeClaim } from "../../../src/core/types.ts";
import { CLAIMS, type KubeClient, QUOTAS, STATEFUL_SETS } from "../../../src/kube/index.ts";
import { lookOf, NAMESPACE, waitFor } from "./people.ts";

/**
 * Waits until every claim has what it asks for and every StatefulSet is ready. `mayStay`: of a claim that is not there yet,
 * whether it may be left as it is.
 */
export async function settled(client: KubeClient, mayStay: (claim: PersistentVolumeClaim) => boolean): Promise<void> {
  let unsettled: readonly string[] = [];
  const isSettled = async (): Promise<boolean> => {
    const { items } = await client.list(CLAIMS, { namespace: NAMESPACE });
    const behind = items.filter((claim) => !isAtRest(claim) && !mayStay(claim));
    const { items: ofSets } = await client.list(STATEFUL_SETS, { namespace: NAMESPACE });
    const late = ofSets.filter(({ spec, status }) => (status?.readyReplicas ?? 0) !== (spec.replicas ?? 1));
    unsettled = [
      ...behind.map((claim) => `${claim.metadata.name} ${JSON.stringify(lookOf(claim))}`),
      ...late.map(({ metadata }) => `set ${metadata.name}`),
    ];
    return unsettled.length === 0;
  };
  await waitFor("everything to settle", isSettled, () => unsettled.join("; "), 120_000);
}

function isAtRest(claim: PersistentVolumeClaim): boolean {
  const { request, capacity, state, volume } = lookOf(claim);
  switch (state) {
    case "":
      return volume !== "" && size(capacity).atLeast(size(request));
    // Of a set that was scaled down: the file system grows when the claim is used again.
    case "NodeResizePending":
      return true;
    default:
      return false;
  }
}

/** Waits until the quota `storage` says what the claims add up to, each with the larger of request and record. */
export async function quotaIsExact(client: KubeClient): Promise<void> {
  let last = "";
  const isExact = async (): Promise<boolean> => {
    const { items } = await client.list(CLAIMS, { namespace: NAMESPACE });
    const sum = items.map(lookOf).reduce((total, { request, allocated }) => {
      return total.plus(Quantity.max(size(request), size(allocated)));
    }, Quantity.zero);
    const { status } = await client.get(QUOTAS, { namespace: NAMESPACE, name: "storage" });
    const used = size(status?.used?.["requests.storage"]);
    last = `${used.toString()}, and the claims add up to ${sum.toString()}`;
    return used.equals(sum);
  };
  await waitFor("quota to be exact", isExact, () => last);
}

function size(text: string | undefined): Quantity {
  return Quantity.parse(text ?? "0");
}
