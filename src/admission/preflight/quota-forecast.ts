/** What growing does to the quotas of a namespace: all claims together, not one at a time as the API server sees them. */
import { Quantity } from "../../core/quantity.ts";
import { tryReadSize } from "../../core/semantic-equal.ts";
import type { ResourceQuota } from "../../core/types.ts";
import { claimUsage } from "../claim-usage.ts";
import { type ClaimWrite, chargeQuotas, isClaimResource } from "../quota.ts";
import { asking } from "./asking.ts";
import { growing, type PreflightFacts } from "./facts.ts";

export interface QuotaForecast {
  readonly quota: string;
  /** As quotas call it: `requests.storage`, or the same of one class. */
  readonly resource: string;
  readonly before: Quantity;
  readonly after: Quantity;
  readonly limit: Quantity;
}

/** One line per quota and resource that growing adds to. */
export function quotaForecast(facts: PreflightFacts): readonly QuotaForecast[] {
  let quotas = facts.quotas;
  for (const write of combinedWrites(facts)) {
    // Booked as a status write, which is never refused: the forecast shows how far over the limit it would go.
    const answer = chargeQuotas({ ...write, subresource: "status" }, quotas, facts.gates);
    if (answer.kind === "allowed") quotas = answer.quotas;
  }
  return quotas.flatMap((after, index) => linesOf(facts.quotas[index] ?? after, after));
}

/** Kubernetes' words for the first quota that does not have room for everything; undefined when all have. */
export function quotaRefusal(facts: PreflightFacts): { quota: string; reason: string } | undefined {
  let quotas = facts.quotas;
  for (const write of combinedWrites(facts)) {
    const answer = chargeQuotas(write, quotas, facts.gates);
    if (answer.kind === "refused") return answer;
    quotas = answer.quotas;
  }
  return undefined;
}

/**
 * All claims that quotas count alike, as one claim that asks for the sum. Quota is linear, so charging the sum is charging
 * each of them; and the refusal names the whole, which is what a person has to make room for.
 */
function combinedWrites(facts: PreflightFacts): ClaimWrite[] {
  if (facts.quotas.length === 0) return [];
  const alike = Map.groupBy(growing(facts), ({ object, view }) =>
    JSON.stringify([
      view.className,
      object.spec.volumeAttributesClassName,
      object.status?.currentVolumeAttributesClassName,
      object.status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
    ]),
  );
  return [...alike.values()].flatMap((claims) => {
    const [first] = claims;
    if (first === undefined) return [];
    let before = Quantity.zero;
    let after = Quantity.zero;
    for (const { view, to } of claims) {
      before = before.plus(claimUsage(view, facts.gates));
      after = after.plus(claimUsage({ request: to, allocated: view.allocated }, facts.gates));
    }
    // What is allocated is in the sums already.
    const { allocatedResources: _, ...status } = first.object.status ?? {};
    const stand = { ...first.object, status };
    return [{ old: asking(stand, before), next: asking(stand, after) }];
  });
}

function linesOf(before: ResourceQuota, after: ResourceQuota): QuotaForecast[] {
  const read = (amount: string | undefined): Quantity => tryReadSize(amount) ?? Quantity.zero;
  return Object.entries(after.status?.hard ?? {})
    .filter(([resource]) => isClaimResource(resource))
    .map(([resource, limit]) => ({
      quota: after.metadata.name,
      resource,
      before: read(before.status?.used?.[resource]),
      after: read(after.status?.used?.[resource]),
      limit: read(limit),
    }))
    .filter(({ before, after }) => after.moreThan(before));
}
