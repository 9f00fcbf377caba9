/** docs/metrics.md lists what the program counts, and nothing else. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const NAME = /(?:outgrow|storage_operation|operation_operation|csi_sidecar|leader_election|rest_client)_[a-z_]*[a-z]/g;
const WORK_QUEUE = /describe\(\s*"([a-z_]+)"/g;

function counted(): Set<string> {
  const names = new Set<string>();
  for (const file of globSync("src/**/*.ts", { cwd: ROOT })) {
    if (/\.test\.ts$|\/testing\//.test(file)) continue;
    const text = readFileSync(join(ROOT, file), "utf8");
    for (const [, name = ""] of text.matchAll(/"([a-z_]+)"/g)) {
      if (name.match(NAME)?.[0] === name) names.add(name);
    }
    if (!file.endsWith("queue-metrics.ts")) continue;
    for (const [, name = ""] of text.matchAll(WORK_QUEUE)) names.add(`workqueue_${name}`);
  }
  return names;
}

test("every metric is on the page, and the page has no other", () => {
  const page = readFileSync(join(ROOT, "docs/metrics.md"), "utf8");
  const listed = new Set([...page.matchAll(/`([a-z]+_[a-z_]+)(?:\{[^`]*)?`/g)].map(([, name = ""]) => name));
  listed.delete("volume_name");
  const ours = [...listed].filter((name) => name.startsWith("workqueue_") || name.match(NAME)?.[0] === name);
  expect(ours.sort()).toEqual([...counted()].sort());
  expect(counted().size).toBeGreaterThan(15);
});
