import { expect, test } from "vitest";
import type { PersistentVolumeClaim, StatefulSet } from "../../core/types.ts";
import { targetsOf } from "../../source/decide/targets.ts";
import type { ExpansionSourceSpec } from "../../source/types.ts";
import { wishesOf } from "./wishes.ts";

const resource = { group: "example.com", version: "v1", kind: "Store", plural: "stores" };
const store = (spec: object) => ({ metadata: { name: "s", namespace: "prod" }, spec });
const set = (name: string, storage: string): StatefulSet => ({
  metadata: { name, namespace: "prod", labels: { store: "s" } },
  spec: {
    selector: {},
    template: {},
    volumeClaimTemplates: [{ metadata: { name: "data" }, spec: { resources: { requests: { storage } } } }],
  },
});

function wishes(
  spec: Omit<ExpansionSourceSpec, "resource">,
  sets: StatefulSet[],
  claims: PersistentVolumeClaim[] = [],
) {
  const found = wishesOf(targetsOf({ resource, ...spec }, store({ size: "5Gi" })), sets, claims);
  return {
    sets: [...found.sets].map(([name, wish]) => [name, ...[...wish].map(([each, size]) => `${each}=${size}`)]),
    claims: [...found.claims].map(([name, size]) => `${name}=${size}`),
  };
}

const claims = [{ template: "data", path: ".spec.size" }];

test("every set that follows is wished the size, but one that is ahead of it", () => {
  const spec = { claims, statefulSetSelector: { matchLabels: { store: "{name}" } } };
  const other = { ...set("other", "1Gi"), metadata: { name: "other", namespace: "prod" } };
  expect(wishes(spec, [set("a", "1Gi"), set("b", "5Gi"), set("c", "9Gi"), other])).toEqual({
    sets: [["a", "data=5Gi"], ["b", "data=5Gi"], ["c"]],
    claims: [],
  });
});

test("without a set the claims themselves are, by label", () => {
  const claim = (name: string, labels: Record<string, string>) => ({ metadata: { name, labels }, spec: {} });
  const spec = { claims, claimSelector: { matchLabels: { store: "{name}" } } };
  expect(wishes(spec, [set("a", "1Gi")], [claim("x", { store: "s" }), claim("y", { store: "t" })])).toEqual({
    sets: [],
    claims: ["x=5Gi"],
  });
});
