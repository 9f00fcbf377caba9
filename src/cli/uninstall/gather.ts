/** What a cluster has that tells of us: everything that `outgrow uninstall` goes by. */
import { WISH_ANNOTATION } from "../../core/names.ts";
import { defineResource, type KubeClient, STATEFUL_SETS } from "../../kube/index.ts";
import { EXPANSION_SOURCES } from "../../source/resource.ts";
import { VOLUME_EXPANSIONS } from "../../statefulset/index.ts";
import { LABELS, NAME } from "../manifests/part.ts";
import { type Finding, inFlight } from "./in-flight.ts";
import { type InstalledDeployment, removalCommands } from "./removal.ts";

/** The answer of `outgrow uninstall --check`, as `-o json` has it. */
export interface Report {
  readonly inFlight: readonly Finding[];
  /** To be typed once nothing is in flight. */
  readonly commands: readonly string[];
}

const OURS = Object.entries(LABELS)
  .map(([name, value]) => `${name}=${value}`)
  .join(",");
const DEPLOYMENTS = defineResource<InstalledDeployment>("apps/v1", "Deployment", "deployments");

/** Looks at all namespaces: Outgrow goes from all of them at once. Writes nothing. */
export async function checkCluster(client: KubeClient, signal?: AbortSignal): Promise<Report> {
  const [{ gitVersion: version }, hasRecords, hasSources, deployments, sets] = await Promise.all([
    client.version(signal),
    client.serves(VOLUME_EXPANSIONS, signal),
    client.serves(EXPANSION_SOURCES, signal),
    client.listAll(DEPLOYMENTS, { labelSelector: OURS, fieldSelector: `metadata.name=${NAME}` }, signal),
    client.listAll(STATEFUL_SETS, {}, signal),
  ]);
  const records = hasRecords ? await client.listAll(VOLUME_EXPANSIONS, {}, signal) : [];
  const found = hasSources ? await client.listAll(EXPANSION_SOURCES, {}, signal) : [];
  const sources = found.map(({ metadata }) => metadata.name);
  const definition = hasRecords || hasSources;
  const wishes = sets.filter(({ metadata }) => metadata.annotations?.[WISH_ANNOTATION] !== undefined).length;
  return {
    inFlight: inFlight(sets, records),
    commands: removalCommands({ deployment: deployments[0], definition, sources, wishes, version }),
  };
}
