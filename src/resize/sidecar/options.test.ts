import { describe, expect, test } from "vitest";
import { RESIZER_FLAGS, type ResizerFlag } from "./flags.ts";
import { readOptions, type SidecarOptions } from "./options.ts";

const DEFAULTS: ReturnType<typeof readOptions> = {
  showVersion: false,
  csiAddress: "/run/csi/socket",
  kubeconfig: undefined,
  master: undefined,
  timeout: 10_000,
  workers: 10,
  resyncPeriod: 600_000,
  retryStart: 1000,
  retryMax: 300_000,
  handleInUse: true,
  gates: { recovery: true, annotate: false, modifyAskedFor: false, withoutEffect: [] },
  limit: undefined,
  election: undefined,
  http: undefined,
  logLevel: "info",
  withoutEffect: [],
};
const ELECTION = {
  namespace: undefined,
  identity: undefined,
  leaseDuration: 15_000,
  renewDeadline: 10_000,
  retryPeriod: 5000,
  labels: {},
};
const HTTP = { host: undefined, port: 8080, metricsPath: "/metrics", health: true };

/** Each flag of csi-resizer, and the one of our own, with what it changes. */
const CASES: readonly [argv: string, changed: Partial<SidecarOptions & { showVersion: boolean }>][] = [
  ["--csi-address=/csi/csi.sock", { csiAddress: "/csi/csi.sock" }],
  ["--csi-address unix:///csi/csi.sock", { csiAddress: "unix:///csi/csi.sock" }],
  ["--kubeconfig=/etc/kubeconfig", { kubeconfig: "/etc/kubeconfig" }],
  ["--master=https://10.0.0.1", { master: "https://10.0.0.1" }],
  ["--timeout=150s", { timeout: 150_000 }],
  ["--workers=100", { workers: 100 }],
  ["--resync-period=1h", { resyncPeriod: 3_600_000 }],
  ["--resync-period=0", { resyncPeriod: 0 }],
  ["--retry-interval-start=500ms", { retryStart: 500 }],
  ["--retry-interval-max=1m", { retryMax: 60_000 }],
  ["--handle-volume-inuse-error=false", { handleInUse: false }],
  ["--feature-gates=AnnotateFsResize=true", { gates: { ...DEFAULTS.gates, annotate: true } }],
  ["--kube-api-qps=100 --kube-api-burst=200", { limit: { qps: 100, burst: 200 } }],
  ["--kube-api-qps=2.5", { limit: { qps: 2.5, burst: 3 } }],
  ["--kube-api-qps=0", {}],
  ["--kube-api-burst=200", { withoutEffect: ["kube-api-burst"] }],
  ["--leader-election", { election: ELECTION }],
  ["--leader-election=false --leader-election-namespace=kube-system", {}],
  ["--leader-election --leader-election-namespace=storage", { election: { ...ELECTION, namespace: "storage" } }],
  ["--leader-election --leader-election-lease-duration=60s", { election: { ...ELECTION, leaseDuration: 60_000 } }],
  ["--leader-election --leader-election-renew-deadline=8s", { election: { ...ELECTION, renewDeadline: 8000 } }],
  ["--leader-election --leader-election-retry-period=2s", { election: { ...ELECTION, retryPeriod: 2000 } }],
  ["--leader-election --leader-election-labels=a:b,c:d", { election: { ...ELECTION, labels: { a: "b", c: "d" } } }],
  ["--leader-election --leader-election-identity=pod-1", { election: { ...ELECTION, identity: "pod-1" } }],
  ["--http-endpoint=:8080", { http: HTTP }],
  ["--http-endpoint=127.0.0.1:9090", { http: { ...HTTP, host: "127.0.0.1", port: 9090 } }],
  ["--http-endpoint=[::1]:8080", { http: { ...HTTP, host: "::1" } }],
  ["--http-endpoint=:8080 --metrics-path=/m", { http: { ...HTTP, metricsPath: "/m" } }],
  ["--metrics-address=:8080", { http: { ...HTTP, health: false } }],
  ["--version", { showVersion: true }],
  ["-v=3", {}],
  ["-v=5", { logLevel: "debug" }],
  ["--logging-format=json", {}],
  ["--logging-format=text", { withoutEffect: ["logging-format=text"] }],
  ["--extra-modify-metadata", { withoutEffect: ["extra-modify-metadata"] }],
  ["--automaxprocs", { withoutEffect: ["automaxprocs"] }],
  ["--vmodule=controller=5", { withoutEffect: ["vmodule"] }],
  ["--log-flush-frequency=1s", { withoutEffect: ["log-flush-frequency"] }],
  ["--log-text-split-stream", { withoutEffect: ["log-text-split-stream"] }],
  ["--log-text-info-buffer-size=64Ki", { withoutEffect: ["log-text-info-buffer-size"] }],
  ["--log-json-split-stream", { withoutEffect: ["log-json-split-stream"] }],
  ["--log-json-info-buffer-size=64Ki", { withoutEffect: ["log-json-info-buffer-size"] }],
];

test("without a flag", () => {
  expect(readOptions([])).toEqual(DEFAULTS);
});

test.each(CASES)("%s", (argv, changed) => {
  expect(readOptions(argv.split(" "))).toEqual({ ...DEFAULTS, ...changed });
});

test("every flag is among these", () => {
  const flags = Object.keys(RESIZER_FLAGS) as ResizerFlag[];
  const tried = new Set(CASES.flatMap(([argv]) => [...argv.matchAll(/(?:^| )--?([^ =]+)/g)].map(([, name]) => name)));
  expect(flags.filter((name) => !tried.has(name))).toEqual([]);
});

test("a manifest as drivers ship it", () => {
  const args = ["--v=5", "--csi-address=/csi/csi.sock", "--leader-election", "--http-endpoint=:8080"];
  expect(readOptions([...args, "--timeout", "60s", "-kube-api-qps=50", "-kube-api-burst", "100"])).toMatchObject({
    csiAddress: "/csi/csi.sock",
    election: ELECTION,
    http: HTTP,
    logLevel: "debug",
    timeout: 60_000,
    limit: { qps: 50, burst: 100 },
    withoutEffect: [],
  });
});

describe("what is refused", () => {
  test.each([
    ["--workers=0", "--workers must be at least 1"],
    ["--timeout=0", "--timeout must be longer than zero"],
    ["--retry-interval-start=-1s", "--retry-interval-start must be longer than zero"],
    ["--retry-interval-max=0s", "--retry-interval-max must be longer than zero"],
    [
      "--http-endpoint=:1 --metrics-address=:2",
      "only one of --metrics-address and --http-endpoint can be set; use --http-endpoint",
    ],
    ["--http-endpoint=8080", '--http-endpoint: "8080" is not an address like :8080 or 127.0.0.1:8080'],
    ["--metrics-address=:70000", '--metrics-address: ":70000" is not an address like :8080 or 127.0.0.1:8080'],
    ["--leader-election --leader-election-labels=a", '--leader-election-labels: "a" is not name:value'],
    ["--leader-election --leader-election-labels=a:b:c", '--leader-election-labels: "a:b:c" is not name:value'],
    ["--leader-election --leader-election-labels=:b", '--leader-election-labels: ":b" is not name:value'],
    ["--leader-election --leader-election-retry-period=0", "--leader-election-retry-period must be longer than zero"],
    ["--logging-format=xml", '--logging-format: "xml" is not a format; write json or text'],
    ["--alsologtostderr", "flag provided but not defined: -alsologtostderr"],
  ])("%s", (argv, message) => {
    expect(() => readOptions(argv.split(" "))).toThrow(expect.objectContaining({ code: "USAGE", message }));
  });

  test("a gate that nobody knows", () => {
    expect(() => readOptions(["--feature-gates=Topology=true"])).toThrow(
      expect.objectContaining({ code: "GATE_UNKNOWN" }),
    );
  });
});
