/** From the flags of the command line to what the sidecar is started with. Everything that can be wrong is found here. */
import { OutgrowError } from "../../core/errors.ts";
import { RESIZER_FLAGS, type ResizerFlag, WITHOUT_EFFECT } from "./flags.ts";
import { parseSidecarGates, type SidecarGates } from "./gates.ts";
import { type ParsedFlags, parseGoFlags } from "./go-flags.ts";

export interface SidecarOptions {
  readonly csiAddress: string;
  readonly kubeconfig: string | undefined;
  readonly master: string | undefined;
  /** All durations in milliseconds. */
  readonly timeout: number;
  readonly workers: number;
  readonly resyncPeriod: number;
  readonly retryStart: number;
  readonly retryMax: number;
  readonly handleInUse: boolean;
  readonly gates: SidecarGates;
  readonly limit: { readonly qps: number; readonly burst: number } | undefined;
  readonly election: ElectionOptions | undefined;
  readonly http: HttpOptions | undefined;
  readonly logLevel: "info" | "debug";
  /** Flags and gates that were given and do nothing here; to be said once. */
  readonly withoutEffect: readonly string[];
}

export interface ElectionOptions {
  readonly namespace: string | undefined;
  readonly identity: string | undefined;
  readonly leaseDuration: number;
  readonly renewDeadline: number;
  readonly retryPeriod: number;
  readonly labels: Readonly<Record<string, string>>;
}

export interface HttpOptions {
  readonly host: string | undefined;
  readonly port: number;
  readonly metricsPath: string;
  /** The deprecated --metrics-address serves metrics alone. */
  readonly health: boolean;
}

/** Throws `USAGE`, `GATE_UNKNOWN` or `GATE_MALFORMED`. */
export function readOptions(argv: readonly string[]): SidecarOptions & { readonly showVersion: boolean } {
  const flags = parseGoFlags(RESIZER_FLAGS, argv);
  const workers = flags.number("workers");
  if (workers < 1) throw new OutgrowError("USAGE", "--workers must be at least 1");
  const qps = flags.number("kube-api-qps");
  const gates = parseSidecarGates(flags.text("feature-gates"));
  return {
    showVersion: flags.isOn("version"),
    csiAddress: flags.text("csi-address"),
    kubeconfig: flags.text("kubeconfig") || undefined,
    master: flags.text("master") || undefined,
    timeout: positive(flags, "timeout"),
    workers,
    resyncPeriod: flags.duration("resync-period"),
    retryStart: positive(flags, "retry-interval-start"),
    retryMax: positive(flags, "retry-interval-max"),
    handleInUse: flags.isOn("handle-volume-inuse-error"),
    gates,
    limit: qps > 0 ? { qps, burst: Math.max(flags.number("kube-api-burst"), Math.ceil(qps)) } : undefined,
    election: flags.isOn("leader-election") ? readElection(flags) : undefined,
    http: readHttp(flags),
    logLevel: flags.number("v") >= 4 ? "debug" : "info",
    withoutEffect: [...ineffective(flags), ...gates.withoutEffect],
  };
}

function ineffective(flags: ParsedFlags<ResizerFlag>): string[] {
  const format = flags.text("logging-format");
  if (format !== "json" && format !== "text") {
    throw new OutgrowError("USAGE", `--logging-format: ${JSON.stringify(format)} is not a format; write json or text`);
  }
  return [
    ...WITHOUT_EFFECT.filter((name) => flags.given.has(name)),
    ...(format === "text" ? ["logging-format=text"] : []),
    ...(flags.given.has("kube-api-burst") && flags.number("kube-api-qps") <= 0 ? ["kube-api-burst"] : []),
  ];
}

function positive(flags: ParsedFlags<ResizerFlag>, name: ResizerFlag): number {
  const milliseconds = flags.duration(name);
  if (milliseconds <= 0) throw new OutgrowError("USAGE", `--${name} must be longer than zero`);
  return milliseconds;
}

function readElection(flags: ParsedFlags<ResizerFlag>): ElectionOptions {
  return {
    namespace: flags.text("leader-election-namespace") || undefined,
    identity: flags.text("leader-election-identity") || undefined,
    leaseDuration: positive(flags, "leader-election-lease-duration"),
    renewDeadline: positive(flags, "leader-election-renew-deadline"),
    retryPeriod: positive(flags, "leader-election-retry-period"),
    labels: readLabels(flags.text("leader-election-labels")),
  };
}

function readLabels(text: string): Record<string, string> {
  const entries = text.split(",").filter((part) => part.trim() !== "");
  return Object.fromEntries(
    entries.map((entry) => {
      const [name = "", value, ...rest] = entry.split(":").map((part) => part.trim());
      if (name === "" || value === undefined || rest.length > 0) {
        throw new OutgrowError("USAGE", `--leader-election-labels: ${JSON.stringify(entry)} is not name:value`);
      }
      return [name, value];
    }),
  );
}

function readHttp(flags: ParsedFlags<ResizerFlag>): HttpOptions | undefined {
  const endpoint = flags.text("http-endpoint");
  const metricsOnly = flags.text("metrics-address");
  if (endpoint !== "" && metricsOnly !== "") {
    throw new OutgrowError(
      "USAGE",
      "only one of --metrics-address and --http-endpoint can be set; use --http-endpoint",
    );
  }
  const address = endpoint || metricsOnly;
  if (address === "") return undefined;
  const match = /^(.*):(\d+)$/.exec(address);
  if (match === null || Number(match[2]) > 65_535) {
    const flag = endpoint === "" ? "metrics-address" : "http-endpoint";
    throw new OutgrowError(
      "USAGE",
      `--${flag}: ${JSON.stringify(address)} is not an address like :8080 or 127.0.0.1:8080`,
    );
  }
  const host = (match[1] ?? "").replace(/^\[(.*)\]$/, "$1");
  return {
    host: host === "" ? undefined : host,
    port: Number(match[2]),
    metricsPath: flags.text("metrics-path"),
    health: endpoint !== "",
  };
}
