/**
 * How a size gets in, told once for every kind of server: one with our policies, one with our webhook, and one that takes
 * edits of templates itself. What differs is where the size stands afterwards: in a wish, or in the template.
 */
import { describe, expect, test } from "vitest";
import type { StatefulSet } from "../../../src/core/types.ts";
import type { Ended } from "../clients/run.ts";
import { aSet, aTemplate, NAME, type Traits, wanted } from "./set.ts";
import type { Hand, Stage } from "./stage.ts";

/** Kubernetes' own answer to an edit of templates; which fields it lists depends on the release. */
export const FIXED = /updates to statefulset spec for fields other than 'replicas', .* are forbidden/;

/** One move: what somebody types, with the set as it should be. */
type Move = (hand: Hand, traits: Traits) => Promise<Ended>;

const apply: Move = (hand, traits) => hand.kubectl("apply -f -", aSet(traits));
const applyServerSide: Move = (hand, traits) => hand.kubectl("apply --server-side -f -", aSet(traits));
const replace: Move = (hand, traits) => hand.kubectl("replace -f -", aSet(traits));
const edit: Move = (hand, { data }) =>
  hand.kubectl(`edit sts/${NAME}`, undefined, { KUBE_EDITOR: `sed -i s/10Gi/${data}/` });
const jsonPatch: Move = (hand, { data }) => {
  const path = "/spec/volumeClaimTemplates/0/spec/resources/requests/storage";
  return hand.kubectl(`patch sts/${NAME} --type json -p '${JSON.stringify([{ op: "replace", path, value: data }])}'`);
};
const mergePatch: Move = (hand, traits) => {
  const { volumeClaimTemplates } = aSet(traits).spec;
  return hand.kubectl(`patch sts/${NAME} --type merge -p '${JSON.stringify({ spec: { volumeClaimTemplates } })}'`);
};

const CLIENTS: readonly (readonly [string, Move])[] = [
  ["kubectl apply", apply],
  ["kubectl apply --server-side", applyServerSide],
  ["kubectl edit", edit],
  ["kubectl replace", replace],
  ["kubectl patch --type json", jsonPatch],
  ["kubectl patch --type merge", mergePatch],
];

/** The set before the story, as the client itself would have made it. */
async function begin(hand: Hand, move: Move): Promise<StatefulSet> {
  if (move === apply || move === applyServerSide) {
    expect(await move(hand, {})).toMatchObject({ code: 0 });
    return hand.read();
  }
  return hand.create();
}

/** It was taken, and this is wanted now; `stored` is the set before. On a server that does not take edits the templates stay. */
async function isWanted(hand: Hand, stored: StatefulSet, sizes: object, takesEdits: boolean): Promise<StatefulSet> {
  const set = await hand.read();
  expect(wanted(set)).toEqual(sizes);
  if (!takesEdits) expect(set.spec.volumeClaimTemplates).toEqual(stored.spec.volumeClaimTemplates);
  return set;
}

/** A set without what Kubernetes notes about writers: entries of managed fields change places by the second. */
function told({ metadata, ...rest }: StatefulSet): object {
  const {
    resourceVersion: _,
    managedFields: __,
    ...kept
  } = metadata as StatefulSet["metadata"] & Record<string, unknown>;
  return { ...rest, metadata: kept };
}

/** Stories that end alike on every server. */
export function tellStories(stage: () => Stage, takesEdits: boolean): void {
  describe.concurrent("a bigger size gets in", () => {
    test.each(CLIENTS)("by %s, and the same again changes nothing", async (_, move) => {
      const hand = await stage().hand();
      const stored = await begin(hand, move);
      expect(await move(hand, { data: "20Gi" })).toMatchObject({ code: 0 });
      const once = await isWanted(hand, stored, { data: "20Gi", wal: "1Gi" }, takesEdits);
      // An edit that changes nothing is not even sent.
      if (move === edit && takesEdits) return;
      expect(await move(hand, { data: "20Gi" })).toMatchObject({ code: 0 });
      expect(told(await hand.read())).toEqual(told(once));
    });

    test("by helm upgrade, together with a new image", async () => {
      const hand = await stage().hand();
      expect(await hand.helm("install db CHART")).toMatchObject({ code: 0 });
      const stored = await hand.read();
      const { code, stderr } = await hand.helm("upgrade db CHART --set size=20Gi,image=db:2");
      expect(code, stderr).toBe(0);
      const set = await isWanted(hand, stored, { data: "20Gi", wal: "1Gi" }, takesEdits);
      expect(set.spec.template.spec?.containers).toMatchObject([{ image: "db:2" }]);
    });

    test("together with a new image and more replicas, which are counted as a new generation", async () => {
      const hand = await stage().hand();
      const stored = await begin(hand, apply);
      await hand.does("apply -f -", aSet({ data: "20Gi", image: "db:2", replicas: 5 }));
      const { metadata, spec } = await isWanted(hand, stored, { data: "20Gi", wal: "1Gi" }, takesEdits);
      expect(spec).toMatchObject({ replicas: 5, template: { spec: { containers: [{ image: "db:2" }] } } });
      expect(metadata.generation).toBe(2);
    });

    test("for two templates at once", async () => {
      const hand = await stage().hand();
      const stored = await begin(hand, apply);
      await hand.does("apply -f -", aSet({ data: "20Gi", wal: "2Gi" }));
      await isWanted(hand, stored, { data: "20Gi", wal: "2Gi" }, takesEdits);
    });

    test("for one template after the other", async () => {
      const hand = await stage().hand();
      const stored = await begin(hand, apply);
      await hand.does("apply -f -", aSet({ data: "20Gi" }));
      await hand.does("apply -f -", aSet({ data: "20Gi", wal: "2Gi" }));
      await isWanted(hand, stored, { data: "20Gi", wal: "2Gi" }, takesEdits);
    });

    test("for a template that names no class: the default one allows it", async () => {
      const hand = await stage().hand();
      const stored = await hand.create({ className: null });
      expect(await replace(hand, { data: "20Gi", className: null })).toMatchObject({ code: 0 });
      await isWanted(hand, stored, { data: "20Gi", wal: "1Gi" }, takesEdits);
    });
  });

  describe.concurrent("a size goes down again", () => {
    test("in the manifest, to recover: what was asked for is replaced", async () => {
      const hand = await stage().hand();
      const stored = await begin(hand, apply);
      await hand.does("apply -f -", aSet({ data: "20Gi" }));
      await hand.does("apply -f -", aSet({ data: "15Gi" }));
      await isWanted(hand, stored, { data: "15Gi", wal: "1Gi" }, takesEdits);
    });

    test("in another notation it is no change at all", async () => {
      const hand = await stage().hand();
      const { metadata } = await begin(hand, apply);
      await hand.does("apply -f -", aSet({ data: "10240Mi" }));
      const set = await hand.read();
      expect(wanted(set)).toEqual({ data: "10Gi", wal: "1Gi" });
      expect(set.metadata.generation).toBe(metadata.generation);
    });
  });

  describe.concurrent("a dry run tells the truth and stores nothing", () => {
    test.each([
      ["apply --dry-run=server", "apply --dry-run=server -o json -f -"],
      ["apply --server-side --dry-run=server", "apply --server-side --force-conflicts --dry-run=server -o json -f -"],
    ])("%s", async (_, line) => {
      const hand = await stage().hand();
      const stored = await begin(hand, apply);
      const shown = JSON.parse(await hand.does(line, aSet({ data: "20Gi" }))) as StatefulSet;
      expect(wanted(shown)).toEqual({ data: "20Gi", wal: "1Gi" });
      expect((await hand.read()).metadata.resourceVersion).toBe(stored.metadata.resourceVersion);
    });

    test("diff shows what would be stored, and nothing once it is", async () => {
      const hand = await stage().hand();
      await begin(hand, applyServerSide);
      const diff = () => hand.kubectl("diff --server-side -f -", aSet({ data: "20Gi" }));
      const first = await diff();
      const shown = first.stdout.split("\n").filter((line) => /^[+-] /.test(line) && !/generation|time:/.test(line));
      expect(shown.map((line) => line.replace(/^([+-]) +/, "$1 "))).toEqual(
        takesEdits
          ? ["- storage: 10Gi", "+ storage: 20Gi"]
          : expect.arrayContaining(["+ outgrow.dev/claims: data=20Gi"]),
      );
      expect(first.stdout.includes("storage: 20Gi")).toBe(takesEdits);
      await applyServerSide(hand, { data: "20Gi" });
      expect(await diff()).toMatchObject({ code: 0, stdout: "" });
    });
  });

  describe.concurrent("more than a size is refused in Kubernetes' own words", () => {
    test.each<[string, Traits]>([
      ["another class", { data: "20Gi", className: "rigid" }],
      ["a template less", { templates: [aTemplate("data", "20Gi")] }],
      ["another name", { templates: [aTemplate("data", "20Gi"), aTemplate("redo", "1Gi")] }],
      ["another order", { templates: [aTemplate("wal", "1Gi"), aTemplate("data", "20Gi")] }],
      [
        "a label",
        {
          templates: [
            { ...aTemplate("data", "20Gi"), metadata: { name: "data", labels: { a: "b" } } },
            aTemplate("wal", "1Gi"),
          ],
        },
      ],
    ])("%s", async (_, traits) => {
      const hand = await stage().hand();
      const stored = await hand.create({ wish: "" });
      const { code, stderr } = await replace(hand, { ...traits, wish: "" });
      expect(code).not.toBe(0);
      expect(stderr).toMatch(FIXED);
      expect((await hand.read()).metadata.resourceVersion).toBe(stored.metadata.resourceVersion);
    });
  });

  test.concurrent("a class that does not allow expansion is refused at once, by its name", async () => {
    const hand = await stage().hand();
    await hand.create({ className: "rigid" });
    const { code, stderr } = await replace(hand, { data: "20Gi", className: "rigid" });
    expect(code).not.toBe(0);
    expect(stderr).toContain(
      'spec.volumeClaimTemplates[0].spec.resources.requests.storage: Forbidden: storage class "rigid" of template "data" does not allow expansion; set allowVolumeExpansion: true on it',
    );
    expect(wanted(await hand.read())).toEqual({ data: "10Gi", wal: "1Gi" });
  });
}
