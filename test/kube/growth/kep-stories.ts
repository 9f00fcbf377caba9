/** What KEP-661 promises to people, on a cluster whose API server takes no edit of a template. */
import { expect } from "vitest";
import { Quantity } from "../../../src/core/quantity.ts";
import { claimsHave, hasSizes, isAt, requestOf } from "./intact.ts";
import { isReady, type Look, SET } from "./look.ts";
import { aSet } from "./objects.ts";
import type { Scene } from "./scene.ts";
import { growsIntact, type Story } from "./story.ts";

const sizeOf = ({ claims }: Look, name: string): string => {
  const claim = claims.find(({ metadata }) => metadata.name === name);
  return claim === undefined ? "not there" : requestOf(claim).toString();
};

const request = (scene: Scene, claim: string, storage: string): Promise<unknown> =>
  scene.plane.api.patch(scene.path("persistentvolumeclaims", claim), {
    spec: { resources: { requests: { storage } } },
  });

export const KEP_STORIES: readonly Story[] = [
  {
    name: "a bigger size is asked of every claim, and the template follows, without a restart or a new revision",
    async play(scene) {
      const before = await scene.create({ replicas: 3, sizes: { data: "1Gi", wal: "512Mi" } });
      await scene.wish("data=2Gi,wal=1Gi");
      const { record, set } = await growsIntact(scene, before, { data: "2Gi", wal: "1Gi" });
      expect(set?.metadata.uid === before.set?.metadata.uid).toBe(scene.takesEdits);
      expect(set?.status?.updateRevision).toBe(before.set?.status?.updateRevision);
      expect(record?.status?.claims?.map(({ name, from, to, state }) => [name, from, to, state])).toEqual(
        [0, 1, 2].flatMap((ordinal) => [
          [`data-${SET}-${ordinal}`, "1Gi", "2Gi", "Done"],
          [`wal-${SET}-${ordinal}`, "512Mi", "1Gi", "Done"],
        ]),
      );
    },
  },
  {
    name: "when the set scales up, the new claims come with the new size",
    async play(scene) {
      const before = await scene.create();
      await scene.wish("data=2Gi");
      await growsIntact(scene, before, { data: "2Gi" });
      await scene.change({ spec: { replicas: 3 } });
      const after = await scene.until("a third pod", isReady);
      expect(after.claims.map((claim) => requestOf(claim).toString())).toEqual(["2Gi", "2Gi", "2Gi"]);
    },
  },
  {
    name: "scaled up while it grows, the new claims are brought along",
    async play(scene) {
      const before = await scene.create();
      await scene.wish("data=2Gi");
      await scene.change({ spec: { replicas: 4 } });
      const after = await scene.untilGrown({ data: "2Gi" });
      expect(after.pods).toHaveLength(4);
      expect(after.pods.map(({ metadata }) => metadata.uid)).toEqual(
        expect.arrayContaining(before.pods.map(({ metadata }) => metadata.uid)),
      );
    },
  },
  {
    name: "a class that does not allow expansion is refused by name, and nothing is touched",
    async play(scene) {
      const before = await scene.create({ className: "rigid" });
      await scene.annotate("data=2Gi");
      const after = await scene.untilSaid('storage class "rigid" does not allow expansion');
      if (scene.takesEdits) await expect(scene.wish("data=2Gi")).rejects.toThrow('storage class "rigid"');
      expect(after.record?.status?.phase).toBe("Stopped");
      expect(after.set?.metadata.uid).toBe(before.set?.metadata.uid);
      expect(claimsHave(after, { data: "1Gi" })).toBe(true);
    },
  },
  {
    name: "a lower size recovers from a failed expansion",
    async play(scene) {
      const before = await scene.create({ className: "five-at-most" });
      await scene.wish("data=10Gi");
      await scene.untilSaid("the storage refused 10Gi");
      await scene.wish("data=3Gi");
      await growsIntact(scene, before, { data: "3Gi" });
    },
  },
  {
    name: "no attempt is made to shrink a volume",
    async play(scene) {
      const before = await scene.create({ sizes: { data: "2Gi", wal: "1Gi" } });
      await scene.annotate("data=1Gi,wal=1Gi");
      const after = await scene.until("the record to say so", ({ record }) => record?.status?.phase !== undefined);
      expect(claimsHave(after, { data: "2Gi", wal: "1Gi" })).toBe(true);
      await scene.annotate("wal=2Gi");
      await growsIntact(scene, before, { data: "2Gi", wal: "2Gi" });
    },
  },
  {
    name: "a claim that is larger already is left alone, and the others grow to what is wanted",
    async play(scene) {
      const before = await scene.create();
      await request(scene, `data-${SET}-0`, "5Gi");
      await scene.wish("data=2Gi");
      const after = await scene.until("to be done", (look) => look.record?.status?.phase === "Done");
      expect(after.set && hasSizes(after.set, { data: "2Gi" })).toBe(true);
      expect([sizeOf(after, `data-${SET}-0`), sizeOf(after, `data-${SET}-1`)]).toEqual(["5Gi", "2Gi"]);
      expect(after.pods.map(({ metadata }) => metadata.uid)).toEqual(before.pods.map(({ metadata }) => metadata.uid));
    },
  },
  {
    name: "resizing a claim directly does not affect the template, nor the other claims",
    async play(scene) {
      await scene.create({ sizes: { data: "1Gi", wal: "1Gi" } });
      await request(scene, `data-${SET}-0`, "3Gi");
      await scene.until("the claim to grow", ({ claims }) =>
        claims.some((claim) => isAt(claim, Quantity.parse("3Gi"))),
      );
      await scene.wish("wal=2Gi");
      const after = await scene.until("to be done", ({ record }) => record?.status?.phase === "Done");
      expect(after.set && hasSizes(after.set, { data: "1Gi", wal: "2Gi" })).toBe(true);
      expect([sizeOf(after, `data-${SET}-0`), sizeOf(after, `data-${SET}-1`)]).toEqual(["3Gi", "1Gi"]);
    },
  },
  {
    name: "going back to an older revision changes no size",
    async play(scene) {
      const before = await scene.create();
      await scene.wish("data=2Gi");
      await growsIntact(scene, before, { data: "2Gi" });
      const image = ({ set }: Look): unknown =>
        (set?.spec.template.spec?.containers as { image: string }[] | undefined)?.[0]?.image;
      const kubectl = (...words: string[]) => scene.plane.kubectl(["-n", scene.namespace, ...words]);
      await kubectl("set", "image", `sts/${SET}`, "main=database:2");
      await scene.until("the new image", (look) => image(look) === "database:2" && isReady(look));
      await kubectl("rollout", "undo", `sts/${SET}`);
      const after = await scene.until("the old image", (look) => image(look) === "database:1" && isReady(look));
      expect(after.set && hasSizes(after.set, { data: "2Gi" })).toBe(true);
      expect(claimsHave(after, { data: "2Gi" })).toBe(true);
    },
  },
  {
    name: "what the storage refuses is told at the claim, what stands against the growth at the set",
    async play(scene) {
      await scene.create({ className: "five-at-most" });
      await scene.wish("data=10Gi");
      await scene.untilSaid("the storage refused 10Gi");
      await scene.until("the claims", ({ record }) => record?.status?.phase === "Stopped");
      await scene.untilTold(`PersistentVolumeClaim data-${SET}-0 VolumeResizeFailed`);
      await scene.untilTold(`StatefulSet ${SET} `, "refused 10Gi");
    },
  },
  {
    name: "a second apply of the same manifest changes nothing, and server-side apply meets no conflict",
    async play(scene) {
      const kubectl = (object: object, ...words: string[]) =>
        scene.plane.kubectl(["-n", scene.namespace, "apply", ...words, "-f", "-"], { input: JSON.stringify(object) });
      const manifest = aSet(SET, {
        metadata: { labels: { team: "storage" }, annotations: { "example.com/note": "kept" } },
      });
      await kubectl(manifest, "--server-side", "--field-manager=flux");
      const before = await scene.until("its pods to be ready", isReady);
      await scene.annotate("data=2Gi");
      const { set } = await growsIntact(scene, before, { data: "2Gi" });
      const grown = aSet(SET, { sizes: { data: "2Gi" }, metadata: manifest.metadata, spec: { replicas: 3 } });
      expect(await kubectl(grown, "--server-side", "--field-manager=flux")).toContain("serverside-applied");
      const after = await scene.until("a third pod", isReady);
      expect(after.set?.metadata.uid).toBe(set?.metadata.uid);
      expect(after.claims).toHaveLength(3);
    },
  },
];
