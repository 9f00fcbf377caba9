/** One namespace with a StatefulSet in it, `db` unless told otherwise: what people do to it, and how it looks. */
import { WISH_ANNOTATION } from "../../../src/core/names.ts";
import type { KubeObject, PersistentVolumeClaim, Pod, ResourceQuota, StatefulSet } from "../../../src/core/types.ts";
import { parseWish, type Wish } from "../../../src/core/wish.ts";
import type { Event } from "../../../src/kube/index.ts";
import type { VolumeExpansion, VolumeExpansionSpec } from "../../../src/statefulset/types.ts";
import { ApiRefusal } from "../api.ts";
import { createStorageQuota } from "../fixtures.ts";
import { waitFor } from "../wait.ts";
import { isGrown, type Sizes } from "./intact.ts";
import { isReady, type Look, SET, says, WISHER } from "./look.ts";
import { aSet, type SetSketch } from "./objects.ts";
import type { Place } from "./stage.ts";

export interface Scene {
  readonly plane: Place;
  readonly namespace: string;
  /** Whether the API server takes another size in a template: the set is never re-created then. */
  readonly takesEdits: boolean;
  /** Creates the set, and waits until all its pods are ready. */
  create(sketch?: SetSketch): Promise<Look>;
  /**
   * Somebody wants these sizes, and writes them where that is possible: into the templates where the API server takes that, else
   * as a wish on the set.
   */
  wish(text: string): Promise<void>;
  /** Somebody writes the wish on the set, and nothing else, as `kubectl annotate` does. */
  annotate(text: string): Promise<void>;
  /** Somebody says how it is to be done, before it begins or while it goes on. */
  order(spec: Partial<VolumeExpansionSpec>): Promise<void>;
  /** A merge patch on the set, as soon as there is one. */
  change(patch: object): Promise<void>;
  /** Resolves when the quota holds. */
  quota(storage: string): Promise<void>;
  quotaUsed(): Promise<string | undefined>;
  look(): Promise<Look>;
  /** Waits until all this holds at once; the error shows what was there at the end. */
  until(what: string, is: (look: Look) => boolean): Promise<Look>;
  /** Waits until everything has its size, and nobody has anything left to do. */
  untilGrown(sizes: Sizes): Promise<Look>;
  /** Waits until the record says this of itself in a message, in a row or of the whole. */
  untilSaid(text: string): Promise<Look>;
  /** Waits until an event says this (`Kind name Reason: message`), from its beginning on. Events come when there is time. */
  untilTold(beginning: string, including?: string): Promise<void>;
  path(resource: keyof typeof GROUPS, name?: string): string;
}

/** For whatever comes by itself, in milliseconds; machines may be busy with many suites. */
const PATIENCE = 180_000;

const GROUPS = {
  persistentvolumeclaims: "/api/v1",
  pods: "/api/v1",
  events: "/api/v1",
  resourcequotas: "/api/v1",
  statefulsets: "/apis/apps/v1",
  controllerrevisions: "/apis/apps/v1",
  poddisruptionbudgets: "/apis/policy/v1",
  volumeexpansions: "/apis/outgrow.dev/v1alpha1",
} as const;

/** The namespace must be there. */
export function openScene(
  plane: Place,
  namespace: string,
  { takesEdits, set: name = SET }: Pick<Scene, "takesEdits"> & { readonly set?: string },
): Scene {
  const { api } = plane;
  const path: Scene["path"] = (resource, name) =>
    `${GROUPS[resource]}/namespaces/${namespace}/${resource}${name === undefined ? "" : `/${name}`}`;
  const list = async <T>(resource: keyof typeof GROUPS): Promise<T[]> =>
    (await api.get<{ items: T[] }>(path(resource))).items;
  const only = <T extends KubeObject>(objects: readonly T[]): T | undefined =>
    objects.find(({ metadata }) => metadata.name === name);

  const look: Scene["look"] = async () => {
    // Who reports first, then what is reported: of what is said to be done, the traces are there.
    const records = await list<VolumeExpansion>("volumeexpansions");
    const sets = await list<StatefulSet>("statefulsets");
    const [claims, pods, revisions] = await Promise.all([
      list<PersistentVolumeClaim>("persistentvolumeclaims"),
      list<Pod>("pods"),
      list<KubeObject>("controllerrevisions"),
    ]);
    return { set: only(sets), claims, pods, revisions, record: only(records) };
  };
  const until: Scene["until"] = async (what, is) => {
    let last: Look | undefined;
    const probe = async (): Promise<Look | undefined> => {
      last = await look();
      return is(last) ? last : undefined;
    };
    return waitFor(`${namespace}: ${what}`, probe, { timeoutMs: PATIENCE, everyMs: 500 }).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${JSON.stringify(last, withoutNoise)}`, { cause: error });
    });
  };
  /**
   * While it is re-created the set is away for a moment, and somebody else may have been faster: who finds that tries
   * again, as people do. The patch is made of the set as it is.
   */
  const patchSet = async (make: (set: StatefulSet) => object, query = ""): Promise<void> => {
    const place = path("statefulsets", name);
    const attempt = async (): Promise<boolean> => {
      try {
        await api.patch(`${place}${query}`, make(await api.get<StatefulSet>(place)));
        return true;
      } catch (error) {
        if (error instanceof ApiRefusal && ["NotFound", "Conflict"].includes(error.reason)) return false;
        throw error;
      }
    };
    await waitFor(`${namespace}: the set to be there`, attempt, { timeoutMs: PATIENCE, everyMs: 100 });
  };
  const annotate: Scene["annotate"] = (text) =>
    patchSet(() => ({ metadata: { annotations: { [WISH_ANNOTATION]: text } } }), `?fieldManager=${WISHER}`);

  return {
    plane,
    namespace,
    path,
    look,
    until,
    untilGrown: (sizes) => until(`to have ${JSON.stringify(sizes)}`, (each) => isGrown(each, sizes)),
    untilSaid: (text) => until(`the record to say "${text}"`, (each) => says(each).some((line) => line.includes(text))),
    async create(sketch = {}) {
      await api.create(path("statefulsets"), aSet(name, sketch));
      return until("its pods to be ready", isReady);
    },
    takesEdits,
    annotate,
    async wish(text) {
      if (!takesEdits) return annotate(text);
      await patchSet((set) => withSizes(set, parseWish(text)), `?fieldManager=${WISHER}`);
    },
    async order(spec) {
      const create = { metadata: { name }, spec: { statefulSetName: name, ...spec } };
      const types = { apiVersion: "outgrow.dev/v1alpha1", kind: "VolumeExpansion" };
      await api.create(path("volumeexpansions"), { ...types, ...create }).catch(async (error: unknown) => {
        if (!(error instanceof ApiRefusal && error.reason === "AlreadyExists")) throw error;
        await api.patch(path("volumeexpansions", name), { spec });
      });
    },
    change: (patch) => patchSet(() => patch),
    quota: (storage) => createStorageQuota(plane, namespace, storage),
    async quotaUsed() {
      const { status } = await api.get<ResourceQuota>(path("resourcequotas", "storage"));
      return status?.used?.["requests.storage"];
    },
    async untilTold(beginning, including = "") {
      const isTold = async (): Promise<boolean> =>
        (await list<Event>("events"))
          .map(
            ({ involvedObject, reason, message }) =>
              `${involvedObject.kind} ${involvedObject.name} ${reason}: ${message}`,
          )
          .some((line) => line.startsWith(beginning) && line.includes(including));
      await waitFor(`${namespace}: somebody to be told "${beginning}"`, isTold, { timeoutMs: PATIENCE, everyMs: 250 });
    },
  };
}

/** A merge patch that writes these sizes into the templates of this very version of a set. */
function withSizes({ metadata, spec }: StatefulSet, wish: Wish): object {
  const volumeClaimTemplates = (spec.volumeClaimTemplates ?? []).map((template) => {
    const storage = wish.get(template.metadata.name)?.toString();
    if (storage === undefined) return template;
    return {
      ...template,
      spec: { ...template.spec, resources: { ...template.spec.resources, requests: { storage } } },
    };
  });
  return { metadata: { resourceVersion: metadata.resourceVersion }, spec: { volumeClaimTemplates } };
}

function withoutNoise(key: string, value: unknown): unknown {
  return key === "managedFields" || key === "containerStatuses" ? undefined : value;
}
