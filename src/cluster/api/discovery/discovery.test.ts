import { describe, expect, test } from "vitest";
import { BUILT_IN } from "../kinds/built-in.ts";
import { type Kind, resourceName } from "../kinds/kind.ts";
import { aggregatedDiscovery, groupDocument, groupList, resourceList } from "./discovery.ts";

interface Resources {
  readonly resources: {
    readonly name: string;
    readonly kind: string;
    readonly shortNames?: string[];
    readonly group?: string;
  }[];
}

describe("what the server tells about itself", () => {
  test("both forms tell of the same resources", () => {
    const old = BUILT_IN.map(({ group, version }) => resourceList(BUILT_IN, group, version) as Resources);
    const inOld = new Set(old.flatMap(({ resources }) => resources.map(({ name }) => name)));
    const items = (["api", "apis"] as const).flatMap(
      (root) =>
        (
          aggregatedDiscovery(BUILT_IN, root) as {
            items: { versions: { resources: { resource: string; subresources?: { subresource: string }[] }[] }[] }[];
          }
        ).items,
    );
    const inNew = new Set(
      items.flatMap(({ versions }) =>
        versions.flatMap(({ resources }) =>
          resources.flatMap(({ resource, subresources = [] }) => [
            resource,
            ...subresources.map((each) => `${resource}/${each.subresource}`),
          ]),
        ),
      ),
    );
    expect(inNew).toEqual(inOld);
  });

  test("no two kinds share a path, a short name or a name for messages", () => {
    const paths = BUILT_IN.map(({ group, version, plural }) => `${group}/${version}/${plural}`);
    expect(new Set(paths).size).toBe(paths.length);
    // The same objects, told in other words, go by the same names.
    const own = BUILT_IN.filter(({ storedAs }) => storedAs === undefined);
    const shortNames = own.flatMap((kind) => kind.shortNames);
    expect(new Set(shortNames).size).toBe(shortNames.length);
    const names = own.map(resourceName);
    expect(new Set(names).size).toBe(names.length);
  });

  test("groups that somebody has defined come last, by name; in the old form by their versions first", () => {
    const kindIn = (apiVersion: string): readonly Kind[] =>
      BUILT_IN.filter(({ kind }) => kind === "Lease").map((row) => {
        const [group = "", version = ""] = apiVersion.split("/");
        return { ...row, group, version };
      });
    const defined = ["b.example.com/v1", "c.example.com/v1alpha1", "a.example.com/v2", "a.example.com/v1beta1"];
    const kinds = [
      ...defined.flatMap(kindIn),
      ...BUILT_IN.filter(({ group }) => ["batch", "apps", ""].includes(group)),
    ];
    const { groups } = groupList(kinds) as { groups: { name: string }[] };
    expect(groups.map(({ name }) => name)).toEqual([
      "apps",
      "batch",
      "b.example.com",
      "c.example.com",
      "a.example.com",
    ]);
    const { items } = aggregatedDiscovery(kinds, "apis") as { items: { metadata: { name: string } }[] };
    expect(items.map(({ metadata }) => metadata.name)).toEqual([
      "apps",
      "batch",
      "a.example.com",
      "b.example.com",
      "c.example.com",
    ]);
  });

  test("a scale is spoken in its own group", () => {
    const { resources } = resourceList(BUILT_IN, "apps", "v1") as Resources;
    expect(resources.find(({ name }) => name === "statefulsets/scale")).toMatchObject({
      group: "autoscaling",
      kind: "Scale",
    });
  });

  test("what is not there is not told of", () => {
    expect(resourceList(BUILT_IN, "apps", "v1beta1")).toBeUndefined();
    expect(groupDocument(BUILT_IN, "nope")).toBeUndefined();
    expect(groupDocument(BUILT_IN, "")).toBeUndefined();
    expect(groupList([])).toMatchObject({ groups: [] });
  });
});
