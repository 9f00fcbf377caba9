import { expect, test } from "vitest";
import { warningsOfClaim, warningsOfPod, warningsOfSet, warningsOfVolume } from "./warnings.ts";

const claimOf = (storage: string) => ({ resources: { requests: { storage } } });

test("a claim for part of a byte gets a word", () => {
  expect(warningsOfClaim({ metadata: {}, spec: claimOf("1500m") })).toEqual([
    'spec.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer',
  ]);
  expect(warningsOfClaim({ metadata: {}, spec: claimOf("1Gi") })).toEqual([]);
});

test("a volume that is to be recycled gets a word", () => {
  const texts = warningsOfVolume({ metadata: {}, spec: { persistentVolumeReclaimPolicy: "Recycle" } });
  expect(texts).toEqual([expect.stringContaining("The Recycle reclaim policy is deprecated")]);
});

test.each([
  ["hides the first", { name: "A", value: "2" }, 1],
  ["says nothing but the first", { name: "A", value: "$(A)" }, 1],
  ["builds on the first", { name: "A", value: "$(A):2" }, 0],
])("a variable that %s", (_, second, count) => {
  const containers = [{ env: [{ name: "A", value: "1" }, second] }];
  expect(warningsOfPod({ metadata: { name: "p" }, spec: { containers } })).toHaveLength(count);
});

test("ports are told apart over all containers, by number and protocol", () => {
  const port = (containerPort: number, more: object = {}) => ({ containerPort, protocol: "TCP", ...more });
  const containers = [
    { ports: [port(80)] },
    { ports: [port(80), port(80, { protocol: "UDP" }), port(80, { hostPort: 1 })] },
  ];
  expect(warningsOfPod({ metadata: { name: "p" }, spec: { containers } })).toEqual([
    "spec.containers[1].ports[0]: duplicate port definition with spec.containers[0].ports[0]",
    "spec.containers[1].ports[2]: overlapping port definition with spec.containers[0].ports[0]",
    "spec.containers[1].ports[2]: overlapping port definition with spec.containers[1].ports[0]",
  ]);
});

test("what a set has been told before is not told again", () => {
  const spec = { template: { spec: { nodeSelector: { "beta.kubernetes.io/os": "linux" } } } };
  const set = { metadata: { generation: 1 }, spec };
  expect(warningsOfSet(set, undefined)).toHaveLength(1);
  expect(warningsOfSet(set, set)).toEqual([]);
  expect(warningsOfSet({ metadata: { generation: 2 }, spec }, set)).toHaveLength(1);
});
