/**
 * Writes what of deploy/chart comes from src/cli/manifests: Chart.yaml and the templates of objects. To run when those
 * change; test/chart.test.ts fails until it has been.
 *
 *     node scripts/generate-chart.ts
 */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { chartFiles } from "./chart/chart-files.ts";

const chart = join(import.meta.dirname, "../deploy/chart");
for (const [name, text] of await chartFiles()) {
  await mkdir(dirname(join(chart, name)), { recursive: true });
  await writeFile(join(chart, name), text);
}
