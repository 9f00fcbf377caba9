import { configDefaults, defineConfig } from "vitest/config";

// `npm test` runs what needs nothing but this machine; `npm run test:kube` adds the suites under test/kube,
// which start a real control plane.
export default defineConfig({
  test: {
    // Left to itself, vitest keeps one processor free, which is half of two. Most of these tests wait for files and processes.
    maxWorkers: "100%",
    testTimeout: 60_000,
    // Some bring a whole cluster up, which takes its time on a machine that does other things as well.
    hookTimeout: 120_000,
    // What is waited for comes, or the test is over; vitest itself gives up after a second.
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        // vitest goes by the names: these come first, so that none that takes long is left to run alone at the end.
        extends: true,
        test: {
          name: "alone",
          include: ["test/**/*.test.ts", "examples/**/*.test.ts"],
          exclude: [...configDefaults.exclude, "test/kube/**"],
        },
      },
      {
        // A process for each file and the modules loaded anew cost more than most of these tests do. What is beside its
        // source is handed its clock and its environment, and gives back what it takes: such files can share a process.
        extends: true,
        test: {
          name: "beside their source",
          include: ["src/**/*.test.ts"],
          isolate: false,
          setupFiles: ["test/sharing/leave-no-trace.ts"],
        },
      },
    ],
  },
});
