import { expect, it } from "vitest";
import { readDryRun } from "./dry-run.ts";

it.each([
  [201, "", "taken"],
  [200, "", "taken"],
  [409, "AlreadyExists", "taken"],
  [409, "Conflict", "unknown"],
  [422, "Invalid", "refused"],
  [403, "Forbidden", "refused"],
  [400, "BadRequest", "refused"],
  [429, "TooManyRequests", "unknown"],
  [500, "InternalError", "unknown"],
  [504, "Timeout", "unknown"],
])("%i %s while the set exists means %s", (code, reason, kind) => {
  expect(readDryRun({ code, reason, message: "m" })).toMatchObject({ kind });
});
