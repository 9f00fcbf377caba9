/** The example operator, on the embedded cluster. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "vitest";
import { startCluster } from "../../src/cluster/index.ts";
import { createClient, createTransport, DEFAULT_GATES, loadConfig, silentLogger } from "../../src/library/index.ts";
import { playNotebook } from "./notebook-story.ts";

test("a Notebook's volume follows its size, though the operator is killed in the middle, and its pod stays", async () => {
  await using cleanup = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "outgrow-operator-"));
  cleanup.defer(() => rmSync(folder, { recursive: true }));
  const life = { driver: "memory", sample: false, without: new Set(["growth"] as const) } as const;
  const cluster = await startCluster({ folder, port: 0, gates: DEFAULT_GATES, logger: silentLogger, life });
  cleanup.defer(() => cluster.stop());
  const client = createClient(createTransport(await loadConfig({ env: {}, kubeconfig: cluster.kubeconfig })));
  cleanup.defer(() => client.close());
  await playNotebook(client, cluster.kubeconfig);
}, 300_000);
