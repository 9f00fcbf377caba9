/** The generated files of the chart, from the same objects that `outgrow manifests` prints. */
import packageJson from "../../package.json" with { type: "json" };
import { installation } from "../../src/cli/manifests/installation.ts";
import { type Admission, DEFAULTS } from "../../src/cli/manifests/options.ts";
import type { Explained, Part } from "../../src/cli/manifests/part.ts";
import { printObject } from "../../src/cli/manifests/print.ts";
import { PRESETS, sourceOf } from "../../src/source/presets/presets.ts";
import { pierce } from "./holes.ts";
import { interleave } from "./interleave.ts";
import { placesOf } from "./places.ts";

/** These stand for namespaces until they are replaced: names that nothing else contains. */
const RELEASE = "release-namespace-of-the-chart";
const EACH = "each-watched-namespace-of-the-chart";

const HEADER = "{{- /* Written by scripts/generate-chart.ts from src/cli/manifests. */ -}}\n";

/** What Helm does not need: the namespace of a release is there before it. */
const LEFT_OUT: ReadonlySet<string> = new Set(["namespace"]);

/** Helm brings these before anything else: what they define is among the templates. */
const DEFINED_BEFORE: ReadonlySet<string> = new Set(["source-definition"]);

const ON_CONDITION: ReadonlyMap<string, string> = new Map([
  ["pod-monitor", ".Values.podMonitor.enabled"],
  ...PRESETS.map(({ name }) => [`source-${name}`, `has ${JSON.stringify(name)} .Values.sources`] as const),
]);

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
    if (DEFINED_BEFORE.has(name)) {
      files.set(`crds/${name}.yaml`, base.replace(/^---\n/, ""));
      continue;
    }
    const withPolicies = policies.get(name) ?? "";
    const [more, admission] = withPolicies === base ? [webhook.get(name) ?? "", "webhook"] : [withPolicies, "policies"];
    const text = interleave(base, more, `eq (include "outgrow.admission" .) "${admission}"`);
    const condition = ON_CONDITION.get(name);
    files.set(`templates/${name}.yaml`, HEADER + (condition === undefined ? text : when(condition, text)));
  }
  return files;
}

/** The template text of each part, in this way of letting sizes in. */
async function partTexts(admission: Admission): Promise<ReadonlyMap<string, string>> {
  const like = (watched: readonly string[]) =>
    installation({
      ...DEFAULTS,
      namespace: RELEASE,
      watched,
      admission,
      podMonitor: true,
      sources: PRESETS.map(sourceOf),
    });
  const scoped = new Map(like([EACH]).map((part) => [part.name, part]));
  const texts = like([]).map(async (part) => [part.name, await partText(part, scoped.get(part.name))] as const);
  return new Map(await Promise.all(texts));
}

/** Objects of both kinds of installation once; those of one kind only on their condition. */
async function partText({ objects: everywhere }: Part, scoped: Part | undefined): Promise<string> {
  const within = scoped?.objects ?? [];
  const only = (some: readonly Explained[], others: readonly Explained[]) =>
    some.filter((each) => !others.some((other) => idOf(other) === idOf(each)));
  const added = only(within, everywhere);
  const removed = new Set(only(everywhere, within));
  const texts = await Promise.all([
    ...everywhere.map(async (each) => {
      const text = await objectText(each);
      return removed.has(each) ? when("not .Values.namespaces", text) : text;
    }),
    ...added.map(async (each) => {
      const text = await objectText(each);
      if (each.object.metadata.namespace !== EACH) return when(".Values.namespaces", text);
      const inside = text.replaceAll("{{ .Release", "{{ $.Release").replaceAll(EACH, "{{ . | quote }}");
      return `{{- range .Values.namespaces }}\n${inside}{{- end }}\n`;
    }),
  ]);
  return texts.join("");
}

async function objectText({ why, object }: Explained): Promise<string> {
  const pierced = pierce();
  const printed = await printObject({ why, object: pierced.object(object, placesOf(object)) });
  return `---\n${pierced.text(escaped(printed)).replaceAll(RELEASE, "{{ .Release.Namespace | quote }}")}`;
}

/** Braces of ours (expressions of policies have them) are none of Helm's. */
function escaped(text: string): string {
  return text.replaceAll("{{", '{{ "{{" }}');
}

function when(condition: string, text: string): string {
  return `{{- if ${condition} }}\n${text}{{- end }}\n`;
}

function idOf({ object: { kind, metadata } }: Explained): string {
  return `${kind} ${metadata.namespace ?? ""} ${metadata.name}`;
}

function chartYaml(): string {
  return `# Written by scripts/generate-chart.ts.
apiVersion: v2
name: outgrow
description: ${packageJson.description.replace(/:.*/, ".")}
type: application
version: ${packageJson.version}
appVersion: ${packageJson.version}
kubeVersion: ">=1.29-0"
`;
}
