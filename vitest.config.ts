import { defineConfig } from "vitest/config";

// `npm test` runs what needs nothing but this machine; `npm run test:kube` adds the suites under test/kube,
// which start a real control plane.
export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "examples/**/*.test.ts"],
    exclude: ["test/kube/**", "**/node_modules/**"],
    // Left to itself, vitest keeps one processor free, which is half of two. Most of these tests wait for files and processes.
    maxWorkers: "100%",
    testTimeout: 60_000,
    // Some bring a whole cluster up, which takes its time on a machine that does other things as well.
    hookTimeout: 120_000,
    // What is waited for comes, or the test is over; vitest itself gives up after a second.
    expect: { poll: { timeout: 30_000 } },
  },
});
