/** The words are held against kube-controller-manager's in test/kube/policy-engine. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { JsonObject } from "../json.ts";
import { startPolicyStatus } from "./status.ts";
import { openPolicyBench, type PolicyBench } from "./testing/policy-bench.ts";
import { policyOf } from "./testing/policy-objects.ts";

// The first policy has the engine loaded, which takes a busy machine longer than what `waitFor` allows by itself.
const DEADLINE = { timeout: 20_000 };

let bench: PolicyBench;
let status: { stop(): Promise<void> };
const failures: unknown[] = [];
beforeEach(() => {
  bench = openPolicyBench();
  const report = (error: unknown) => void failures.push(error);
  const { objects, catalog } = bench;
  status = startPolicyStatus({ objects, catalog, clock: { now: () => 0 }, turn: async () => {}, report });
});
afterEach(async () => {
  await status.stop();
  await bench.close();
  expect(failures).toEqual([]);
});

const written = (generation: number, expression: string): JsonObject => ({
  ...policyOf("Validating", "p", { validations: [{ expression }] }),
  metadata: { name: "p", generation },
});
function found(): JsonObject | undefined {
  const kind = bench.catalog.findKind("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy")?.kind;
  return kind === undefined ? undefined : bench.objects.find(kind, undefined, "p");
}

test("every version of a policy is seen, and what is odd about its types told", async () => {
  await bench.put(written(1, "object.data.a == 'b'"));
  await vi.waitFor(() => expect(found()?.["status"]).toEqual({ observedGeneration: 1, typeChecking: {} }), DEADLINE);
  await bench.put(written(2, "object.date.a == 'b'"));
  await vi.waitFor(
    () =>
      expect(found()?.["status"]).toEqual({
        observedGeneration: 2,
        typeChecking: {
          expressionWarnings: [
            {
              fieldRef: "spec.validations[0].expression",
              warning:
                "/v1, Kind=ConfigMap: ERROR: <input>:1:7: undefined field 'date'\n | object.date.a == 'b'\n | ......^\n",
            },
          ],
        },
      }),
    DEADLINE,
  );
});

test("it may be stopped twice", async () => {
  await status.stop();
});
