/** The source's own status: whether it is followed, and by how many. Written at most once a second and source. */
import { SOURCE_MANAGER } from "../../core/names.ts";
import { type KubeClient, type Outcome, type Timers } from "../../kube/index.ts";
import { writeChange } from "../../statefulset/apply/writes.ts";
import { withReady } from "../decide/source-ready.ts";
import { EXPANSION_SOURCES } from "../resource.ts";
import type { FollowedSource, Sources } from "./sources.ts";

export interface StatusLoopOptions {
  readonly client: KubeClient;
  /** Ends the calls that are under way. */
  readonly giveUp: AbortSignal;
  readonly sources: Sources;
  /** The namespaces that are looked at; none: all. */
  readonly namespaces: readonly string[];
  readonly timers: Timers;
}

/** Between two writes of one source, in milliseconds. */
const WRITE_EVERY = 1_000;
const SOON = 200;

export function createStatusLoop({ client, giveUp, sources, namespaces, timers }: StatusLoopOptions) {
  return async function tell(name: string): Promise<Outcome> {
    const followed = sources.get(name);
    if (followed === undefined || isFilling(followed)) return undefined;
    const wait = followed.writtenAt === undefined ? 0 : followed.writtenAt + WRITE_EVERY - timers.elapsed();
    if (wait > 0) return { after: wait };
    const { source, errors, watch, conflicts, notReported } = followed;
    const facts = {
      errors,
      served: watch?.served,
      missingRules: watch?.missing ?? [],
      conflicts: [...conflicts.values()].flat(),
      notReported: notReported?.why,
      resources: watch?.size ?? 0,
      byNamespace:
        namespaces.length === 0 ? undefined : new Map(namespaces.map((each) => [each, watch?.sizeIn(each) ?? 0])),
    };
    const after = withReady(source, facts, timers.now());
    if (after === source) return undefined;
    followed.writtenAt = timers.elapsed();
    const options = { subresource: "status", fieldManager: SOURCE_MANAGER };
    const written = await writeChange(client, EXPANSION_SOURCES, { before: source, after }, options, giveUp);
    if (written === "lost") return { after: SOON };
    sources.observe(written, source.metadata.resourceVersion ?? "");
    return undefined;
  };
}

/** The resources are being listed: how many there are is told when that is known. */
function isFilling({ watch }: FollowedSource): boolean {
  return watch?.served === true && watch.missing.length === 0 && !watch.isComplete;
}
