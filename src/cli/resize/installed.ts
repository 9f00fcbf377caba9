/** Whether anybody hears a wish in this cluster. */
import { fromTimestamp } from "../../core/clock.ts";
import { type KubeClient, LEASES } from "../../kube/index.ts";
import { VOLUME_EXPANSIONS } from "../../statefulset/resource.ts";
import { readAllowed } from "../cluster/read-allowed.ts";

/** Why a wish would never be heard in this cluster, and the way out; undefined when Outgrow is installed. */
export async function whyNotInstalled(client: Pick<KubeClient, "serves">): Promise<string | undefined> {
  if (await client.serves(VOLUME_EXPANSIONS)) return undefined;
  return "Outgrow is not installed in this cluster; install it with: outgrow manifests | kubectl apply -f -, or grow the claims one by one (outgrow resize pvc/NAME SIZE)";
}

/** The lease that one of several controllers holds (cli/controller). */
const LEASE = "outgrow-controller";
/** Longer than a lease goes without being renewed while somebody holds it, in milliseconds; clocks differ. */
const AWAY_AFTER_MS = 120_000;

/**
 * A warning when the controller has been there and is no longer at work: the wish then waits for it. Nothing is known of a
 * controller that works without a lease, nor by those who may not see leases.
 */
export async function whyNotHeard(client: Pick<KubeClient, "list">, now: number): Promise<string | undefined> {
  const leases = await readAllowed().read(LEASES.plural, () =>
    client.list(LEASES, { fieldSelector: `metadata.name=${LEASE}` }),
  );
  const renewals = (leases?.items ?? []).map(({ spec }) => fromTimestamp(spec?.renewTime) ?? 0);
  if (renewals.length === 0 || renewals.some((renewed) => now - renewed < AWAY_AFTER_MS)) return undefined;
  return `nobody holds the lease ${LEASE}: the controller is not running, and the wish waits for it; see kubectl get pods -n ${leases?.items[0]?.metadata.namespace}`;
}
