import { Registry } from "@prometheus-io/client";
import { expect, test } from "vitest";
import { prometheusMetrics } from "./prometheus-metrics.ts";
import { storageOperationMetrics } from "./storage-operations.ts";

test("operations are counted as kube-controller-manager and the kubelet count them, side by side", async () => {
  const registry = new Registry();
  const metrics = prometheusMetrics(registry);
  const controller = storageOperationMetrics(metrics, "expand_volume");
  const node = storageOperationMetrics(metrics, "volume_fs_resize");
  controller.ended("disk.example.com", "success", 2);
  controller.ended("disk.example.com", "failure", 3);
  node.ended("disk.example.com", "success", 5);

  const text = await registry.metrics();
  const plugin = 'volume_plugin="kubernetes.io/csi:disk.example.com"';
  const sum = "storage_operation_duration_seconds_sum";
  expect(text).toContain(`${sum}{${plugin},operation_name="expand_volume",status="success"} 2`);
  expect(text).toContain(`${sum}{${plugin},operation_name="expand_volume",status="fail-unknown"} 3`);
  expect(text).toContain(`${sum}{${plugin},operation_name="volume_fs_resize",status="success"} 5`);
  const errors = text.split("\n").filter((line) => line.startsWith("storage_operation_errors_total"));
  expect(errors).toEqual([`storage_operation_errors_total{${plugin},operation_name="expand_volume"} 1`]);
});
