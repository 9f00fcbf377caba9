import { Histogram, Registry } from "@prometheus-io/client";
import { expect, test } from "vitest";
import { OPERATIONS_HISTOGRAM, operationLabels } from "./observer.ts";

test("a call becomes the metric that every CSI sidecar has", async () => {
  const registry = new Registry();
  const histogram = new Histogram({ ...OPERATIONS_HISTOGRAM, registers: [registry] });
  const call = {
    driverName: "d",
    method: "/csi.v1.Controller/ControllerExpandVolume",
    code: "OK",
    seconds: 3,
  } as const;
  histogram.observe(operationLabels(call), call.seconds);

  const text = await registry.metrics();
  const series = text.split("\n").filter((line) => line.startsWith("csi_sidecar_operations_seconds_bucket"));
  const labels = 'driver_name="d",method_name="/csi.v1.Controller/ControllerExpandVolume",grpc_status_code="OK"';
  const bounds = ["0.1", "0.25", "0.5", "1", "2.5", "5", "10", "15", "25", "50", "120", "300", "600", "+Inf"];
  expect(series).toEqual(
    bounds.map((le) => `csi_sidecar_operations_seconds_bucket{le="${le}",${labels}} ${Number(le) < 3 ? 0 : 1}`),
  );
});
