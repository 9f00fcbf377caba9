import { describe, expect, test } from "vitest";
import { WISH_ANNOTATION } from "../core/names.ts";
import type { ClaimTemplate, StatefulSet } from "../core/types.ts";
import { fieldErrorText } from "./verdict.ts";
import { captureWish, wishTextOf } from "./wish-capture.ts";

function template(name: string, storage: string, spec: ClaimTemplate["spec"] = {}): ClaimTemplate {
  return {
    metadata: { name },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } }, ...spec },
  };
}

/** `data` and `wal` of these sizes, with this annotation. */
function aSet(data: string, wal: string, wish?: string, spec: Partial<StatefulSet["spec"]> = {}): StatefulSet {
  return {
    metadata: { name: "db", ...(wish !== undefined && { annotations: { [WISH_ANNOTATION]: wish } }) },
    spec: {
      selector: {},
      template: {},
      volumeClaimTemplates: [template("data", data), template("wal", wal)],
      ...spec,
    },
  };
}

const stored = aSet("10Gi", "1Gi");
const wished = aSet("10Gi", "1Gi", "data=20Gi");

function wishAfter(before: StatefulSet, sent: StatefulSet): string | undefined {
  const capture = captureWish(before, sent);
  if (capture.kind !== "wish") return capture.kind;
  expect(capture.set.spec.volumeClaimTemplates).toEqual(before.spec.volumeClaimTemplates);
  return wishTextOf(capture.set);
}

describe("a size that differs from the stored template becomes a wish", () => {
  test.each<[string, StatefulSet, StatefulSet, string | undefined]>([
    ["one template", stored, aSet("20Gi", "1Gi"), "data=20Gi"],
    ["two at once", stored, aSet("20Gi", "2Gi"), "data=20Gi,wal=2Gi"],
    ["another one joins those that stand", wished, aSet("20Gi", "2Gi", "data=20Gi"), "data=20Gi,wal=2Gi"],
    ["a larger one replaces it", wished, aSet("30Gi", "1Gi", "data=20Gi"), "data=30Gi"],
    ["a smaller one replaces it: the way back from a growth", wished, aSet("15Gi", "1Gi", "data=20Gi"), "data=15Gi"],
    ["below the template too, while a wish stands", wished, aSet("5Gi", "1Gi", "data=20Gi"), "data=5Gi"],
    [
      "the stored size says nothing about a wish that stands",
      wished,
      aSet("10Gi", "2Gi", "data=20Gi"),
      "data=20Gi,wal=2Gi",
    ],
    ["replacing the whole object drops what it does not name", wished, aSet("10Gi", "2Gi"), "wal=2Gi"],
    ["replacing the whole object keeps what it names by size", wished, aSet("20Gi", "1Gi"), "data=20Gi"],
    [
      "an unreadable annotation that was stored is healed",
      aSet("10Gi", "1Gi", "data"),
      aSet("20Gi", "1Gi", "data"),
      "data=20Gi",
    ],
    [
      "an unreadable one that comes with the request is left to be refused",
      stored,
      aSet("20Gi", "1Gi", "data"),
      "data",
    ],
    ["an annotation beside the template: the template counts", stored, aSet("20Gi", "1Gi", "data=15Gi"), "data=20Gi"],
  ])("%s", (_, before, sent, expected) => {
    expect(wishAfter(before, sent)).toBe(expected);
  });

  test("everything else in the request stays", () => {
    const sent = aSet("20Gi", "1Gi", undefined, { replicas: 5, template: { metadata: { labels: { version: "2" } } } });
    const capture = captureWish(stored, sent);
    expect(capture).toMatchObject({ kind: "wish", set: { spec: { replicas: 5, template: sent.spec.template } } });
  });
});

describe("sent again, a manifest changes nothing", () => {
  test.each<[string, string]>([
    ["as it was written", "data=20Gi"],
    ["in another notation", "data=20480Mi"],
    ["with blanks", " data = 20Gi "],
  ])("%s", (_, text) => {
    const capture = captureWish(aSet("10Gi", "1Gi", text), aSet("20Gi", "1Gi", text));
    expect(capture).toMatchObject({ kind: "wish", news: [] });
    expect(capture.kind === "wish" && wishTextOf(capture.set)).toBe(text);
  });

  test("and asked twice in one request, nothing is left to do", () => {
    const once = captureWish(stored, aSet("20Gi", "1Gi"));
    expect(once.kind === "wish" && captureWish(stored, once.set).kind).toBe("none");
  });
});

describe("what is not ours gets Kubernetes' own answer", () => {
  test.each<[string, StatefulSet]>([
    ["the templates as they are", aSet("10Gi", "1Gi")],
    ["the same size in another notation", aSet("10240Mi", "1Gi")],
    ["a template less", aSet("20Gi", "1Gi", undefined, { volumeClaimTemplates: [template("data", "20Gi")] })],
    [
      "another name",
      aSet("20Gi", "1Gi", undefined, { volumeClaimTemplates: [template("data", "20Gi"), template("redo", "1Gi")] }),
    ],
    [
      "another class",
      aSet("20Gi", "1Gi", undefined, {
        volumeClaimTemplates: [template("data", "20Gi", { storageClassName: "other" }), template("wal", "1Gi")],
      }),
    ],
  ])("%s", (_, sent) => {
    expect(captureWish(stored, sent)).toEqual({ kind: "none" });
  });
});

test("a set that another controller owns is left to it", () => {
  const owner = { apiVersion: "example.com/v1", kind: "Database", name: "db", uid: "u", controller: true };
  const owned = { ...stored, metadata: { ...stored.metadata, ownerReferences: [owner] } };
  expect(captureWish(owned, aSet("20Gi", "1Gi"))).toEqual({ kind: "none" });
  const merelyNoted = {
    ...stored,
    metadata: { ...stored.metadata, ownerReferences: [{ ...owner, controller: false }] },
  };
  expect(captureWish(merelyNoted, aSet("20Gi", "1Gi")).kind).toBe("wish");
});

test("smaller than the template, with no wish for it: refused, naming the field, the sizes and the way out", () => {
  const capture = captureWish(aSet("10Gi", "1Gi", "wal=2Gi"), aSet("5Gi", "1Gi", "wal=2Gi"));
  expect(capture.kind === "refused" && capture.errors.map(fieldErrorText)).toEqual([
    'spec.volumeClaimTemplates[0].spec.resources.requests.storage: Forbidden: template "data" has 10Gi, and volumes do not shrink to 5Gi; ' +
      "put 10Gi back, or, where an expansion to 10Gi failed, see: outgrow recover sts/db",
  ]);
});
