import { Counter } from "@prometheus-io/client";
import { expect, test, vi } from "vitest";
import { createProcessRegistry } from "./process-registry.ts";

test("a registry tells about the process", async () => {
  const text = await createProcessRegistry().metrics();
  expect(text).toMatch(/^process_start_time_seconds \d+/m);
  expect(text).toMatch(/^nodejs_version_info\{/m);
});

test("the process is observed once, however many registries there are", () => {
  const first = createProcessRegistry();
  const timers = vi.spyOn(globalThis, "setInterval");
  const second = createProcessRegistry();
  expect(timers).not.toHaveBeenCalled();
  expect(second.getMetricsAsArray()).toEqual(first.getMetricsAsArray());
  timers.mockRestore();
});

test("what is counted in one registry is not in another", async () => {
  const [one, other] = [createProcessRegistry(), createProcessRegistry()];
  new Counter({ name: "things_total", help: "Things.", registers: [one] }).inc();
  expect(await one.metrics()).toContain("things_total 1");
  expect(await other.metrics()).not.toContain("things_total");
});
