/** Sees to it that a cluster has what every cluster has: its first namespaces, priorities, roles, bindings, and the Service of its API. */
import { type Clock, toTimestamp } from "../../../core/clock.ts";
import { get, isObject, type JsonObject, jsonEqual } from "../json.ts";
import { groupVersionOf, type Kind } from "../kinds/kind.ts";
import type { Chance } from "../lifecycle/create.ts";
import { textOf, withMetadata } from "../lifecycle/metadata.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import { trackUpdate } from "../patch/ownership/index.ts";
import { settleAggregation } from "./aggregation.ts";
import {
  type Expected,
  expectedNamespaces,
  expectedPriorityClasses,
  expectedRoles,
  expectedService,
  servicePorts,
} from "./bootstrap-objects.ts";
import { reconciledBinding, reconciledRole } from "./reconcile.ts";

export interface BootstrapOptions {
  readonly objects: ObjectStore;
  readonly clock: Clock;
  readonly chance: Pick<Chance, "uid">;
  /** The port that this server listens on. */
  readonly port: number;
}

/** Who has written what is there from the start; as upstream, so that owners of fields are the same. */
const MANAGER = "kube-apiserver";

/**
 * Compares first, and writes what is missing in one transaction; only what must be made anew, and what roles gather from
 * others, comes behind it. On a cluster that has everything it only reads. Rejects like the store; what is left undone then
 * is done at the next start.
 */
export async function ensureBootstrap(options: BootstrapOptions): Promise<void> {
  const { roles, bindings } = expectedRoles();
  await Promise.all([
    ...expectedNamespaces().map((each) => ensure(options, each, (existing) => existing)),
    ...expectedPriorityClasses().map((each) => ensure(options, each, (existing) => existing)),
    ensure(options, expectedService(options.port), (existing) => withPort(existing, options.port)),
    ...roles.map((each) => ensure(options, each, (existing) => reconciledRole(existing, each.object))),
    ...bindings.map((each) => ensure(options, each, (existing) => reconciledBinding(existing, each.object))),
  ]);
  await settleAggregation(options.objects, options.clock);
}

/** `reconcile` gives what an existing object must become: itself when it is fine, undefined to make it anew. */
async function ensure(
  options: BootstrapOptions,
  expected: Expected,
  reconcile: (existing: JsonObject) => JsonObject | undefined,
): Promise<void> {
  const { objects } = options;
  const { kind, object } = expected;
  const existing = objects.find(
    kind,
    kind.namespaced ? textOf(object, "namespace") : undefined,
    textOf(object, "name"),
  );
  if (existing === undefined) {
    await objects.create(kind, created(options, expected));
    return;
  }
  const next = reconcile(existing);
  if (next === existing) return;
  if (next === undefined) {
    await objects.remove(kind, existing);
    await objects.create(kind, created(options, expected));
    return;
  }
  await objects.replace(kind, existing, trackUpdate(existing, next, written(options, kind)));
}

function created(options: BootstrapOptions, { kind, object, added = {} }: Expected): JsonObject {
  const { apiVersion, kind: name } = written(options, kind);
  const made = withMetadata(
    { kind: name, apiVersion, ...object },
    { uid: options.chance.uid(), creationTimestamp: toTimestamp(options.clock.now()) },
  );
  const tracked = trackUpdate(undefined, made, written(options, kind));
  const completed = Object.entries(added).map(([field, more]) => {
    const given = get(tracked, field);
    return [field, { ...(isObject(given) ? given : {}), ...more }] as const;
  });
  return { ...tracked, ...Object.fromEntries(completed) };
}

function written({ clock }: BootstrapOptions, kind: Kind) {
  return { apiVersion: groupVersionOf(kind), kind: kind.kind, manager: MANAGER, now: clock.now() };
}

/** A port that is chosen anew at each start. */
function withPort(service: JsonObject, port: number): JsonObject {
  const spec = get(service, "spec");
  const ports = servicePorts(port);
  if (!isObject(spec) || jsonEqual(get(spec, "ports") ?? null, ports)) return service;
  return { ...service, spec: { ...spec, ports } };
}
