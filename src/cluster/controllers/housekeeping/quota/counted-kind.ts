/** Which kinds a quota counts, and what it counts of their objects: the rules of admission, applied to what is stored. */
import { claimCharges, isClaimResource } from "../../../../admission/quota.ts";
import type { Charges } from "../../../../admission/quota-booking.ts";
import { quotaCounts, scopesOf } from "../../../../admission/quota-scope.ts";
import { readClaim } from "../../../../core/claim.ts";
import { Quantity } from "../../../../core/quantity.ts";
import type { PersistentVolumeClaim, ResourceQuota } from "../../../../core/types.ts";
import { CLAIMS, defineResource, PODS, type Resource } from "../../../../kube/index.ts";
import { countNames } from "../../../api/admission/quota/bookings.ts";
import { type CountedPod, isPodResource, podCharges, podMatches } from "../../../api/admission/quota/pods.ts";
import { isServiceResource, serviceCharges } from "../../../api/admission/quota/services.ts";
import { type Kinds, nameOfResource } from "../shared/kinds.ts";
import type { CountedKind } from "./decide/usage.ts";

const POD: CountedKind = {
  resource: PODS,
  looksInside: true,
  isCharged: isPodResource,
  charges(object, quota, { now }) {
    const pod = object as CountedPod;
    return scopesOf(quota).every((scope) => podMatches(pod, scope)) ? podCharges(pod, now) : undefined;
  },
};

const CLAIM: CountedKind = {
  resource: CLAIMS,
  looksInside: true,
  isCharged: isClaimResource,
  charges(object, quota, { gates }) {
    const claim = object as PersistentVolumeClaim;
    return quotaCounts(quota, claim) ? claimCharges(readClaim(claim), gates) : undefined;
  },
};

const SERVICE: CountedKind = {
  resource: defineResource("v1", "Service", "services"),
  looksInside: true,
  isCharged: isServiceResource,
  charges: (object, quota) => (scopesOf(quota).length === 0 ? serviceCharges(object) : undefined),
};

const ONE = Quantity.parse("1");

function byNumber(resource: Resource): CountedKind {
  const names = countNames(nameOfResource(resource));
  const charges: Charges = new Map(names.map((name) => [name, ONE]));
  return {
    resource,
    looksInside: false,
    isCharged: (name) => names.includes(name),
    charges: (_, quota) => (scopesOf(quota).length === 0 ? charges : undefined),
  };
}

const INSIDE: readonly CountedKind[] = [POD, CLAIM, SERVICE];

/** Whether it limits the number of objects of some other kind: which kinds there are has to be known then. */
export function countsByNumber(quota: ResourceQuota): boolean {
  return Object.keys(quota.spec?.hard ?? {}).some((name) => !INSIDE.some((kind) => kind.isCharged(name)));
}

/** The kinds that this quota limits in any way. What no kind is charged for is not among them, and cannot be used up. */
export function countedKinds(quota: ResourceQuota, kinds: Kinds): readonly CountedKind[] {
  const names = Object.keys(quota.spec?.hard ?? {});
  const limits = (kind: CountedKind): boolean => names.some((name) => kind.isCharged(name));
  const others = kinds.preferred
    .filter(({ resource, verbs }) => resource.namespaced && verbs.has("list") && verbs.has("watch"))
    .filter(({ resource }) => !INSIDE.some((each) => nameOfResource(each.resource) === nameOfResource(resource)))
    .map(({ resource }) => byNumber(resource));
  return [...INSIDE, ...others].filter(limits);
}
