/** The sources that are there now, and what is known about each; a kind is watched as long as a source names it. */
import type { FieldError } from "../../admission/verdict.ts";
import type { KubeObject } from "../../core/types.ts";
import {
  defineResource,
  type KubeClient,
  type Logger,
  type Metrics,
  type Resource,
  type Timers,
  withoutManagedFields,
} from "../../kube/index.ts";
import { isNews } from "../../statefulset/controller/held.ts";
import type { PolicyRule } from "../../statefulset/index.ts";
import { checkSource } from "../decide/check-source.ts";
import type { Conflict } from "../decide/claimed-twice.ts";
import { heldFields, pathsOf } from "../decide/held-fields.ts";
import type { Outcome } from "../decide/outcome.ts";
import { rulesForSource } from "../install/role.ts";
import { EXPANSION_SOURCES } from "../resource.ts";
import type { ExpansionSource } from "../types.ts";
import { type KindWatch, startKindWatch } from "./kind-watch.ts";
import { observeResources, type ResourceState } from "./metrics.ts";

/** One source, and what is remembered while it is followed. All of it is found out anew by the next process. */
export interface FollowedSource {
  /** As it was seen last. */
  source: ExpansionSource;
  readonly errors: readonly FieldError[];
  /** The kind, as the client calls it. */
  readonly kind: Resource;
  /** Undefined: something is wrong with the source, and nothing is followed. */
  readonly watch: KindWatch<KubeObject> | undefined;
  /** How growing through each resource stands, by `namespace/name`. */
  readonly states: Map<string, ResourceState>;
  /** What people were told about each. */
  readonly told: Map<string, Outcome>;
  readonly conflicts: Map<string, readonly Conflict[]>;
  /** By claim (`namespace/name`): the API server refused to change it, and it is left alone until then. */
  readonly refused: Map<string, { readonly message: string; readonly until: number }>;
  /** Why the condition cannot be reported; tried again then. */
  notReported: { readonly why: string; readonly until: number } | undefined;
  /** When its status was written last, on the clock that never goes back. */
  writtenAt: number | undefined;
}

export interface SourcesOptions {
  readonly client: KubeClient;
  readonly namespaces: readonly string[];
  readonly timers: Timers;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** A resource has come, changed or gone (`source/namespace/name`). */
  readonly onResource: (key: string) => void;
  /** What is known about a source, or its kind, has changed. Without a name: about all. */
  readonly onSource: (name: string) => void;
  /** Another number of resources follows a source. */
  readonly onCount: (name: string) => void;
}

export interface Sources {
  get(name: string): FollowedSource | undefined;
  values(): Iterable<FollowedSource>;
  /** Whether all sources are known: one that is not here is not there. */
  readonly isComplete: boolean;
  observe(written: ExpansionSource, before: string): void;
  stop(): Promise<void>;
}

/** What reading sources takes; without it there are none. */
const RULES: readonly PolicyRule[] = [
  { apiGroups: ["outgrow.dev"], resources: [EXPANSION_SOURCES.plural], verbs: ["list", "watch"] },
];

/** Begins at once; where the definition of sources is not installed, it is looked for. The caller stops it. */
export function startSourcesWatch(options: SourcesOptions): Sources {
  const { client, namespaces, timers, logger, metrics, onResource, onSource, onCount } = options;
  const shared = { client, timers, logger, metrics };
  const followed = new Map<string, FollowedSource & { stop(): Promise<void> }>();
  const ending = new Set<Promise<void>>();

  const watch = startKindWatch<ExpansionSource>({
    ...shared,
    namespaces: [],
    resource: EXPANSION_SOURCES,
    rules: RULES,
    trim: withoutManagedFields<ExpansionSource>,
    onNews(before, after) {
      const { name } = (after ?? before)?.metadata ?? { name: "" };
      const known = followed.get(name);
      if (after !== undefined && known !== undefined && isSameSpec(known.source, after)) known.source = after;
      else {
        end(name);
        if (after !== undefined) followed.set(name, begin(after));
      }
      onSource(name);
    },
    onState: () => onSource(""),
  });

  function begin(source: ExpansionSource): FollowedSource & { stop(): Promise<void> } {
    const { name } = source.metadata;
    const { group, version, kind: kindName, plural } = source.spec.resource;
    const errors = checkSource(source.spec);
    const kind = defineResource(`${group}/${version}`, kindName, plural);
    const states = new Map<string, ResourceState>();
    const endCounting = observeResources(metrics, name, () => states.values());
    const started = errors.length > 0 ? undefined : watchKind(source, kind);
    return {
      source,
      errors,
      kind,
      watch: started,
      states,
      told: new Map(),
      conflicts: new Map(),
      refused: new Map(),
      notReported: undefined,
      writtenAt: undefined,
      async stop() {
        endCounting();
        await started?.stop();
      },
    };
  }

  function watchKind(source: ExpansionSource, kind: Resource): KindWatch<KubeObject> {
    const { name } = source.metadata;
    const paths = pathsOf(source.spec);
    const identity = { apiVersion: `${kind.group}/${kind.version}`, kind: kind.kind };
    return startKindWatch({
      ...shared,
      namespaces,
      resource: kind,
      rules: rulesForSource(source.spec),
      trim: (object) => ({ ...identity, ...heldFields(object, paths) }),
      onNews(before, after) {
        if (before !== undefined && after !== undefined && !isNews(before, after)) return;
        const { metadata } = after ?? before ?? source;
        onResource(`${name}/${metadata.namespace}/${metadata.name}`);
        if (before === undefined || after === undefined) onCount(name);
      },
      onState: () => onSource(name),
    });
  }

  function end(name: string): void {
    const known = followed.get(name);
    if (known === undefined) return;
    followed.delete(name);
    // Whoever was followed is let go of by what comes next; nothing waits for it.
    for (const key of known.states.keys()) onResource(`${name}/${key}`);
    const ended = known.stop().finally(() => ending.delete(ended));
    ending.add(ended);
  }

  return {
    get: (name) => followed.get(name),
    values: () => followed.values(),
    get isComplete() {
      return watch.isComplete;
    },
    observe: (written, before) => watch.observe(written, before),
    async stop() {
      await watch.stop();
      for (const name of followed.keys()) end(name);
      await Promise.all(ending);
    },
  };
}

function isSameSpec(a: ExpansionSource, b: ExpansionSource): boolean {
  return a.metadata.uid === b.metadata.uid && a.metadata.generation === b.metadata.generation;
}
