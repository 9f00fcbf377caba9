/** `outgrow sources list`: the operators that we know, and what this cluster follows. */
import { PRESETS } from "../../source/presets/presets.ts";
import type { ExpansionSource } from "../../source/types.ts";
import { table } from "../output/table.ts";
import { type Live, readinessOf } from "./live.ts";

export interface Row {
  readonly name: string;
  /** Undefined for a source that somebody wrote. */
  readonly operator: string | undefined;
  /** The operator's release that the source was verified for. */
  readonly version: string | undefined;
  readonly kind: string;
  readonly grownBy: "Outgrow" | "Operator";
  /** Undefined when no cluster could be asked. */
  readonly enabled: boolean | undefined;
  /** Of one that is enabled: whether it is followed. */
  readonly ready: { readonly status: string; readonly reason: string; readonly message: string } | undefined;
}

/** Presets by name, then what else the cluster has. */
export function listRows({ sources }: Live): readonly Row[] {
  const own = (sources ?? []).filter(({ metadata }) => PRESETS.every(({ name }) => name !== metadata.name));
  return [
    ...PRESETS.map(({ name, operator, version, spec }) => {
      const live = sources?.find(({ metadata }) => metadata.name === name);
      return { ...rowOf(live ?? { metadata: { name }, spec }, sources && live !== undefined), operator, version };
    }),
    ...own.map((source) => rowOf(source, true)),
  ];
}

function rowOf(source: ExpansionSource, enabled: boolean | undefined): Row {
  const { status, reason = "", message = "" } = readinessOf(source) ?? {};
  return {
    name: source.metadata.name,
    operator: undefined,
    version: undefined,
    kind: source.spec.resource.kind,
    grownBy: source.spec.grownBy ?? "Outgrow",
    enabled,
    ready: status === undefined ? undefined : { status, reason, message },
  };
}

export function renderRows(rows: readonly Row[], width: number | undefined): string {
  return table(
    ["NAME", "KIND", "GROWN BY", "ENABLED", "OPERATOR"],
    rows.map((row) => [row.name, row.kind, grower(row), standing(row), operatorOf(row)]),
    width,
  );
}

function grower({ grownBy }: Row): string {
  return grownBy === "Outgrow" ? "Outgrow" : "operator";
}

function standing({ enabled, ready }: Row): string {
  if (enabled === undefined) return "?";
  if (!enabled) return "no";
  if (ready === undefined) return "yes, not looked at yet";
  return ready.status === "True" ? "yes" : `yes, but ${ready.reason}`;
}

function operatorOf({ operator, version }: Row): string {
  return operator === undefined ? "(one's own)" : `${operator} ${version}`;
}
