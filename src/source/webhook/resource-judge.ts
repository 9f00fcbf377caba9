/** What the webhook asks about custom resources: the sources as they are, and the StatefulSets beside the resource at this moment. */
import type { StorageClasses } from "../../admission/storage-classes.ts";
import type { FieldError } from "../../admission/verdict.ts";
import type { AdmissionRequest, HookRule, ResourceJudge } from "../../admission/webhook/index.ts";
import type { KubeObject, StatefulSet } from "../../core/types.ts";
import {
  ifThere,
  type KubeClient,
  type Logger,
  STATEFUL_SETS,
  silentLogger,
  startInformer,
  systemTimers,
  type Timers,
  withoutManagedFields,
} from "../../kube/index.ts";
import { checkSource } from "../decide/check-source.ts";
import { namedFollowers, validateResourceUpdate } from "../decide/validate-resource.ts";
import { EXPANSION_SOURCES } from "../resource.ts";
import type { ExpansionSource } from "../types.ts";

export interface ResourceJudgeOptions {
  readonly client: KubeClient;
  readonly timers?: Timers;
  readonly logger?: Logger;
}

export interface StartedResourceJudge extends ResourceJudge {
  /** May be called twice. */
  stop(): Promise<void>;
}

/**
 * Sources that are not right yet, and operators that judge for themselves, are left out. What the API server cannot tell in time
 * rejects, and the webhook then lets the update pass: the controller says in the condition what it finds.
 */
export function startResourceJudge(options: ResourceJudgeOptions): StartedResourceJudge {
  const { client, timers = systemTimers, logger = silentLogger } = options;
  const sources = startInformer({
    client,
    resource: EXPANSION_SOURCES,
    trim: withoutManagedFields<ExpansionSource>,
    timers,
    logger,
  });
  // Whoever is stopped before that need not hear of it.
  sources.synced.catch(() => {});

  function judging(): readonly ExpansionSource[] {
    return [...sources.values()]
      .filter(({ spec }) => spec.grownBy !== "Operator" && checkSource(spec).length === 0)
      .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  }

  /** Without names: all of the namespace. */
  async function setsNamed(
    names: ReadonlySet<string> | undefined,
    namespace: string | undefined,
  ): Promise<readonly StatefulSet[]> {
    if (names === undefined) return client.listAll(STATEFUL_SETS, { namespace });
    const found = await Promise.all([...names].map((name) => ifThere(client.get(STATEFUL_SETS, { namespace, name }))));
    return found.flatMap((set) => set ?? []);
  }

  return {
    rules: () => (sources.isSynced ? judging().map(({ spec }) => ruleFor(spec)) : undefined),

    async judge(request: AdmissionRequest, classes: StorageClasses): Promise<readonly FieldError[]> {
      const { kind, namespace } = request;
      const concerned = judging().filter(
        ({ spec: { resource } }) => resource.group === kind.group && resource.kind === kind.kind,
      );
      const [old, next] = [request.oldObject as KubeObject, request.object as KubeObject];
      const judged = concerned.map(async ({ spec }) => {
        const sets = await setsNamed(namedFollowers(spec, old, next), namespace);
        return validateResourceUpdate({ spec, old, next, sets, classes });
      });
      return (await Promise.all(judged)).flat();
    },

    stop: () => sources.stop(),
  };
}

/** Their status is never in question. */
function ruleFor({ resource: { group, version, plural } }: ExpansionSource["spec"]): HookRule {
  return { apiGroups: [group], apiVersions: [version], operations: ["UPDATE"], resources: [plural], scope: "*" };
}
