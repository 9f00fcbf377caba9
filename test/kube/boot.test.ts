import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findAssets } from "./assets.ts";
import { boot, freePort } from "./boot.ts";
import { type Keeper, startKeeper } from "./keeper.ts";
import { type Layout, layout } from "./programs.ts";

let files: Layout;
let keeper: Keeper;
beforeEach(async () => {
  files = layout(await mkdtemp(join(tmpdir(), "outgrow-boot-")));
  keeper = startKeeper(files.folder);
});
afterEach(() => keeper.stop());

it("takes another port when somebody was quicker", async () => {
  const somebody = createServer().listen(0, "127.0.0.1");
  await once(somebody, "listening");
  const taken = (somebody.address() as AddressInfo).port;
  const proposals = [taken, taken, await freePort()];
  const { url, api } = await boot(findAssets(), files, keeper, { controllers: [] }, async () => proposals.shift()!);
  expect(proposals).toEqual([]);
  expect(url).not.toBe(`https://127.0.0.1:${taken}`);
  expect(await api.text("/readyz")).toBe("ok");
  await api.close();
  somebody.close();
});

it("gives up on a port that is always taken, and shows the server's own words", async () => {
  const somebody = createServer().listen(0, "127.0.0.1");
  await once(somebody, "listening");
  const { port } = somebody.address() as AddressInfo;
  const refused = boot(findAssets(), files, keeper, { controllers: [] }, async () => port);
  await expect(refused).rejects.toThrow(/kube-apiserver ended before it was ready[^]*address already in use/);
  somebody.close();
});
