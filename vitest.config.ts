import { defineConfig } from "vitest/config";

// `npm test` runs what needs nothing but this machine; `npm run test:kube` adds the suites under test/kube,
// which start a real control plane.
export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "examples/**/*.test.ts"],
    exclude: ["test/kube/**", "**/node_modules/**"],
    testTimeout: 20_000,
  },
});
