/** The verbs on custom resources, in a cluster in which nobody works. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CLAIMS, PODS, STATEFUL_SETS } from "../../kube/index.ts";
import { VOLUME_EXPANSIONS } from "../../statefulset/resource.ts";
import { NAMESPACE as namespace, SHOPS, type Shops, startShops, template } from "./testing/shops.ts";

let shops: Shops;
/** The resource of a test; its set is called own-NAME. */
let shop: string;

beforeAll(async () => {
  shops = await startShops();
});
afterAll(() => shops?.stop());

describe("the kind, as kubectl takes it", () => {
  beforeEach(async () => {
    shop = await shops.given();
  });
  test.each(["shopdatabase", "ShopDatabase", "shopdatabases", "shopdatabase.databases.example.com", "shop"])(
    "%s",
    async (word) => {
      expect(await shops.run("plan", `${word}/${shop}`)).toMatchObject({
        code: 0,
        out: expect.stringContaining(`ShopDatabase default/${shop}: data stays at 1Gi`),
      });
    },
  );

  test.each([
    [["plan", "unheard/x"], 'the cluster has no kind called "unheard"'],
    [["plan", "cache/x", "1Gi"], "no ExpansionSource knows Cache; outgrow sources list shows the kinds"],
    [["resize", "configmap/x", "1Gi"], "no ExpansionSource knows ConfigMap; outgrow sources list shows the kinds"],
    [["status", "shopdatabase/none"], 'there is no ShopDatabase "none" in namespace default'],
    [["plan", "-f", "-", "cache/x", "1Gi"], "files do not tell what cache is"],
  ])("%j is refused", async (words, message) => {
    expect(await shops.run(...words)).toMatchObject({ code: 2, out: "", err: expect.stringContaining(message) });
  });
});

describe("plan", () => {
  test("shows the edit, what follows it, and what comes of it; that an operator owns the set is no obstacle", async () => {
    shop = await shops.given();
    const { code, out } = await shops.run("plan", `shopdatabase/${shop}`, "data=2Gi");
    expect(out).toContain(`ShopDatabase default/${shop}: data from 1Gi to 2Gi\n`);
    expect(out).toContain("WRITTEN   spec.volumeClaimTemplates[0].spec.resources.requests.storage\nSOURCE    shops\n");
    expect(out).toContain(`StatefulSet default/own-${shop}: data from 1Gi to 2Gi\n`);
    expect(out).toMatch(new RegExp(`data-own-${shop}-0 +1Gi +2Gi +1Gi +1 +grow`));
    expect(out).not.toContain("owner-reverts");
    expect(out).toMatch(`Would be done.\nDo it: outgrow resize shopdatabase/${shop} data=2Gi -n default\n`);
    expect(code).toBe(0);
  });

  test("refuses what admission would, in the same words, and names every size by its template", async () => {
    shop = await shops.given({ storageClass: "rigid" });
    const { code, out } = await shops.run("plan", `shopdatabase/${shop}`, "2Gi");
    expect(out).toContain(
      'Would be refused: spec.volumeClaimTemplates[0].spec.resources.requests.storage: Forbidden: storage class "rigid" of template "data" does not allow expansion',
    );
    expect(code).toBe(1);
  });

  test("as data", async () => {
    shop = await shops.given();
    const { out } = await shops.run("plan", `shopdatabase/${shop}`, "2Gi", "-o", "json");
    expect(JSON.parse(out)).toMatchObject({
      target: { kind: "ShopDatabase", namespace, name: shop },
      verdict: "would-be-done",
      sources: ["shops"],
      grownBy: "Outgrow",
      sizes: [{ name: "data", from: "1Gi", to: "2Gi", because: "asked" }],
      parts: [{ target: { kind: "StatefulSet", name: `own-${shop}` }, verdict: "would-be-done" }],
    });
  });

  test("a size that the resource does not say is named with those that it does", async () => {
    shop = await shops.given();
    expect(await shops.run("plan", `shopdatabase/${shop}`, "wal=2Gi")).toMatchObject({
      code: 2,
      err: `outgrow: ShopDatabase ${shop} does not say a size called "wal"; it has data\n`,
    });
    shop = await shops.given({ more: [template("1Gi", "fast", "wal")] });
    expect(await shops.run("plan", `shopdatabase/${shop}`, "2Gi")).toMatchObject({
      code: 2,
      err: `outgrow: ShopDatabase ${shop} has several sizes; say which, for example data=2Gi\n`,
    });
  });
});

describe("resize", () => {
  test("writes the size where it stands, and nothing else", async () => {
    shop = await shops.given();
    expect(await shops.run("resize", `shopdatabase/${shop}`, "2Gi")).toMatchObject({
      code: 0,
      out: `shopdatabase/${shop} asks for data=2Gi now, and its claims follow; see outgrow watch shopdatabase/${shop} -n default\n`,
    });
    expect(await shops.written(shop)).toEqual({ replicas: 1, volumeClaimTemplates: [template("2Gi")] });
    const { metadata } = await shops.client.get(STATEFUL_SETS, { namespace, name: `own-${shop}` });
    expect(metadata.annotations).toBeUndefined();
    expect(await shops.run("resize", `shopdatabase/${shop}`, "2Gi")).toMatchObject({
      code: 0,
      out: expect.stringContaining("already"),
    });
  });

  test("what admission would refuse is not sent", async () => {
    shop = await shops.given({ asks: "3Gi", has: "3Gi" });
    expect(await shops.run("resize", `shopdatabase/${shop}`, "2Gi")).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining(`storage can only grow: 2Gi is less than the 3Gi of StatefulSet "own-${shop}"`),
    });
    expect(await shops.written(shop)).toMatchObject({ volumeClaimTemplates: [template("3Gi")] });
  });

  test("in which order goes into the record of the set", async () => {
    shop = await shops.given();
    expect(await shops.run("resize", `shopdatabase/${shop}`, "2Gi", "--one-by-one")).toMatchObject({ code: 0 });
    const { spec } = await shops.client.get(VOLUME_EXPANSIONS, { namespace, name: `own-${shop}` });
    expect(spec.rollout).toEqual({ mode: "OneByOne" });
  });

  test("a set that has its sizes from a resource is asked there", async () => {
    shop = await shops.given();
    const wishedBy = { source: "shops", kind: "ShopDatabase", name: shop };
    const name = `own-${shop}`;
    await shops.client.create(VOLUME_EXPANSIONS, {
      metadata: { namespace, name },
      spec: { statefulSetName: name, wishedBy },
    });
    expect(await shops.run("resize", `sts/${name}`, "data=2Gi")).toEqual({
      code: 1,
      out: "",
      err: `outgrow: sts/${name} has its sizes from ShopDatabase ${shop}; ask that: outgrow resize shopdatabase/${shop} data=2Gi -n default\n`,
    });
  });

  test("--cancel says how a size is taken back", async () => {
    shop = await shops.given({ asks: "2Gi" });
    expect(await shops.run("resize", `shopdatabase/${shop}`, "--cancel")).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining(`go back with: outgrow resize shopdatabase/${shop} data=1Gi -n default`),
    });
    shop = await shops.given();
    expect(await shops.run("resize", `shopdatabase/${shop}`, "--cancel")).toMatchObject({
      code: 0,
      out: `shopdatabase/${shop} asks for nothing that its StatefulSets do not have\n`,
    });
  });
});

describe("status and watch", () => {
  test("measure the claims by what the resource asks for, before anybody has passed it on", async () => {
    shop = await shops.given({ asks: "2Gi" });
    const { code, out } = await shops.run("status", `shopdatabase/${shop}`);
    expect(out).toMatch(new RegExp(`^data-own-${shop}-0 +1Gi +2Gi +1Gi +Pending +is yet to be asked for 2Gi$`, "m"));
    expect(code).toBe(0);
  });

  test("the resource's condition is told, and what it refuses is stuck", async () => {
    shop = await shops.given({ asks: "2Gi" });
    const condition = {
      type: "VolumeResized",
      status: "False",
      reason: "ValidationFailed",
      observedGeneration: 1,
      message: "Validation failed: no",
    };
    const ref = { namespace, name: shop };
    const body = { status: { conditions: [condition] } };
    await shops.client.patch(SHOPS, ref, { type: "merge", body }, { subresource: "status" });
    expect((await shops.run("status", `shopdatabase/${shop}`)).out).toContain(
      `shopdatabase/${shop} VolumeResized=False: Validation failed: no\n`,
    );
    const { code, out } = await shops.run("watch", `shopdatabase/${shop}`);
    expect(out).toContain(`sts/own-${shop} is stuck: Validation failed: no`);
    expect(code).toBe(1);
  });

  test("watch ends when everything has its size", async () => {
    shop = await shops.given({ asks: "1Gi" });
    const { code, out } = await shops.run("watch", `shopdatabase/${shop}`);
    expect(out).toContain(`sts/own-${shop} is done: it has 1Gi.`);
    expect(code).toBe(0);
  });
});

describe("recover", () => {
  test("says what failed and which sizes are legal, and writes the one that is chosen into the resource", async () => {
    shop = await shops.failed();
    const open = await shops.run("recover", `shopdatabase/${shop}`);
    expect(open.out).toContain(`FAILED  data: 1 claim (data-own-${shop}-0): asked for 9Gi, has 1Gi`);
    expect(open.out).toContain("LEGAL   any size of more than 1Gi; for example 2Gi");
    expect(open).toMatchObject({
      code: 1,
      err: expect.stringContaining(`outgrow recover shopdatabase/${shop} --to data=2Gi`),
    });
    expect(await shops.run("recover", `shopdatabase/${shop}`, "--to", "3Gi")).toMatchObject({ code: 0 });
    expect(await shops.written(shop)).toMatchObject({ volumeClaimTemplates: [template("3Gi")] });
  });

  test("of a set whose sizes come from a resource, that is recovered", async () => {
    shop = await shops.failed();
    const name = `own-${shop}`;
    const spec = {
      statefulSetName: name,
      wishedBy: { source: "shops", kind: "ShopDatabase", name: shop },
      claims: [{ template: "data", storage: "9Gi" }],
    };
    await shops.client.create(VOLUME_EXPANSIONS, { metadata: { namespace, name }, spec });
    expect(await shops.run("recover", `sts/${name}`, "--to", "data=2Gi")).toMatchObject({
      code: 1,
      err: `outgrow: sts/${name} has its sizes from ShopDatabase ${shop}; recover that: outgrow recover shopdatabase/${shop} -n default\n`,
    });
  });

  test("--go-on names what failed, and lets the others take their turn", async () => {
    shop = await shops.failed();
    const name = `own-${shop}`;
    const labels = { app: shop };
    // A second member, which waits for the first.
    await shops.client.patch(STATEFUL_SETS, { namespace, name }, { type: "merge", body: { spec: { replicas: 2 } } });
    await shops.client.create(CLAIMS, {
      metadata: { name: `data-${name}-1`, namespace, labels },
      spec: { ...template("1Gi").spec, volumeName: `pv-${shop}-1` },
    });
    const status = { phase: "Bound", capacity: { storage: "1Gi" } };
    const second = { namespace, name: `data-${name}-1` };
    await shops.client.patch(CLAIMS, second, { type: "merge", body: { status } }, { subresource: "status" });
    const rollout = { mode: "OneByOne" as const };
    await shops.client.create(VOLUME_EXPANSIONS, {
      metadata: { namespace, name },
      spec: { statefulSetName: name, rollout },
    });

    const told = `sts/${name} goes on despite data-${name}-0; see outgrow watch sts/${name} -n default\n`;
    expect(await shops.run("recover", `shopdatabase/${shop}`, "--go-on")).toEqual({ code: 0, out: told, err: "" });
    const { spec } = await shops.client.get(VOLUME_EXPANSIONS, { namespace, name });
    expect(spec.rollout).toEqual({ mode: "OneByOne", goOnDespite: [`data-${name}-0`] });
    expect(await shops.run("recover", `sts/${name}`, "--go-on")).toMatchObject({
      code: 0,
      out: "nothing is kept back by a failure\n",
    });
    expect((await shops.client.listAll(PODS, { namespace })).length).toBe(0);
  });

  test.each([[["pvc/x", "--go-on"]], [["sts/x", "--go-on", "--to", "1Gi"]]])("%j is not understood", async (words) => {
    expect(await shops.run("recover", ...words)).toMatchObject({
      code: 2,
      err: expect.stringContaining("--go-on leaves"),
    });
  });
});

describe("completion", () => {
  test("of resources, and of the sizes that one has", async () => {
    shop = await shops.given({ more: [template("1Gi", "fast", "wal")] });
    expect(await shops.complete("plan", "shopd")).toContain(`shopdatabase/${shop}`);
    expect(await shops.complete("status", `shopdatabase/${shop}`)).toEqual([`shopdatabase/${shop}`]);
    expect(await shops.complete("resize", `shopdatabase/${shop}`, "")).toEqual(["data=", "wal="]);
    expect(await shops.complete("plan", `shop/${shop}`, "data=2Gi", "w")).toEqual(["wal="]);
  });
});
