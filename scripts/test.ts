/**
 * `npm test [-- FILTER...]`: everything that needs only this machine. What was skipped is listed by name with its reason,
 * and the last line says `N passed, N failed`, with `, N skipped` where there are any. Filters and options are vitest's.
 */
import { relative } from "node:path";
import { parseCLI, startVitest, type Vitest } from "vitest/node";
import { ensureSystemTools, SYSTEM_TOOLS } from "./system-tools.ts";

for (const { tool, package: name, neededBy } of ensureSystemTools(SYSTEM_TOOLS, process.env)) {
  console.log(`${tool} is missing (package ${name}); needed by ${neededBy}`);
}
const { filter, options } = parseCLI(["vitest", "run", ...process.argv.slice(2)]);
const vitest = await startVitest(filter, { ...options, run: true, watch: false, allowOnly: false });
await vitest.close();
for (const line of summaryOf(vitest)) console.log(line);

function summaryOf(run: Vitest): string[] {
  const skipped: string[] = [];
  let passed = 0;
  let failed = run.state.getUnhandledErrors().length;
  for (const module of run.state.getTestModules()) {
    // A file that cannot be loaded has no tests to fail.
    failed += module.errors().length;
    for (const test of module.children.allTests()) {
      const result = test.result();
      if (result.state === "passed") passed++;
      else if (result.state === "failed") failed++;
      else {
        const why = result.state === "skipped" ? (result.note ?? "no reason given") : "it never ran";
        skipped.push(`skipped: ${relative(run.config.root, module.moduleId)}: ${test.fullName}: ${why}`);
      }
    }
  }
  const counts = `${passed} passed, ${failed} failed`;
  return [...skipped, skipped.length > 0 ? `${counts}, ${skipped.length} skipped` : counts];
}
