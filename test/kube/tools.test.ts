import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AssetsUnavailable } from "./assets-unavailable.ts";
import { findTool } from "./tools.ts";

test("a tool that is not built is not found, and the message says what to do", async () => {
  const cache = await mkdtemp(join(tmpdir(), "outgrow-tools-"));
  const find = () => findTool("helm", { XDG_CACHE_HOME: cache });
  expect(find).toThrow(AssetsUnavailable);
  expect(find).toThrow("helm is not built yet; install Go 1.26 or later and run `npm run kube:assets` first");
  await rm(cache, { recursive: true });
});
