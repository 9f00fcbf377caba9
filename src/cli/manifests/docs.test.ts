/** docs/install.md and docs/uninstall.md say what is so. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { WISH_ANNOTATION } from "../../core/names.ts";
import type { StatefulSet } from "../../core/types.ts";
import { CONTROLLER_RULES, LEADER_RULES } from "../../statefulset/index.ts";
import { inFlight } from "../uninstall/in-flight.ts";
import { removalCommands } from "../uninstall/removal.ts";
import { renderReport } from "../uninstall/render.ts";
import { installation } from "./installation.ts";
import { DEFAULTS } from "./options.ts";

const read = (name: string) => readFileSync(join(import.meta.dirname, "../../../docs", name), "utf8");
const install = read("install.md");
const cells = install.split("\n").map((line) => line.split("|")[1]?.trim() ?? "");

test.each(
  [...CONTROLLER_RULES, ...LEADER_RULES].flatMap(({ resources, verbs }) =>
    resources.map((resource) => [resource, verbs.join(", ")]),
  ),
)("the right to %s: %s is explained", (resource, verbs) => {
  const row = cells.find((cell) => cell.endsWith(`: ${verbs}`) && cell.split(/[\s,:]+/).includes(resource));
  expect(row).toBeDefined();
});

test("every kind of object is in the table of what is installed", () => {
  const objects = (["policies", "webhook"] as const).flatMap((admission) =>
    installation({ ...DEFAULTS, admission, podMonitor: true }).flatMap((part) => part.objects),
  );
  const kinds = new Set(objects.map(({ object }) => object.kind).filter((kind) => !kind.endsWith("PolicyBinding")));
  const table = install.slice(install.indexOf("## What is installed"), install.indexOf("## `outgrow manifests`"));
  expect([...kinds].filter((kind) => !table.includes(kind))).toEqual([]);
});

test("what outgrow uninstall --check is shown to print is what it prints", () => {
  const set: StatefulSet = {
    metadata: { name: "cache", namespace: "prod", annotations: { [WISH_ANNOTATION]: "data=20Gi" } },
    spec: {
      selector: {},
      template: {},
      volumeClaimTemplates: [{ metadata: { name: "data" }, spec: { resources: { requests: { storage: "10Gi" } } } }],
    },
  };
  const record = {
    metadata: { name: "db", namespace: "prod" },
    spec: { statefulSetName: "db" },
    status: { savedStatefulSet: set, conditions: [{ type: "Ready", status: "True" }] },
  };
  const deployment = { metadata: { name: "outgrow-controller", namespace: DEFAULTS.namespace } };
  const commands = removalCommands({ deployment, definition: true, sources: [], wishes: 1, version: "v1.36.3" });
  const shown = /\$ outgrow uninstall --check\n([\s\S]*?)```/.exec(read("uninstall.md"))?.[1];
  expect(renderReport({ inFlight: inFlight([set], [record]), commands }, false)).toBe(shown);
});
