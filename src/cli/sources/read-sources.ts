/** The sources that somebody names: operators that we know, and files with sources of their own. */
import { fieldErrorText } from "../../admission/verdict.ts";
import { OutgrowError } from "../../core/errors.ts";
import { checkSource } from "../../source/decide/check-source.ts";
import { PRESETS, type Preset, presetNamed, sourceOf } from "../../source/presets/presets.ts";
import { EXPANSION_SOURCES } from "../../source/resource.ts";
import type { ExpansionSource } from "../../source/types.ts";
import { describePlace } from "../input/place.ts";
import { readObjects } from "../input/read-objects.ts";
import { findFault } from "../input/shape.ts";
import { openSources } from "../input/sources.ts";
import { nearest } from "./nearest.ts";
import { SOURCE_SHAPE } from "./source-shape.ts";

/** Throws `OBJECT_MISSING`, with the names that may have been meant. `others` are names that exist besides. */
export function findPreset(name: string, others: readonly string[] = []): Preset {
  const preset = presetNamed(name);
  if (preset !== undefined) return preset;
  const known = [...PRESETS.map((each) => each.name), ...others];
  const meant = nearest(name, known);
  const hint = meant.length === 0 ? `there are ${known.join(", ")}` : `did you mean ${meant.join(" or ")}?`;
  throw new OutgrowError("OBJECT_MISSING", `Outgrow knows no source ${JSON.stringify(name)}; ${hint}`);
}

/** A word with a slash or an ending is a file, `-` is standard input; others are names of presets. */
export function isFile(word: string): boolean {
  return word === "-" || /[/\\]|\.(?:ya?ml|json)$/.test(word);
}

/** The preset of a name, or every source in a file; nothing is wrong with them. Throws what `findPreset` and `readFile` do. */
export async function readSources(word: string, input: AsyncIterable<Uint8Array>): Promise<readonly ExpansionSource[]> {
  return isFile(word) ? readFile(word, input) : [sourceOf(findPreset(word))];
}

/** Throws `INPUT_UNREADABLE` or `OBJECT_MALFORMED`, naming the document and everything that is wrong with a source. */
async function readFile(path: string, input: AsyncIterable<Uint8Array>): Promise<readonly ExpansionSource[]> {
  const sources: ExpansionSource[] = [];
  const keepOf = (apiVersion: string, kind: string) =>
    kind === EXPANSION_SOURCES.kind && apiVersion.startsWith(`${EXPANSION_SOURCES.group}/`) ? true : undefined;
  await readObjects(await openSources([path], input), keepOf, ({ value, place }) => {
    const fault = findFault(value, SOURCE_SHAPE);
    const source = value as ExpansionSource;
    const wrong =
      fault === undefined ? checkSource(source.spec).map(fieldErrorText) : [`${fault.field} ${fault.problem}`];
    if (wrong.length === 0) sources.push(source);
    else throw new OutgrowError("OBJECT_MALFORMED", `${describePlace(place)}: ${wrong.join("; ")}`);
  });
  if (sources.length > 0) return sources;
  throw new OutgrowError("INPUT_UNREADABLE", `${path} has no ${EXPANSION_SOURCES.kind} in it`);
}
