/** The operators that we know, by name. */
import { apiVersionOf } from "../../kube/index.ts";
import { EXPANSION_SOURCES } from "../resource.ts";
import type { ExpansionSource } from "../types.ts";
import { CLOUDNATIVE_PG } from "./cloudnative-pg.ts";
import { ELASTICSEARCH } from "./elasticsearch.ts";
import { MOCO } from "./moco.ts";
import { PERCONA_XTRADB } from "./percona-xtradb.ts";
import type { Preset } from "./preset.ts";
import { RABBITMQ } from "./rabbitmq.ts";
import { STRIMZI } from "./strimzi.ts";
import { VICTORIA_METRICS_CLUSTER, VICTORIA_METRICS_SINGLE } from "./victoria-metrics.ts";
import { ZALANDO_POSTGRES } from "./zalando-postgres.ts";

/** In the order of their names. */
export const PRESETS: readonly Preset[] = [
  CLOUDNATIVE_PG,
  ELASTICSEARCH,
  MOCO,
  PERCONA_XTRADB,
  RABBITMQ,
  STRIMZI,
  VICTORIA_METRICS_CLUSTER,
  VICTORIA_METRICS_SINGLE,
  ZALANDO_POSTGRES,
];

export type { Preset };

export function presetNamed(name: string): Preset | undefined {
  return PRESETS.find((preset) => preset.name === name);
}

/** The object that teaches a cluster this operator. */
export function sourceOf({ name, spec }: Preset): ExpansionSource {
  return { apiVersion: apiVersionOf(EXPANSION_SOURCES), kind: EXPANSION_SOURCES.kind, metadata: { name }, spec };
}
