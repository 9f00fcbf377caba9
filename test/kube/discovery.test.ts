/** What the embedded server tells about its kinds is what kube-apiserver tells about them. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { resourceList } from "../../src/cluster/api/discovery/discovery.ts";
import { BUILT_IN } from "../../src/cluster/api/kinds/built-in.ts";
import { groupVersionOf } from "../../src/cluster/api/kinds/kind.ts";
import { type ControlPlane, startControlPlane } from "./control-plane.ts";

interface Resource {
  readonly name: string;
  readonly verbs: readonly string[];
}

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane({ controllers: [] });
});
afterAll(() => plane.stop());

/** Subresources that nothing here answers to. */
const LEFT_OUT = /^pods\/resize$/;

const versions = [...new Map(BUILT_IN.map((kind) => [groupVersionOf(kind), kind])).values()];

describe("discovery", () => {
  test.each(versions.map(({ group, version }) => ({ group, version })))(
    "$group/$version",
    async ({ group, version }) => {
      const path = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
      const ours = resourceList(BUILT_IN, group, version) as { resources: Resource[] };
      const theirs = await plane.api.get<{ resources: Resource[] }>(path);
      const mine = new Set(ours.resources.map(({ name }) => name.split("/")[0]));
      const relevant = theirs.resources.filter(({ name }) => mine.has(name.split("/")[0]) && !LEFT_OUT.test(name));
      const byName = (a: Resource, b: Resource): number => (a.name < b.name ? -1 : 1);
      expect([...ours.resources].sort(byName)).toEqual(relevant.sort(byName));
    },
  );
});
