import { describe, expect, test } from "vitest";
import { compareTemplates } from "./claim-templates.ts";
import type { ClaimTemplate } from "./types.ts";

type Change = Partial<ClaimTemplate["spec"]> & { name?: string; labels?: Record<string, string> };

function template(size: string, { name = "data", labels, ...spec }: Change = {}): ClaimTemplate {
  return {
    metadata: labels === undefined ? { name } : { name, labels },
    spec: {
      accessModes: ["ReadWriteOnce"],
      storageClassName: "fast",
      resources: { requests: { storage: size } },
      ...spec,
    },
  };
}

describe("an edit that means nothing", () => {
  const stored: ClaimTemplate = {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "data", creationTimestamp: null } as ClaimTemplate["metadata"],
    spec: {
      accessModes: ["ReadWriteOnce"],
      storageClassName: "fast",
      resources: { requests: { storage: "1Gi" } },
      volumeMode: "Filesystem",
    },
    status: { phase: "Pending" },
  };
  test.each<[string, ClaimTemplate[] | undefined, ClaimTemplate[] | undefined]>([
    ["the same templates", [template("1Gi")], [template("1Gi")]],
    ["the same size in another notation", [template("1Gi")], [template("1024Mi")]],
    ["apiVersion, kind, status and defaulted fields left out", [stored], [template("1Gi")]],
    ["the same fields filled in", [template("1Gi")], [stored]],
    ["empty labels and a null selector", [template("1Gi")], [template("1Gi", { labels: {}, selector: null as never })]],
    ["no templates, written as an empty list or not at all", [], undefined],
    ["a bare number, as YAML reads it", [template("1Gi")], [template(1073741824 as unknown as string)]],
  ])("%s", (_, before, after) => {
    expect(compareTemplates(before, after)).toEqual({ kind: "same" });
  });
});

describe("an edit of sizes only", () => {
  const names = ["data", "wal", "logs"].map((name) => template("1Gi", { name }));

  test("tells template, place and both sizes, up and down, in the order of the list", () => {
    const edit = compareTemplates(names, [
      template("2Gi", { name: "data" }),
      template("1024Mi", { name: "wal" }),
      template("512Mi", { name: "logs" }),
    ]);
    expect(JSON.parse(JSON.stringify(edit))).toEqual({
      kind: "sizes",
      changes: [
        { template: "data", index: 0, from: "1Gi", to: "2Gi" },
        { template: "logs", index: 2, from: "1Gi", to: "512Mi" },
      ],
    });
  });
});

describe("an edit that a StatefulSet cannot follow", () => {
  const before = [template("1Gi"), template("1Gi", { name: "wal" })];
  const [data, wal] = before as [ClaimTemplate, ClaimTemplate];

  test.each<[string, ClaimTemplate[], string[]]>([
    ["a template added", [data, wal, template("1Gi", { name: "logs" })], [""]],
    ["a template removed", [data], [""]],
    ["a template renamed", [data, template("1Gi", { name: "redo" })], ["[1].metadata.name"]],
    ["the order of templates", [wal, data], ["[0].metadata.name", "[1].metadata.name"]],
    [
      "another class",
      [data, template("1Gi", { name: "wal", storageClassName: "slow" })],
      ["[1].spec.storageClassName"],
    ],
    ["no class any more", [template("1Gi", { storageClassName: null as never }), wal], ["[0].spec.storageClassName"]],
    ["another access mode", [template("1Gi", { accessModes: ["ReadWriteMany"] }), wal], ["[0].spec.accessModes"]],
    ["raw block", [template("1Gi", { volumeMode: "Block" }), wal], ["[0].spec.volumeMode"]],
    [
      "an empty selector, which rules out provisioning",
      [template("1Gi", { selector: {} }), wal],
      ["[0].spec.selector"],
    ],
    ["a label", [template("1Gi", { labels: { a: "b" } }), wal], ["[0].metadata.labels"]],
    [
      "a limit",
      [template("1Gi", { resources: { requests: { storage: "1Gi" }, limits: { storage: "2Gi" } } }), wal],
      ["[0].spec.resources.limits.storage"],
    ],
    [
      "a size that vanished",
      [template("1Gi", { resources: { requests: {} } }), wal],
      ["[0].spec.resources.requests.storage"],
    ],
    ["a size that cannot be read", [template("big"), wal], ["[0].spec.resources.requests.storage"]],
    ["a field this program does not know", [template("1Gi", { novelty: 1 } as Change), wal], ["[0].spec.novelty"]],
  ])("%s", (_, after, paths) => {
    const edit = compareTemplates(before, after);
    expect(edit.kind === "other" && edit.differences.map((difference) => difference.path)).toEqual(paths);
  });

  test("a size edited along with something else is told, but does not make it a size edit", () => {
    const edit = compareTemplates([data], [template("2Gi", { storageClassName: "slow" })]);
    expect(edit.kind).toBe("other");
    expect(edit.kind === "other" && edit.changes.map((change) => change.to.toString())).toEqual(["2Gi"]);
  });

  test("names the templates when their number differs", () => {
    expect(compareTemplates([data], before)).toMatchObject({ differences: [{ from: ["data"], to: ["data", "wal"] }] });
  });
});
