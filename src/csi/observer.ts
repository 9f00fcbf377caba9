/** Sees every call that a client makes, after it ended: the place where metrics hang on. */
import type { CsiCode } from "./error.ts";

export interface ObservedCall {
  /** As the driver calls itself; `unknown-driver` until it was asked. */
  readonly driverName: string;
  /** The full name, `/csi.v1.Controller/ControllerExpandVolume`. */
  readonly method: string;
  readonly code: CsiCode | "OK";
  readonly seconds: number;
}

/** Must not throw: it runs between the driver's answer and the caller. */
export type CallObserver = (call: ObservedCall) => void;

export const UNKNOWN_DRIVER = "unknown-driver";

/**
 * The histogram that every CSI sidecar has, ready to be made with any Prometheus client: dashboards and alerts that
 * exist for the incumbent go on working.
 */
export const OPERATIONS_HISTOGRAM = {
  name: "csi_sidecar_operations_seconds",
  help: "How long calls to the CSI driver took, by driver, method and the gRPC status they ended with",
  labelNames: ["driver_name", "method_name", "grpc_status_code"],
  buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 25, 50, 120, 300, 600] as number[],
} as const;

/** The labels of one call, by the names above. */
export function operationLabels(call: ObservedCall): Record<(typeof OPERATIONS_HISTOGRAM.labelNames)[number], string> {
  return { driver_name: call.driverName, method_name: call.method, grpc_status_code: call.code };
}
