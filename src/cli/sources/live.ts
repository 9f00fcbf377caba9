/** The sources that a cluster has, as far as one is there to be asked. */
import type { Condition } from "../../core/types.ts";
import { deadlineSignal, isNotFound, KubeError, systemTimers } from "../../kube/index.ts";
import { EXPANSION_SOURCES } from "../../source/resource.ts";
import type { ExpansionSource } from "../../source/types.ts";
import { type ClusterFlags, connect } from "../cluster/connect.ts";
import { oneLine } from "../output/one-line.ts";

export interface Live {
  /** Undefined when nobody could be asked. */
  readonly sources: readonly ExpansionSource[] | undefined;
  /** Why not, or what is missing in the cluster, in a line. */
  readonly problem: string | undefined;
}

/** What is known without a cluster is told all the same, and nobody waits long for one that does not answer. */
const PATIENCE_MS = 5_000;

/** Never rejects for a cluster that is not there, does not answer, or does not let us look. */
export async function readLive(flags: ClusterFlags): Promise<Live> {
  using deadline = deadlineSignal(systemTimers, PATIENCE_MS, "the cluster does not answer");
  try {
    await using connection = await connect(flags);
    const sources = await connection.client.listAll(EXPANSION_SOURCES, {}, deadline.signal);
    return { sources, problem: undefined };
  } catch (error) {
    if (isNotFound(error)) return { sources: [], problem: "Outgrow is not installed in this cluster" };
    if (deadline.signal.aborted) return unknown("the cluster does not answer");
    if (error instanceof KubeError) return unknown(oneLine(error.message));
    throw error;
  }
}

function unknown(why: string): Live {
  return { sources: undefined, problem: `which are enabled is not known: ${why}` };
}

/** Whether a source is followed, as it says itself; undefined before the controller has looked at it. */
export function readinessOf({ status }: ExpansionSource): Condition | undefined {
  return status?.conditions?.find(({ type }) => type === "Ready");
}
