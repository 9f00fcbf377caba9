/** `outgrow sources enable` and `disable`: following the resources of an operator, or no longer. */
import { ifThere, type KubeClient } from "../../kube/index.ts";
import { presetNamed } from "../../source/presets/presets.ts";
import { EXPANSION_SOURCES } from "../../source/resource.ts";
import type { ExpansionSource } from "../../source/types.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { DEFAULTS } from "../manifests/options.ts";
import { printObject } from "../manifests/print.ts";
import { sourceObjects } from "../manifests/source.ts";
import { type OutputFormat, printStructured } from "../output/structured.ts";
import type { Terminal } from "../terminal.ts";
import { applyObject, deleteObject, nameOf, objectsOfSource } from "./apply-objects.ts";
import { findInstalled } from "./installed.ts";
import { findPreset } from "./read-sources.ts";

/** What `enable` would apply to a cluster as it is installed by default; asks none. */
export async function printObjects(sources: readonly ExpansionSource[], format: OutputFormat): Promise<string> {
  const objects = sources.flatMap((source) => sourceObjects(source, DEFAULTS));
  if (format === "json") {
    return printStructured({ apiVersion: "v1", kind: "List", items: objects.map(({ object }) => object) }, format);
  }
  return (await Promise.all(objects.map(printObject))).join("---\n");
}

/** Applies everything, telling each; doing it again changes nothing. Refused where Outgrow is not installed. */
export async function enable(
  client: KubeClient,
  terminal: Terminal,
  sources: readonly ExpansionSource[],
): Promise<ExitCode> {
  const installed = await findInstalled(client);
  if (installed === undefined) {
    const way = "outgrow manifests --image IMAGE | kubectl apply -f - installs it";
    terminal.complain(`outgrow: this cluster does not know what an ExpansionSource is; ${way}\n`);
    return EXIT.refused;
  }
  for (const source of sources) {
    for (const { object } of sourceObjects(source, installed)) {
      terminal.write(`${await applyObject(client, object)}\n`);
    }
  }
  for (const source of sources) terminal.write(`\n${whatFollows(source)}`);
  if (!installed.controller) {
    const account = `${installed.namespace}/outgrow-controller`;
    terminal.write(
      `The rights are those of account ${account}, which is not here; a controller that runs as another needs them, too.\n`,
    );
  }
  return EXIT.done;
}

function whatFollows({ metadata: { name }, spec }: ExpansionSource): string {
  const { resource, grownBy, condition } = spec;
  const preset = presetNamed(name);
  const does =
    grownBy === "Operator"
      ? `${resource.kind}: its operator grows volumes itself; Outgrow watches, and changes nothing.`
      : `${resource.kind}: a larger size in it makes its volumes grow from now on${condition === undefined ? "" : `, and ${condition} tells how far they are`}.`;
  return [
    does,
    ...(preset === undefined ? [] : [`By itself: ${preset.itself}`, `Outgrow: ${preset.ours}`]),
    `outgrow sources show ${name} says whether it works, outgrow sources disable ${name} takes it back.\n`,
  ].join("\n");
}

/** Deletes everything that `enable` has made; what has grown stays so. Throws `OBJECT_MISSING` for a name that nobody knows. */
export async function disable(
  client: KubeClient,
  terminal: Terminal,
  source: string,
  dryRun: boolean,
): Promise<ExitCode> {
  const found = await objectsOfSource(client, source);
  if (found.length === 0) {
    const others = await ifThere(client.listAll(EXPANSION_SOURCES));
    const { name } = findPreset(
      source,
      others?.map(({ metadata }) => metadata.name),
    );
    terminal.write(`${name} is not enabled in this cluster.\n`);
  }
  for (const each of found) {
    terminal.write(
      dryRun ? `${nameOf(each.resource, each.object)} would be deleted\n` : `${await deleteObject(client, each)}\n`,
    );
  }
  if (found.length > 0 && !dryRun) {
    terminal.write("\nSizes in these resources are not followed any more. What has grown stays as it is.\n");
  }
  return EXIT.done;
}
