/** The flags of `outgrow resizer`: those of csi-resizer, with the same meaning, and one of our own. docs/resizer.md has the table. */
import type { Flag } from "./go-flags.ts";

export const RESIZER_FLAGS = {
  "csi-address": text("/run/csi/socket", "Address of the CSI driver socket."),
  kubeconfig: text("", "Path of a kubeconfig. Needed when it does not run in a cluster."),
  master: text("", "URL of the API server, instead of the one in the kubeconfig."),
  timeout: duration("10s", "Timeout of every call to the CSI driver."),
  workers: integer("10", "How many claims are worked on at the same time."),
  "resync-period": duration("10m", "After this long all claims are looked at again."),
  "retry-interval-start": duration("1s", "Wait after the first failure of a claim; it doubles with each further one."),
  "retry-interval-max": duration("5m", "The longest wait after a failure, and the wait after an infeasible size."),
  "handle-volume-inuse-error": toggle(
    "true",
    "After a refusal because the volume is in use, wait until no pod uses it.",
  ),
  "feature-gates": text(
    "",
    "NAME=true,NAME=false: RecoverVolumeExpansionFailure, AnnotateFsResize, ReleaseLeaderElectionOnExit, VolumeAttributesClass.",
  ),
  "kube-api-qps": number("0", "Limit of requests per second to the API server. 0: none but the server's own."),
  "kube-api-burst": integer("0", "Requests to the API server that may be sent at once when there is a limit."),
  "leader-election": toggle("false", "Only one of several replicas works at a time."),
  "leader-election-namespace": text("", "Namespace of the lease. Default: the pod's own."),
  "leader-election-lease-duration": duration("15s", "How long the lease lasts without being renewed."),
  "leader-election-renew-deadline": duration("10s", "How long the leader goes on without being able to renew."),
  "leader-election-retry-period": duration("5s", "Wait between two attempts to take or renew the lease."),
  "leader-election-labels": text("", "Labels of the lease, as name:value,name:value."),
  "leader-election-identity": text("", "Who holds the lease. Default: the host's name. (Not a flag of csi-resizer.)"),
  "http-endpoint": text("", "Address for metrics and health, as :8080."),
  "metrics-address": text("", "Deprecated: use http-endpoint. Metrics only."),
  "metrics-path": text("/metrics", "Path of the metrics."),
  version: toggle("false", "Print the version and exit."),
  v: integer("0", "Verbosity of the log: 0 to 3 is info, 4 and more is debug."),
  "logging-format": text("json", "json or text. The log is one JSON object per line either way."),
  "extra-modify-metadata": toggle("false", "Has no effect: volumes are not modified."),
  automaxprocs: toggle("false", "Has no effect: there is one thread."),
  vmodule: text("", "Has no effect."),
  "log-flush-frequency": duration("5s", "Has no effect: every line is written at once."),
  "log-text-split-stream": toggle("false", "Has no effect."),
  "log-text-info-buffer-size": text("0", "Has no effect."),
  "log-json-split-stream": toggle("false", "Has no effect."),
  "log-json-info-buffer-size": text("0", "Has no effect."),
} satisfies Record<string, Flag>;

export type ResizerFlag = keyof typeof RESIZER_FLAGS;

/** Taken so that manifests need no change, and said in the log that they do nothing here. */
export const WITHOUT_EFFECT: readonly ResizerFlag[] = [
  "extra-modify-metadata",
  "automaxprocs",
  "vmodule",
  "log-flush-frequency",
  "log-text-split-stream",
  "log-text-info-buffer-size",
  "log-json-split-stream",
  "log-json-info-buffer-size",
];

function text(value: string, help: string): Flag {
  return { kind: "string", default: value, help };
}
function toggle(value: "true" | "false", help: string): Flag {
  return { kind: "switch", default: value, help };
}
function integer(value: string, help: string): Flag {
  return { kind: "integer", default: value, help };
}
function number(value: string, help: string): Flag {
  return { kind: "number", default: value, help };
}
function duration(value: string, help: string): Flag {
  return { kind: "duration", default: value, help };
}
