import { describe, expect, test } from "vitest";
import type { StatefulSet } from "../../../../core/types.ts";
import { aSet, aTemplate } from "../testing/objects.ts";
import { goJson } from "./go-json.ts";
import { type ControllerRevision, newRevision, outdated, revisionStep, revisionsOf, templateOf } from "./revision.ts";

const withImage = (image: string): StatefulSet => aSet({ template: aTemplate(image) });
const revision = (image: string, number: number): ControllerRevision => newRevision(withImage(image), number, 0);
const names = (revisions: readonly ControllerRevision[]): string[] => revisions.map(({ metadata }) => metadata.name);

describe("the JSON of Go", () => {
  test("has its keys in order and escapes what HTML would stumble over", () => {
    expect(goJson({ b: ["<a> & b\u2028", 1.5, null, true], a: { z: "é 𝄞 \n", y: "" } })).toBe(
      '{"a":{"y":"","z":"é 𝄞 \\n"},"b":["\\u003ca\\u003e \\u0026 b\\u2028",1.5,null,true]}',
    );
  });
});

describe("a new revision", () => {
  test("is called after the set and the hash of its data, as kube-controller-manager calls it", () => {
    const { metadata, data } = newRevision(aSet(), 1, 0);
    expect(goJson(data)).toBe(
      '{"spec":{"template":{"$patch":"replace","metadata":{"labels":{"app":"db"}},"spec":{"containers":[{"image":"one","name":"main"}]}}}}',
    );
    // What Go's hash/fnv and SafeEncodeString make of it.
    expect(metadata.name).toBe("db-67b884bfcc");
    expect(metadata.labels).toEqual({ app: "db", "controller.kubernetes.io/hash": metadata.name.slice(3) });
  });

  test("has another name when that one is taken", () => {
    expect(newRevision(aSet(), 1, 1).metadata.name).not.toBe(newRevision(aSet(), 1, 0).metadata.name);
  });

  test("keeps the name of a long set within bounds", () => {
    const long = aSet({}, { metadata: { ...aSet().metadata, name: "x".repeat(253) } });
    expect(newRevision(long, 1, 0).metadata.name.length).toBeLessThanOrEqual(253);
  });

  test("carries the annotations of the set: the cause of a change", () => {
    const annotations = { "kubernetes.io/change-cause": "because" };
    expect(newRevision(aSet({}, { metadata: { ...aSet().metadata, annotations } }), 1, 0).metadata).toMatchObject({
      annotations,
    });
  });

  test("gives the template back", () => {
    expect(templateOf(newRevision(withImage("two"), 1, 0))).toEqual(aTemplate("two"));
  });
});

describe("the revision that a set is at", () => {
  test.each([
    { name: "the first is made", own: [], step: { kind: "create", number: 1 } },
    { name: "the latest is used", own: [revision("one", 4)], step: { kind: "use", revision: revision("one", 4) } },
    { name: "a change makes a new one", own: [revision("two", 4)], step: { kind: "create", number: 5 } },
    {
      name: "going back makes an old one the latest",
      own: [revision("one", 1), revision("two", 2)],
      step: { kind: "renumber", revision: revision("one", 1), to: 3 },
    },
    {
      name: "a null that an older server wrote is no change",
      own: [
        {
          ...revision("one", 1),
          data: { spec: { template: withNull(revision("one", 1).data.spec.template) } },
        },
      ],
      step: { kind: "use" },
    },
  ])("$name", ({ own, step }) => {
    expect(revisionStep(aSet(), own)).toMatchObject(step);
  });

  test("size is no part of a revision", () => {
    const bigger = aSet({
      volumeClaimTemplates: [{ metadata: { name: "data" }, spec: { resources: { requests: { storage: "9Gi" } } } }],
    });
    expect(revisionStep(bigger, [newRevision(aSet(), 1, 0)]).kind).toBe("use");
  });
});

describe("the revisions of a set", () => {
  test("are its own and those that nobody owns, in order", () => {
    const orphan = { ...revision("two", 1), metadata: { ...revision("two", 1).metadata, ownerReferences: [] } };
    const foreign = newRevision(aSet({}, { metadata: { ...aSet().metadata, uid: "other" } }), 9, 0);
    const { own, orphans } = revisionsOf(aSet(), [revision("one", 2), foreign, orphan]);
    expect(names(own)).toEqual(names([orphan, revision("one", 2)]));
    expect(orphans).toEqual([orphan]);
  });

  test("go when they are old, beyond the limit, and nobody is at them", () => {
    const own = ["a", "b", "c", "d"].map((image, index) => revision(image, index + 1));
    const live = new Set(names([revision("a", 1), revision("d", 4)]));
    const limited = (revisionHistoryLimit: number) => aSet({ revisionHistoryLimit });
    expect(names(outdated(limited(1), own, live))).toEqual(names([revision("b", 2)]));
    expect(names(outdated(limited(0), own, live))).toEqual(names([revision("b", 2), revision("c", 3)]));
    expect(outdated(limited(2), own, live)).toEqual([]);
  });
});

function withNull(template: StatefulSet["spec"]["template"]): StatefulSet["spec"]["template"] {
  return { ...template, metadata: { ...template.metadata, ...({ creationTimestamp: null } as object) } };
}
