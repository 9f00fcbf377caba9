/** What a test may ask of its control plane. */
import type { UserSpec } from "./credentials.ts";

export interface ControlPlaneOptions {
  /** A Kubernetes release, as `1.34.4`, that `kube:assets` has built. Unless given, the environment decides: assets.ts. */
  readonly version?: string;
  /**
   * For kube-apiserver and kube-controller-manager alike; both must know the gate. What the pinned release has on and an
   * older one off is on there as well, unless said otherwise: releases.ts.
   */
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** API groups and versions to serve or not, as in `{ "admissionregistration.k8s.io/v1alpha1": true }`. */
  readonly runtimeConfig?: Readonly<Record<string, boolean>>;
  /** Admission plugins beyond the defaults. `ServiceAccount` is off unless enabled here. */
  readonly admission?: { readonly enable?: readonly string[]; readonly disable?: readonly string[] };
  /** The controllers to run, as in `--controllers`; all that are on by default unless given. Empty: no manager at all. */
  readonly controllers?: readonly string[];
  /** Users besides the administrator. */
  readonly users?: readonly UserSpec[];
  /** etcd flushes every write to disk, as it would in production: for benchmarks. Off unless told. */
  readonly durable?: boolean;
  /** Keep an audit log. On unless told otherwise; a benchmark may spare itself the work. */
  readonly audit?: boolean;
  /** More flags for kube-apiserver; they come last, and win. */
  readonly apiserverFlags?: readonly string[];
  /** More flags for kube-controller-manager; they come last, and win. */
  readonly managerFlags?: readonly string[];
}
