import { configDefaults, defineConfig } from "vitest/config";
import { LongestFirst } from "./longest-first.ts";
import { skippedOn, wantedVersion } from "./releases.ts";

const version = wantedVersion(undefined, process.env);
const skipped = skippedOn(version);
for (const { suites, why } of skipped) console.error(`skipped on ${version}: test/kube/${suites} ${why}`);

// Each file brings up control planes of its own. Much of their time is spent waiting for each other's periods and deadlines, so two files
// at a time keep two processors busy; more would make everybody wait for them.
export default defineConfig({
  test: {
    include: ["test/kube/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...skipped.map(({ suites }) => `test/kube/${suites}{,/**}`)],
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
