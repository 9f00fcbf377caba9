/** The same requests on our side: the plugins, and around them what a handler does, without storing. */
import { builtInPlugins } from "../../../src/cluster/api/admission/built-in.ts";
import { createLookup, storedClasses } from "../../../src/cluster/api/admission/lookup.ts";
import { prepareClaim } from "../../../src/cluster/api/admission/prepare-claim.ts";
import { prepareVolume } from "../../../src/cluster/api/admission/prepare-volume.ts";
import { runMutating, runValidating } from "../../../src/cluster/api/admission/run.ts";
import { createServiceAddresses } from "../../../src/cluster/api/admission/service-addresses.ts";
import { createCatalog } from "../../../src/cluster/api/catalog/catalog.ts";
import type { Resource } from "../../../src/cluster/api/catalog/resource.ts";
import { prepareForCreate } from "../../../src/cluster/api/defaults/creation.ts";
import { withDefaults } from "../../../src/cluster/api/defaults/defaults.ts";
import { refuseInvalid } from "../../../src/cluster/api/handlers/refusal.ts";
import type { JsonObject } from "../../../src/cluster/api/json.ts";
import type { Kind } from "../../../src/cluster/api/kinds/kind.ts";
import { prepareCreate } from "../../../src/cluster/api/lifecycle/create.ts";
import { textOf } from "../../../src/cluster/api/lifecycle/metadata.ts";
import { keepOtherHalf, prepareUpdate } from "../../../src/cluster/api/lifecycle/update.ts";
import { listObjects } from "../../../src/cluster/api/objects/list.ts";
import { createObjectStore } from "../../../src/cluster/api/objects/object-store.ts";
import { mergePatch } from "../../../src/cluster/api/patch/merge-patch.ts";
import { canonicalObject } from "../../../src/cluster/api/protobuf/canonical.ts";
import { validateCreate, validateUpdate } from "../../../src/cluster/api/validation/validate.ts";
import { openMemoryStore } from "../../../src/cluster/store/index.ts";
import { DEFAULT_GATES } from "../../../src/core/gates.ts";
import type { Case } from "./cases.ts";
import { ENDING, NAMESPACES, type Placed, SCENE } from "./scene.ts";

const NOW = "2026-03-01T12:00:00Z";
const CHANCE = { uid: () => "uid", below: () => 0 };

const isService = (kind: Kind) => kind.kind === "Service";
const complete = (object: JsonObject) => canonicalObject(withDefaults(object));

export interface Ours {
  /** The object as it would be stored. Throws `StatusError`. */
  ask(request: Case): Promise<JsonObject>;
  /** Throws `StatusError` when it may not be deleted. */
  remove(namespace: string): Promise<void>;
  close(): Promise<void>;
}

export async function openOurs(): Promise<Ours> {
  const store = openMemoryStore();
  const objects = createObjectStore(store);
  const catalog = createCatalog();
  const resourceOf = ({ apiVersion, kind }: Pick<Placed, "apiVersion" | "kind">) =>
    catalog.findKind(apiVersion, kind) as Resource;
  for (const name of [...NAMESPACES, ENDING, "default", "kube-system", "kube-public"]) {
    const phase = name === ENDING ? "Terminating" : "Active";
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name }, status: { phase } };
    await objects.create(resourceOf(namespace).kind, complete(namespace));
  }
  for (const placed of SCENE) {
    const { kind } = resourceOf(placed);
    const started = placed["status"] === undefined ? prepareForCreate(complete(placed)) : complete(placed);
    const { service } = isService(kind)
      ? createServiceAddresses([], kind, CHANCE).reserve(started, undefined, true)
      : { service: started };
    await objects.create(kind, service);
  }
  const plugins = builtInPlugins({ objects, catalog, gates: DEFAULT_GATES, clock: { now: () => Date.parse(NOW) } });
  const around = { gates: DEFAULT_GATES, classes: storedClasses(createLookup(objects, catalog)) };
  const services = resourceOf({ apiVersion: "v1", kind: "Service" }).kind;
  const addresses = createServiceAddresses(listObjects(objects, services, {}).items, services, CHANCE);

  async function ask({ object: sent, edit = false }: Case): Promise<JsonObject> {
    const resource = resourceOf(sent);
    const { kind } = resource;
    const [name, namespace] = [textOf(sent, "name"), textOf(sent, "namespace") || undefined];
    const old = edit ? objects.get(kind, namespace, name) : undefined;
    const wanted = complete(old === undefined ? sent : mergePatch(old, sent));
    const request = {
      operation: old === undefined ? "CREATE" : "UPDATE",
      resource,
      subresource: undefined,
      namespace,
      name,
      old,
      options: {},
      user: { name: "admin", groups: [] },
      dryRun: true,
      warn: () => {},
    } as const;
    const named = old === undefined ? prepareCreate(kind, wanted, { namespace, now: NOW, chance: CHANCE }) : wanted;
    const mutated = complete(await runMutating(plugins, { ...request, object: named }));
    const begun =
      old === undefined
        ? prepareForCreate(mutated)
        : prepareUpdate(kind, old, keepOtherHalf(kind, old, mutated, undefined), undefined);
    const prepared = prepareKind(begun, old, kind);
    const errors = old === undefined ? validateCreate(kind, prepared) : validateUpdate(kind, old, prepared, around);
    refuseInvalid(kind, name, errors);
    await runValidating(plugins, { ...request, object: prepared });
    return complete(prepared);
  }

  function prepareKind(object: JsonObject, old: JsonObject | undefined, kind: Kind): JsonObject {
    if (kind.kind === "PersistentVolumeClaim") return prepareClaim(old, object, undefined, DEFAULT_GATES);
    if (kind.kind === "PersistentVolume") return prepareVolume(old, object, Date.parse(NOW));
    return isService(kind) ? addresses.reserve(object, old, true).service : object;
  }

  return {
    ask,
    async remove(name) {
      const resource = resourceOf({ apiVersion: "v1", kind: "Namespace" });
      await runValidating(plugins, {
        operation: "DELETE",
        resource,
        subresource: undefined,
        namespace: name,
        name,
        object: undefined,
        old: objects.get(resource.kind, undefined, name),
        options: {},
        user: { name: "admin", groups: [] },
        dryRun: true,
        warn: () => {},
      });
    },
    close: () => store.close(),
  };
}
