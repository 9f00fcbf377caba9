/**
 * A set and what belongs to it, read from the API server and not from a cache: first the record, then the set, then what
 * refers to it. In this order nothing that is decided on can be older than what it is decided about.
 */
import type { KubeObject, LabelSelector, PersistentVolumeClaim, Pod, StatefulSet } from "../../core/types.ts";
import {
  CLAIMS,
  ifThere,
  isForbidden,
  type KubeClient,
  NAMESPACES,
  PODS,
  type Ref,
  type Resource,
  STATEFUL_SETS,
} from "../../kube/index.ts";
import { claimsOf } from "../decide/claim-ownership.ts";
import { withOwnSet } from "../decide/own-set.ts";
import { VOLUME_EXPANSIONS } from "../resource.ts";
import type { VolumeExpansion } from "../types.ts";
import { CONTROLLER_REVISIONS } from "./carry-out.ts";

type Reader = Pick<KubeClient, "get" | "listAll">;

export interface FreshSet {
  readonly record: VolumeExpansion | undefined;
  readonly set: StatefulSet | undefined;
}

export function readRecord(client: Reader, ref: Ref, signal: AbortSignal): Promise<VolumeExpansion | undefined> {
  return ifThere(client.get(VOLUME_EXPANSIONS, ref, {}, signal));
}

export async function readSet(client: Reader, ref: Ref, signal: AbortSignal): Promise<FreshSet> {
  const record = await readRecord(client, ref, signal);
  const set = await ifThere(client.get(STATEFUL_SETS, ref, {}, signal));
  return { record: record && withOwnSet(record), set };
}

/** Everything that may refer to a set. */
export interface Dependents {
  readonly claims: readonly PersistentVolumeClaim[];
  readonly pods: readonly Pod[];
  readonly revisions: readonly KubeObject[];
}

/**
 * Claims and pods are listed by the set's labels. Some do not carry them and are the set's all the same (a claim that was
 * restored from a backup; a pod whose labels were changed): those are asked for by name, from what the set must have
 * and from what is `known`.
 */
export async function readDependents(
  client: Reader,
  set: StatefulSet,
  known: { readonly claims: readonly PersistentVolumeClaim[]; readonly pods: readonly Pod[] },
  signal: AbortSignal,
): Promise<Dependents> {
  const { namespace } = set.metadata;
  const { matchLabels } = set.spec.selector;
  const byLabels = { namespace, labelSelector: selectorText(matchLabels === undefined ? {} : { matchLabels }) };
  const bySelector = { namespace, labelSelector: selectorText(set.spec.selector) };
  const claims = await client.listAll(CLAIMS, byLabels, signal);
  const expected = claimsOf(set, claims).missing.map(({ name }) => name);
  const claimNames = new Set([...expected, ...namesOf(known.claims)]);
  const pods = await client.listAll(PODS, bySelector, signal);
  return {
    claims: [...claims, ...(await findOthers(client, CLAIMS, namespace, claimNames, claims, signal))],
    pods: [...pods, ...(await findOthers(client, PODS, namespace, new Set(namesOf(known.pods)), pods, signal))],
    revisions: await client.listAll(CONTROLLER_REVISIONS, bySelector, signal),
  };
}

/** Whether nothing can be created in a namespace any more. Who may not look at it finds out by trying. */
export async function isNamespaceGoing(client: Reader, namespace: string, signal: AbortSignal): Promise<boolean> {
  try {
    const found = await ifThere(client.get(NAMESPACES, { name: namespace }, {}, signal));
    return found === undefined || found.metadata.deletionTimestamp !== undefined;
  } catch (error) {
    if (isForbidden(error)) return false;
    throw error;
  }
}

async function findOthers<T extends KubeObject>(
  client: Reader,
  resource: Resource<T>,
  namespace: string | undefined,
  names: ReadonlySet<string>,
  listed: readonly T[],
  signal: AbortSignal,
): Promise<T[]> {
  const there = new Set(namesOf(listed));
  const wanted = [...names].filter((name) => !there.has(name));
  const found = await Promise.all(wanted.map((name) => ifThere(client.get(resource, { namespace, name }, {}, signal))));
  return found.filter((object) => object !== undefined);
}

function namesOf(objects: readonly KubeObject[]): string[] {
  return objects.map(({ metadata }) => metadata.name);
}

/** A selector as a list request takes it; undefined selects everything. */
export function selectorText({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string | undefined {
  const parts = [
    ...Object.entries(matchLabels).map(([name, value]) => `${name}=${value}`),
    ...matchExpressions.map(({ key, operator, values = [] }) => {
      switch (operator) {
        case "In":
          return `${key} in (${values.join(",")})`;
        case "NotIn":
          return `${key} notin (${values.join(",")})`;
        case "DoesNotExist":
          return `!${key}`;
        default:
          return key;
      }
    }),
  ];
  return parts.length === 0 ? undefined : parts.join(",");
}
