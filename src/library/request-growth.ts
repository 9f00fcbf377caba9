/**
 * Sizes for a StatefulSet, asked for by the program that owns it. They are written into the set's record (VolumeExpansion)
 * and nowhere else: not on the set, whose owner would overwrite it, and not on its claims, which grow in an order.
 */
import { OutgrowError } from "../core/errors.ts";
import { Quantity } from "../core/quantity.ts";
import { semanticallyEqual } from "../core/semantic-equal.ts";
import type { OwnerReference } from "../core/types.ts";
import { apiVersionOf, ifThere, type KubeClient, type Ref, STATEFUL_SETS } from "../kube/index.ts";
import { controllerOf } from "../statefulset/decide/references.ts";
import { VOLUME_EXPANSIONS } from "../statefulset/resource.ts";
import type { VolumeExpansion, VolumeExpansionSpec } from "../statefulset/types.ts";
import { type GrowthOutcome, outcomeOfRecord } from "./growth-outcome.ts";

export interface GrowthRequest extends Pick<VolumeExpansionSpec, "rollout" | "restartPods" | "recreatedBy"> {
  /** Closed by whoever made it. */
  readonly client: KubeClient;
  /** The set's. */
  readonly namespace: string;
  readonly name: string;
  /** The wanted size of each claim template: `{ data: "200Gi" }`. One that is left out stays as it is. */
  readonly sizes: Readonly<Record<string, string | Quantity>>;
}

type WishedBy = NonNullable<VolumeExpansionSpec["wishedBy"]>;

const MANAGER = "outgrow-library";

/**
 * Asks for the sizes, and tells how far it is. Waits for nothing, and writes nothing where they were asked for already:
 * made to be called on every look at the resource that they come from.
 *
 * Throws `QUANTITY_INVALID` for a size that is none, `OBJECT_MISSING` when there is no such set, `WISH_TAKEN` when an
 * ExpansionSource speaks for it, and `KubeError` for whatever the API server says.
 */
export async function requestGrowth(request: GrowthRequest, signal?: AbortSignal): Promise<GrowthOutcome> {
  return outcomeOfRecord(await writeRequest(request, signal));
}

/** The same; gives back the record as it is then. */
export async function writeRequest(request: GrowthRequest, signal?: AbortSignal): Promise<VolumeExpansion> {
  const { client, namespace, name, rollout, restartPods, recreatedBy = "Outgrow" } = request;
  const claims = Object.entries(request.sizes)
    .map(([template, size]) => ({
      template,
      storage: (typeof size === "string" ? Quantity.parse(size) : size).toString(),
    }))
    .sort((a, b) => (a.template < b.template ? -1 : 1));
  const ref = { namespace, name };
  const record = await ifThere(client.get(VOLUME_EXPANSIONS, ref, {}, signal));
  const { wishedBy: known } = record?.spec ?? {};
  if (known?.source !== undefined) throw taken(ref, known);
  const { wishedBy, ownerReferences } = await ownerOf(client, ref, record, signal);
  const spec: VolumeExpansionSpec = {
    statefulSetName: name,
    claims,
    wishedBy,
    recreatedBy,
    ...(rollout === undefined ? {} : { rollout }),
    ...(restartPods === undefined ? {} : { restartPods }),
  };
  if (record !== undefined && says(record.spec, spec)) return record;
  const { kind } = VOLUME_EXPANSIONS;
  const body = { apiVersion: apiVersionOf(VOLUME_EXPANSIONS), kind, metadata: { ...ref, ownerReferences }, spec };
  const options = { fieldManager: MANAGER };
  // What a controller wrote into a record of its own making, before anybody spoke for the set, gives way.
  return client.patch(VOLUME_EXPANSIONS, ref, { type: "apply", body, force: true }, options, signal);
}

/** Whether a record says all of this. */
function says(spec: VolumeExpansionSpec, wanted: VolumeExpansionSpec): boolean {
  const sorted = spec.claims?.toSorted((a, b) => (a.template < b.template ? -1 : 1));
  return Object.entries(wanted).every(([field, value]) =>
    semanticallyEqual(field === "claims" ? sorted : spec[field as keyof VolumeExpansionSpec], value),
  );
}

/** In whose name the sizes are asked for, and with whom the record goes. */
interface Owner {
  readonly wishedBy: WishedBy;
  readonly ownerReferences: readonly OwnerReference[];
}

/**
 * What controls the set, else the set itself. A record never goes with the set, of which it may have the only copy. The set may be
 * away at the moment, to come back with another template: the record knows it then.
 */
async function ownerOf(
  client: KubeClient,
  ref: Ref,
  record: VolumeExpansion | undefined,
  signal: AbortSignal | undefined,
): Promise<Owner> {
  const known = record?.spec.wishedBy;
  if (known !== undefined) return { wishedBy: known, ownerReferences: record?.metadata.ownerReferences ?? [] };
  const set = (await ifThere(client.get(STATEFUL_SETS, ref, {}, signal))) ?? record?.status?.savedStatefulSet;
  if (set === undefined) {
    throw new OutgrowError("OBJECT_MISSING", `there is no StatefulSet ${ref.namespace}/${ref.name}; create it first`);
  }
  const controller = controllerOf(set);
  if (controller === undefined) {
    return { wishedBy: { kind: STATEFUL_SETS.kind, name: ref.name }, ownerReferences: [] };
  }
  const { apiVersion, kind, name, uid } = controller;
  return { wishedBy: { kind, name }, ownerReferences: [{ apiVersion, kind, name, uid }] };
}

function taken({ namespace, name }: Ref, { source, kind, name: who }: WishedBy): OutgrowError {
  return new OutgrowError(
    "WISH_TAKEN",
    `the sizes of StatefulSet ${namespace}/${name} come from ${kind} ${who} through ExpansionSource ${source}; write them there, or delete the source`,
  );
}
