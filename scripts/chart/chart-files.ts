/** The generated files of the chart, from the same objects that `outgrow manifests` prints. */
import packageJson from "../../package.json" with { type: "json" };
import { installation } from "../../src/cli/manifests/installation.ts";
import { type Admission, DEFAULTS } from "../../src/cli/manifests/options.ts";
import type { Part } from "../../src/cli/manifests/part.ts";
import { printParts } from "../../src/cli/manifests/print.ts";
import { pierce } from "./holes.ts";
import { interleave } from "./interleave.ts";
import { placesOf } from "./places.ts";

/** Stands for the release's namespace until it is replaced; a name that nothing else contains. */
const NAMESPACE = "release-namespace-of-the-chart";

const HEADER = "{{- /* Written by scripts/generate-chart.ts from src/cli/manifests. */ -}}\n";

/** Files that Helm does not need: the namespace of a release is there before it. */
const LEFT_OUT: ReadonlySet<string> = new Set(["namespace"]);

/** Texts by path below deploy/chart. */
export async function chartFiles(): Promise<ReadonlyMap<string, string>> {
  const files = new Map([["Chart.yaml", chartYaml()]]);
  const [plain, policies, webhook] = await Promise.all([
    partTexts("none"),
    partTexts("policies"),
    partTexts("webhook"),
  ]);
  for (const [name, base] of plain) {
    if (LEFT_OUT.has(name)) continue;
    const withPolicies = policies.get(name) ?? "";
    const [more, admission] = withPolicies === base ? [webhook.get(name) ?? "", "webhook"] : [withPolicies, "policies"];
    const text = interleave(base, more, `eq (include "outgrow.admission" .) "${admission}"`);
    files.set(`templates/${name}.yaml`, HEADER + (name === "pod-monitor" ? whenWanted(text) : text));
  }
  return files;
}

/** The template text of each part, in this way of letting sizes in. */
async function partTexts(admission: Admission): Promise<ReadonlyMap<string, string>> {
  const parts = installation({ ...DEFAULTS, namespace: NAMESPACE, admission, podMonitor: true });
  return new Map(await Promise.all(parts.map(async (part) => [part.name, await templateText(part)] as const)));
}

async function templateText({ name, objects }: Part): Promise<string> {
  const { object: pierced, text } = pierce();
  const holed = objects.map(({ why, object }) => ({ why, object: pierced(object, placesOf(object)) }));
  const printed = await printParts([{ name, objects: holed }]);
  return text(escaped(printed)).replaceAll(NAMESPACE, "{{ .Release.Namespace }}");
}

/** Braces of ours (expressions of policies have them) are none of Helm's. */
function escaped(text: string): string {
  return text.replaceAll("{{", '{{ "{{" }}');
}

function whenWanted(text: string): string {
  return `{{- if .Values.podMonitor.enabled }}\n${text}{{- end }}\n`;
}

function chartYaml(): string {
  return `# Written by scripts/generate-chart.ts.
apiVersion: v2
name: outgrow
description: ${packageJson.description.replace(/:.*/, ".")}
type: application
version: ${packageJson.version}
appVersion: ${packageJson.version}
kubeVersion: ">=1.27-0"
`;
}
