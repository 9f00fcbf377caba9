import { expect, test } from "vitest";
import type { JsonObject } from "../../json.ts";
import { cellsByName, made } from "../fixtures.ts";
import { resourceClaims, resourceSlices } from "./devices.ts";
import { ipAddresses, serviceCidrs } from "./network.ts";
import { apiServices, componentStatuses, flowSchemas, priorityLevels, signingRequests } from "./serving.ts";

test.each<[string, JsonObject, string]>([
  ["nothing was decided", {}, "Pending"],
  ["approved", { conditions: [{ type: "Approved" }] }, "Approved"],
  ["answered", { conditions: [{ type: "Approved" }], certificate: "YQ==" }, "Approved,Issued"],
  [
    "denied, whatever else",
    { conditions: [{ type: "Approved" }, { type: "Denied" }, { type: "Failed" }] },
    "Denied,Failed",
  ],
])("a request for a certificate: %s", (_, status, shown) => {
  const request = made({ spec: { username: "ann", expirationSeconds: 5400 }, status });
  expect(cellsByName(signingRequests, request)).toMatchObject({
    SignerName: "<none>",
    Requestor: "ann",
    RequestedDuration: "90m",
    Condition: shown,
  });
});

test.each<[JsonObject, JsonObject, string, string]>([
  [{}, {}, "Local", "Unknown"],
  [
    { service: { namespace: "ns", name: "api" } },
    { conditions: [{ type: "Available", status: "False", reason: "Gone" }] },
    "ns/api",
    "False (Gone)",
  ],
  [{}, { conditions: [{ type: "Available", status: "True", reason: "Local" }] }, "Local", "True"],
])("who serves a group: %j", (spec, status, service, available) => {
  expect(cellsByName(apiServices, made({ spec, status }))).toMatchObject({ Service: service, Available: available });
});

test("queues of requests", () => {
  const spec = { priorityLevelConfiguration: { name: "level" }, matchingPrecedence: 7 };
  expect(cellsByName(flowSchemas, made({ spec }))).toMatchObject({
    PriorityLevel: "level",
    MatchingPrecedence: 7,
    DistinguisherMethod: "<none>",
    MissingPL: "?",
  });
  const limited = { nominalConcurrencyShares: 30, limitResponse: { queuing: { queues: 64, handSize: 8 } } };
  expect(cellsByName(priorityLevels, made({ spec: { type: "Limited", limited } }))).toMatchObject({
    NominalConcurrencyShares: 30,
    Queues: 64,
    HandSize: 8,
    QueueLengthLimit: "<none>",
  });
});

test("a component", () => {
  const conditions = [{ type: "Healthy", status: "False", message: "m", error: "e" }];
  expect(cellsByName(componentStatuses, made({ conditions }))).toMatchObject({
    Status: "Unhealthy",
    Message: "m",
    Error: "e",
  });
});

test.each<[JsonObject, string]>([
  [{ status: {} }, "pending"],
  [{ metadata: { name: "it", deletionTimestamp: "2026-01-01T00:00:00Z" } }, "deleted"],
  [{ status: { allocation: {} } }, "allocated"],
  [{ status: { allocation: {}, reservedFor: [{}] } }, "allocated,reserved"],
])("a claim to a device: %j", (fields, state) => {
  expect(cellsByName(resourceClaims, made(fields))["State"]).toBe(state);
});

test("devices of a node", () => {
  const spec = { driver: "d", nodeName: "n", pool: { name: "p" } };
  expect(cellsByName(resourceSlices, made({ spec }))).toMatchObject({ Node: "n", Driver: "d", Pool: "p" });
});

test("addresses and ranges", () => {
  const parentRef = { group: "Example.com", resource: "Gateways", namespace: "ns", name: "way" };
  expect(cellsByName(ipAddresses, made({ spec: { parentRef } }))["ParentRef"]).toBe("gateways.example.com/ns/way");
  expect(cellsByName(serviceCidrs, made({ spec: { cidrs: ["a", "b"] } }))["CIDRs"]).toBe("a,b");
});
