import { defineConfig } from "vitest/config";

// Each file brings up control planes of its own; one file at a time is as much as two cores carry.
export default defineConfig({
  test: {
    include: ["test/kube/**/*.test.ts"],
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
