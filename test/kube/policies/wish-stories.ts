/** Stories of servers that do not take edits of templates: what a wish is, how it is withdrawn, and what is no wish. */
import { describe, expect, test } from "vitest";
import { FIELD_MANAGER, RECREATE_MANAGER, WISH_ANNOTATION } from "../../../src/core/names.ts";
import { waitFor } from "../wait.ts";
import { aSet, CLASSES, NAME, wanted } from "./set.ts";
import type { Stage } from "./stage.ts";
import { FIXED } from "./stories.ts";

const annotate = (text: string) => `annotate sts/${NAME} --overwrite '${WISH_ANNOTATION}=${text}'`;

export function tellWishStories(stage: () => Stage): void {
  describe.concurrent("a size below the template", () => {
    test("is refused when no wish for it stands, with the sizes and the way out", async () => {
      const hand = await stage().hand();
      const stored = await hand.create();
      const { code, stderr } = await hand.kubectl("replace -f -", aSet({ data: "5Gi", wal: "2Gi", replicas: 3 }));
      expect(code).toBe(1);
      expect(stderr).toContain(
        'spec.volumeClaimTemplates[0].spec.resources.requests.storage: Forbidden: template "data" has 10Gi, and volumes do not shrink to 5Gi; ' +
          "put 10Gi back, or, where an expansion to 10Gi failed, see: outgrow recover sts/db",
      );
      expect(await hand.read()).toEqual(stored);
    });

    test("is taken while a wish for it stands, and again when it is sent again", async () => {
      const hand = await stage().hand();
      await hand.create({ wish: "data=20Gi" });
      for (let round = 0; round < 2; round++) {
        await hand.does("replace -f -", aSet({ data: "8Gi", wish: "data=20Gi" }));
        expect(wanted(await hand.read())).toEqual({ data: "8Gi", wal: "1Gi" });
      }
    });

    test("may be asked for by the annotation: the controller knows what each claim has", async () => {
      const hand = await stage().hand();
      await hand.create();
      await hand.does(annotate("data=8Gi"));
      expect(wanted(await hand.read())).toEqual({ data: "8Gi", wal: "1Gi" });
    });
  });

  describe.concurrent("a wish", () => {
    test("is withdrawn by removing the annotation; the size of the template says nothing", async () => {
      const hand = await stage().hand();
      await hand.does("apply -f -", aSet());
      await hand.does("apply -f -", aSet({ data: "20Gi" }));
      await hand.does("apply -f -", aSet({ image: "db:2" }));
      expect(wanted(await hand.read())).toEqual({ data: "20Gi", wal: "1Gi" });
      await hand.does(`annotate sts/${NAME} ${WISH_ANNOTATION}-`);
      expect(wanted(await hand.read())).toEqual({ data: "10Gi", wal: "1Gi" });
    });

    test("does not count as a new generation", async () => {
      const hand = await stage().hand();
      await hand.does("apply -f -", aSet());
      await hand.does("apply -f -", aSet({ data: "20Gi" }));
      expect((await hand.read()).metadata.generation).toBe(1);
    });

    test("that somebody wrote in his own way is left as it is when it says the same", async () => {
      const hand = await stage().hand();
      await hand.does("apply -f -", aSet());
      await hand.does(annotate(" data = 20480Mi "));
      await hand.does("apply -f -", aSet({ data: "20Gi" }));
      expect((await hand.read()).metadata.annotations?.[WISH_ANNOTATION]).toBe(" data = 20480Mi ");
    });

    test("of a template that wants no class is refused", async () => {
      const hand = await stage().hand();
      await hand.create({ className: "" });
      const { stderr } = await hand.kubectl("replace -f -", aSet({ data: "20Gi", className: "" }));
      expect(stderr).toContain('template "data" asks for volumes without a storage class');
    });

    test.each([
      ["data", '"data" is not a template and its size; write TEMPLATE=SIZE'],
      ["data=20GB", '"data=20GB": "20GB" is not a size; write TEMPLATE=SIZE'],
      ["data=0", '"data=0": a size must be more than zero; write TEMPLATE=SIZE'],
      ["data=20Gi,data=30Gi", 'template "data" is named twice; write TEMPLATE=SIZE'],
      ["dta=20Gi", 'has no claim template "dta"; it has data, wal'],
    ])("of %s is refused", async (text, why) => {
      const hand = await stage().hand();
      const stored = await hand.create({ wish: "data=20Gi" });
      const { code, stderr } = await hand.kubectl(annotate(text));
      expect(code).toBe(1);
      expect(stderr).toContain(`metadata.annotations[${WISH_ANNOTATION}]: Invalid value: "${text}": `);
      expect(stderr).toContain(why);
      expect(await hand.read()).toEqual(stored);
    });

    test("that is bad and stored is in nobody's way, and a size in the manifest mends it", async () => {
      const hand = await stage().hand();
      await hand.create({ wish: "data" });
      await hand.does(`scale sts/${NAME} --replicas 5`);
      await hand.does(`set image sts/${NAME} main=db:2`);
      const { metadata, spec } = await hand.read();
      expect(metadata.annotations?.[WISH_ANNOTATION]).toBe("data");
      expect(spec).toMatchObject({ replicas: 5, template: { spec: { containers: [{ image: "db:2" }] } } });
      await hand.does("replace -f -", aSet({ data: "20Gi", wish: "data" }));
      expect(wanted(await hand.read())).toEqual({ data: "20Gi", wal: "1Gi" });
    });
  });

  test.concurrent("a set that an operator owns is left to the operator, who meets Kubernetes' own answer", async () => {
    const hand = await stage().hand();
    const { metadata } = await hand.create({ owner: "operator" });
    const { stderr } = await hand.kubectl("replace -f -", aSet({ data: "20Gi", owner: "operator" }));
    expect(stderr).toMatch(FIXED);
    expect((await hand.read()).metadata.resourceVersion).toBe(metadata.resourceVersion);
  });

  test.concurrent.each([FIELD_MANAGER, RECREATE_MANAGER])(
    "an edit of the controller itself (%s) meets Kubernetes' own answer",
    async (manager) => {
      const hand = await stage().hand();
      const stored = await hand.create();
      const { stderr } = await hand.kubectl(`replace --field-manager ${manager} -f -`, aSet({ data: "20Gi" }));
      expect(stderr).toMatch(FIXED);
      expect(await hand.read()).toEqual(stored);
    },
  );

  // Alone, and last: the default class is everybody's.
  test("a template that names no class cannot grow when the default class does not allow it", async () => {
    const hand = await stage().hand();
    await hand.create({ className: null });
    const classes = "/apis/storage.k8s.io/v1/storageclasses";
    const [fast, rigid] = CLASSES.map(({ metadata }) => `${classes}/${metadata.name}`) as [string, string];
    const beDefault = (is: boolean) => ({
      metadata: { annotations: { "storageclass.kubernetes.io/is-default-class": String(is) } },
    });
    await stage().server.api.patch(fast, beDefault(false));
    await stage().server.api.patch(rigid, beDefault(true));
    // The server, or the webhook, learns of classes by watching.
    const { stderr } = await waitFor("the size to be refused", async () => {
      const ended = await hand.kubectl("replace --dry-run=server -f -", aSet({ data: "20Gi", className: null }));
      return ended.code === 0 ? undefined : ended;
    });
    expect(stderr).toContain('storage class "rigid" of template "data" does not allow expansion');
  });
}
