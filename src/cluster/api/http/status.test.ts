import { expect, test } from "vitest";
import { aboutObject } from "../lifecycle/refusals.ts";
import { badRequest, StatusError } from "../status-error.ts";
import { toStatus, unknownPath } from "./status.ts";

const SUBJECT = { group: "apps", plural: "statefulsets", name: "db" };
const SETS = { group: "apps", plural: "statefulsets" };

test.each<[string, StatusError, object | undefined]>([
  [
    "that names its object",
    new StatusError(404, "NotFound", "no", [], aboutObject(SETS, "x")),
    { name: "x", group: "apps", kind: "statefulsets" },
  ],
  [
    "of the core group",
    new StatusError(404, "NotFound", "no", [], { name: "x", group: "", kind: "pods" }),
    { name: "x", kind: "pods" },
  ],
  [
    "for lack of rights is about what the path names",
    new StatusError(403, "Forbidden", "no"),
    { name: "db", group: "apps", kind: "statefulsets" },
  ],
  ["of a path that leads nowhere is about nothing", unknownPath(), {}],
  ["of a request that makes no sense has none", badRequest("no"), undefined],
  [
    "that will be over soon says when",
    new StatusError(429, "TooManyRequests", "no", [], { retryAfterSeconds: 10 }),
    { retryAfterSeconds: 10 },
  ],
  [
    "after a failure inside tells it as the cause",
    new StatusError(500, "InternalError", "Internal error occurred: why"),
    { causes: [{ message: "why" }] },
  ],
])("the details of a refusal %s", (_, error, details) => {
  expect(toStatus(error, SUBJECT)["details"]).toEqual(details);
});
