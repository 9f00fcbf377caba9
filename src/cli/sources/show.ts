/** `outgrow sources show NAME`: a source as YAML, with what is known about the operator and about this cluster as comments. */
import { semanticallyEqual } from "../../core/semantic-equal.ts";
import { type Preset, sourceOf } from "../../source/presets/presets.ts";
import type { ExpansionSource } from "../../source/types.ts";
import { type OutputFormat, printStructured } from "../output/structured.ts";
import { wrap } from "../output/wrap.ts";
import { readinessOf } from "./live.ts";

/** At least one of the two is given. */
export interface Shown {
  readonly preset: Preset | undefined;
  /** What the cluster has under this name. */
  readonly live: ExpansionSource | undefined;
}

/** For programs: what is known, and what is there. */
export async function showStructured({ preset, live }: Shown, format: OutputFormat): Promise<string> {
  const { spec: _, ...notes } = preset ?? { spec: undefined };
  return printStructured(
    {
      source: live === undefined ? preset && sourceOf(preset) : plain(live),
      ...(preset && { notes }),
      enabled: live !== undefined,
      conditions: live?.status?.conditions ?? [],
    },
    format,
  );
}

/** For people: what is shown of a preset can be applied as it is. */
export async function showText({ preset, live }: Shown): Promise<string> {
  const source = live === undefined ? preset && sourceOf(preset) : plain(live);
  const notes = [
    ...(preset === undefined ? [] : notesOf(preset)),
    ...(live === undefined ? [] : standing(preset, live)),
  ];
  return `${notes.map(comment).join("")}${await printStructured(source, "yaml")}`;
}

/** As somebody would write it: without what the server puts in, and without its status. */
function plain({ apiVersion, kind, metadata: { name, labels }, spec }: ExpansionSource): object {
  return { apiVersion, kind, metadata: { name, ...(labels !== undefined && { labels }) }, spec };
}

function notesOf({ operator, version, verifiedIn, itself, ours, pausing, limits }: Preset): readonly string[] {
  return [
    `${operator}, verified for ${version}.`,
    `By itself: ${itself}`,
    `Outgrow: ${ours}`,
    `Pausing: ${pausing}`,
    ...limits.map((limit) => `Not covered: ${limit}`),
    ...verifiedIn.map((place) => `Verified in ${place}`),
  ];
}

function standing(preset: Preset | undefined, live: ExpansionSource): readonly string[] {
  const ready = readinessOf(live);
  const count = live.status?.resources;
  const differs = preset !== undefined && !semanticallyEqual(preset.spec, live.spec);
  return [
    ready === undefined
      ? "In this cluster: enabled; the controller has not looked at it yet."
      : `In this cluster: Ready ${ready.status}, ${ready.reason}: ${ready.message}${count === undefined ? "" : ` (${count} of them)`}`,
    ...(differs ? ["What the cluster has, shown here, differs from what Outgrow knows of this operator."] : []),
  ];
}

const COLUMNS = 118;

function comment(text: string): string {
  return wrap(text, COLUMNS)
    .map((line) => `# ${line}\n`)
    .join("");
}
