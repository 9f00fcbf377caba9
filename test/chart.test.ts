/** The Helm chart is made of the same objects as `outgrow manifests`. How Helm takes it is tested in test/kube/install. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { chartFiles } from "../scripts/chart/chart-files.ts";
import { inline, optional, pierce } from "../scripts/chart/holes.ts";
import { interleave } from "../scripts/chart/interleave.ts";
import { REPLICAS, RESOURCES } from "../src/cli/manifests/deployment.ts";
import { API_SERVER_PORTS } from "../src/cli/manifests/network.ts";
import { DEFAULTS } from "../src/cli/manifests/options.ts";
import { PRESETS } from "../src/source/presets/presets.ts";

const CHART = join(import.meta.dirname, "../deploy/chart");
const read = (name: string) => readFileSync(join(CHART, name), "utf8");
const files = await chartFiles();

test.each([...files])("deploy/chart/%s is not stale; node scripts/generate-chart.ts writes it", (name, text) => {
  expect(read(name)).toBe(text);
});

test("no template is left over from before", () => {
  const templates = globSync(["templates/*.yaml", "crds/*.yaml"], { cwd: CHART });
  expect(templates.sort()).toEqual([...files.keys()].filter((name) => name.includes("/")).sort());
});

test("the values are by default what outgrow manifests says", () => {
  const values = parse(read("values.yaml")) as { image: { repository: string }; networkPolicy: object };
  expect(values).toMatchObject({
    replicas: REPLICAS,
    resources: RESOURCES,
    networkPolicy: { apiServerPorts: API_SERVER_PORTS },
    podMonitor: { enabled: DEFAULTS.podMonitor },
  });
  expect(DEFAULTS.image.startsWith(`${values.image.repository}:`)).toBe(true);
});

test("every value is in the schema, and the other way round", () => {
  const values = parse(read("values.yaml")) as Record<string, unknown>;
  const { properties } = JSON.parse(read("values.schema.json")) as { properties: Record<string, unknown> };
  const { global: _, ...ours } = properties;
  expect(Object.keys(ours).sort()).toEqual(Object.keys(values).sort());
});

test("sources can be just those that outgrow knows", () => {
  const { properties } = JSON.parse(read("values.schema.json")) as {
    properties: { sources: { items: { enum: string[] } } };
  };
  expect(properties.sources.items.enum).toEqual(PRESETS.map(({ name }) => name));
});

test("what is in crds/ is no template", () => {
  const texts = [...files].filter(([name]) => name.startsWith("crds/")).map(([, text]) => text);
  expect(texts.length).toBeGreaterThan(0);
  expect(texts.filter((text) => text.includes("{{"))).toEqual([]);
});

describe("two texts as one template", () => {
  const rendered = (template: string, holds: boolean) =>
    template.replaceAll(/\{\{- if x \}\}\n([\s\S]*?)\{\{- end \}\}\n/g, holds ? "$1" : "");

  test.each([
    ["the same", "a\nb\n", "a\nb\n"],
    ["something in the middle", "a\nb\n", "a\nx\ny\nb\n"],
    ["something at both ends", "a\n", "x\na\ny\n"],
    ["lines that are there already", "a\nb\na\nc\n", "a\nb\na\nb\na\nc\n"],
    ["everything", "", "a\nb\n"],
  ])("with %s", (_, base, more) => {
    const template = interleave(base, more, "x");
    expect([rendered(template, false), rendered(template, true)]).toEqual([base, more]);
  });

  test("that differ by more than what is added are refused", () => {
    expect(() => interleave("a\nb\n", "a\nc\n", "x")).toThrow("differ by more than lines that are added: b");
  });
});

describe("holes", () => {
  const object = { apiVersion: "v1", kind: "X", metadata: { name: "x" }, spec: { size: 1 } };

  test("become template text where they are", () => {
    const { object: pierced, text } = pierce();
    const copy = pierced(object, { "spec.size": inline(".Values.size"), "spec.more": optional(".Values.more") });
    expect(object.spec).toEqual({ size: 1 });
    const printed = JSON.stringify(copy.spec).replaceAll(/[{}"]/g, "").replaceAll(",", "\n").replaceAll(":", ": ");
    expect(text(`- ${printed.replace("\n", "\n  ")}\n`)).toBe(
      "- size: {{ .Values.size }}\n  {{- with .Values.more }}\n  more:\n    {{- toYaml . | nindent 4 }}\n  {{- end }}\n",
    );
  });

  test("in a place that is no longer there are an error", () => {
    expect(() => pierce().object(object, { "spec.template.size": inline(".Values.size") })).toThrow(
      "X x has no spec.template.size any more",
    );
  });
});
