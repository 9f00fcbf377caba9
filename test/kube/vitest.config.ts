import { configDefaults, defineConfig } from "vitest/config";
import { skippedOn, wantedVersion } from "./releases.ts";

const version = wantedVersion(undefined, process.env);
const skipped = skippedOn(version);
for (const { suites, why } of skipped) console.error(`skipped on ${version}: test/kube/${suites} ${why}`);

// Each file brings up control planes of its own; one file at a time is as much as two cores carry.
export default defineConfig({
  test: {
    include: ["test/kube/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...skipped.map(({ suites }) => `test/kube/${suites}{,/**}`)],
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
