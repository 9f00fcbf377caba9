/** Which requests quotas have a say in, and what they book for each: pods, services, claims, and everything by its number. */
import { claimBooking } from "../../../../admission/quota.ts";
import { type Booking, type Charges, NOTHING } from "../../../../admission/quota-booking.ts";
import { scopesOf } from "../../../../admission/quota-scope.ts";
import type { Gates } from "../../../../core/gates.ts";
import { Quantity } from "../../../../core/quantity.ts";
import type { PersistentVolumeClaim, ResourceQuota } from "../../../../core/types.ts";
import type { JsonObject } from "../../json.ts";
import { resourceName } from "../../kinds/kind.ts";
import { isOfKind, type KnownKind, read } from "../known-kind.ts";
import type { AdmissionRequest } from "../plugin.ts";
import { type CountedPod, isPodResource, isTerminating, podCharges, podMatches, unsaid } from "./pods.ts";
import { type CountedService, isServiceResource, serviceCharges } from "./services.ts";

const POD: KnownKind<CountedPod> = { apiVersion: "v1", kind: "Pod" };
const SERVICE: KnownKind<CountedService> = { apiVersion: "v1", kind: "Service" };
const CLAIM: KnownKind<PersistentVolumeClaim> = { apiVersion: "v1", kind: "PersistentVolumeClaim" };

/** Nobody means events when they limit what there is, and a namespace is in none. */
const NEVER_COUNTED: ReadonlySet<string> = new Set(["events", "events.events.k8s.io", "namespaces"]);

/** Resources that were counted under a plain name before there was `count/`. */
const PLAIN_NAMES: ReadonlySet<string> = new Set(["configmaps", "resourcequotas", "replicationcontrollers", "secrets"]);

export interface Counting {
  readonly gates: Gates;
  /** This moment. */
  readonly now: number;
}

/** What the request books; undefined when quotas have no say in it. */
export function bookingOf(request: AdmissionRequest, counting: Counting): Booking | undefined {
  const { object, old, subresource, resource } = request;
  if (object === undefined || NEVER_COUNTED.has(resourceName(resource.kind))) return undefined;
  if (isOfKind(resource.kind, CLAIM)) return claimRequest(object, old, subresource, counting.gates);
  if (subresource !== undefined) return undefined;
  if (isOfKind(resource.kind, POD)) return podRequest(object, old, counting.now);
  if (isOfKind(resource.kind, SERVICE)) return serviceRequest(object, old);
  return request.operation === "CREATE" ? numberOf(resourceName(resource.kind)) : undefined;
}

/** Under which names objects are counted that are charged for nothing but being there: `secrets` under two. */
export function countNames(resource: string): readonly string[] {
  if (NEVER_COUNTED.has(resource)) return [];
  return [`count/${resource}`, ...(PLAIN_NAMES.has(resource) ? [resource] : [])];
}

function claimRequest(
  object: JsonObject,
  old: JsonObject | undefined,
  subresource: string | undefined,
  gates: Gates,
): Booking | undefined {
  if (subresource !== undefined && subresource !== "status") return undefined;
  const write = { next: read(CLAIM, object), ...(old !== undefined && { old: read(CLAIM, old) }) };
  return claimBooking(subresource === undefined ? write : { ...write, subresource }, gates);
}

/** A pod's containers do not change: an update counts only when it changes the scope that the pod is in. */
function podRequest(object: JsonObject, old: JsonObject | undefined, now: number): Booking | undefined {
  const pod = read(POD, object);
  const before = old === undefined ? undefined : read(POD, old);
  if (before !== undefined && isTerminating(before) === isTerminating(pod)) return undefined;
  const counts = (each: CountedPod) => (quota: ResourceQuota) =>
    scopesOf(quota).every((scope) => podMatches(each, scope));
  return {
    after: podCharges(pod, now),
    before: before === undefined ? NOTHING : podCharges(before, now),
    counts: counts(pod),
    counted: before === undefined ? () => false : counts(before),
    isCharged: isPodResource,
    refusable: true,
    missing: (limited) => unsaid(pod, limited),
  };
}

function serviceRequest(object: JsonObject, old: JsonObject | undefined): Booking {
  return {
    after: serviceCharges(read(SERVICE, object)),
    before: old === undefined ? NOTHING : serviceCharges(read(SERVICE, old)),
    counts: hasNoScope,
    counted: (quota) => old !== undefined && hasNoScope(quota),
    isCharged: isServiceResource,
    refusable: true,
  };
}

/** Objects that are counted, and nothing else. */
function numberOf(resource: string): Booking {
  const names = countNames(resource);
  const after: Charges = new Map(names.map((name) => [name, ONE]));
  return {
    after,
    before: NOTHING,
    counts: hasNoScope,
    counted: () => false,
    isCharged: (name) => names.includes(name),
    refusable: true,
  };
}

const ONE = Quantity.parse("1");

/** Scopes are about pods and claims. */
function hasNoScope(quota: ResourceQuota): boolean {
  return scopesOf(quota).length === 0;
}
