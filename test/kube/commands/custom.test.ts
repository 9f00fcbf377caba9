/** The verbs on custom resources of a stock API server: what is read and patched there is read and patched as meant. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openShops, SHOPS, type Shops, template } from "../../../src/cli/custom/testing/shops.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";

let plane: ControlPlane;
let shops: Shops;
beforeAll(async () => {
  plane = await startControlPlane({ controllers: [] });
  shops = await openShops(plane.admin.kubeconfig);
});
afterAll(async () => {
  await shops?.stop();
  await plane?.stop();
});

test("a size is planned, written where it stands, and shown with what follows", async () => {
  const shop = await shops.given();
  const plan = await shops.run("plan", `shop/${shop}`, "2Gi");
  expect(plan).toMatchObject({
    code: 0,
    out: expect.stringContaining("TEMPLATE  data: 1Gi → 2Gi; later"),
  });
  expect(await shops.run("resize", `shopdatabase/${shop}`, "data=2Gi")).toMatchObject({ code: 0 });
  expect(await shops.written(shop)).toEqual({ replicas: 1, volumeClaimTemplates: [template("2Gi")] });
  const status = await shops.run("status", `shopdatabases.databases.example.com/${shop}`);
  expect(status).toMatchObject({ code: 0, out: expect.stringContaining("is yet to be asked for 2Gi") });
});

test("somebody who writes at the same time loses nothing, and neither do we", async () => {
  const shop = await shops.given();
  const ref = { namespace: "default", name: shop };
  // Each of them can be in our way once, and we try more often than that.
  const busy = Array.from({ length: 4 }, async (_, index) => {
    const body = { metadata: { annotations: { [`example.com/${index}`]: "here" } } };
    await shops.client.patch(SHOPS, ref, { type: "merge", body });
  });
  const [{ code }] = await Promise.all([shops.run("resize", `shopdatabase/${shop}`, "2Gi"), ...busy]);
  expect(code).toBe(0);
  expect(await shops.written(shop)).toMatchObject({ volumeClaimTemplates: [template("2Gi")] });
  const { metadata } = await shops.client.get(SHOPS, ref);
  expect(Object.keys(metadata.annotations ?? {})).toHaveLength(4);
});

test("watch follows the resource and what it has, and recover writes a smaller size", async () => {
  const done = await shops.given();
  const { code, out } = await shops.run("watch", `shopdatabase/${done}`);
  expect(out).toContain(`sts/own-${done} is done: it has 1Gi.`);
  expect(code).toBe(0);
  const failed = await shops.failed();
  expect(await shops.run("watch", `shopdatabase/${failed}`)).toMatchObject({
    code: 1,
    out: expect.stringContaining(`sts/own-${failed} is stuck: data-own-${failed}-0 failed`),
  });
  expect(await shops.run("recover", `shopdatabase/${failed}`, "--yes")).toMatchObject({ code: 0 });
  expect(await shops.written(failed)).toMatchObject({ volumeClaimTemplates: [template("2Gi")] });
});
