/** Which kind of custom resource somebody means, and which sources know it. */
import { OutgrowError } from "../../core/errors.ts";
import type { KubeClient } from "../../kube/index.ts";
import { PRESETS } from "../../source/presets/presets.ts";
import { EXPANSION_SOURCES } from "../../source/resource.ts";
import type { ExpansionSource } from "../../source/types.ts";
import { ifInstalled } from "../cluster/records.ts";
import { findKind } from "../get/find-kind.ts";

/**
 * The sources of the kind that a word names: a kind, its plural or short name, with the group behind it or not. All of them are of
 * one group and plural, and there is at least one. Throws `USAGE` for a kind that the cluster does not have or no source knows.
 */
export async function findSources(
  client: Pick<KubeClient, "listAll" | "serves" | "raw">,
  word: string,
): Promise<readonly ExpansionSource[]> {
  const all = (await ifInstalled(client, client.listAll(EXPANSION_SOURCES))) ?? [];
  const [first] = all.filter(({ spec }) => wordsFor(spec.resource).includes(word));
  const kind = first?.spec.resource ?? (await findKind(client, word));
  const known = all.filter(
    ({ spec: { resource } }) => resource.group === kind.group && resource.plural === kind.plural,
  );
  if (known.length > 0) return known;
  throw new OutgrowError("USAGE", `no ExpansionSource knows ${kind.kind}; ${wayOut(kind)}`);
}

function wayOut({ group, plural }: { readonly group: string; readonly plural: string }): string {
  const preset = PRESETS.find(({ spec }) => spec.resource.group === group && spec.resource.plural === plural);
  return preset === undefined
    ? "outgrow sources list shows the kinds that Outgrow knows, and others take a source of their own"
    : `outgrow sources enable ${preset.name} has it followed`;
}

function wordsFor({ group, kind, plural }: ExpansionSource["spec"]["resource"]): readonly string[] {
  const names = [kind.toLowerCase(), plural];
  return [...names, ...names.map((name) => `${name}.${group}`)];
}
