import { status } from "@grpc/grpc-js";
import { describe, expect, test } from "vitest";
import { CSI_CODES, type CsiCode, CsiError, codeFromNumber, consequenceOf } from "./error.ts";

type Class = "in doubt" | "final" | "final, infeasible" | "final, in use";

const TABLE: Record<CsiCode, [number: number, meaning: Class]> = {
  Canceled: [status.CANCELLED, "in doubt"],
  Unknown: [status.UNKNOWN, "final"],
  InvalidArgument: [status.INVALID_ARGUMENT, "final, infeasible"],
  DeadlineExceeded: [status.DEADLINE_EXCEEDED, "in doubt"],
  NotFound: [status.NOT_FOUND, "final, infeasible"],
  AlreadyExists: [status.ALREADY_EXISTS, "final"],
  PermissionDenied: [status.PERMISSION_DENIED, "final"],
  ResourceExhausted: [status.RESOURCE_EXHAUSTED, "in doubt"],
  FailedPrecondition: [status.FAILED_PRECONDITION, "final, in use"],
  Aborted: [status.ABORTED, "in doubt"],
  OutOfRange: [status.OUT_OF_RANGE, "final, infeasible"],
  Unimplemented: [status.UNIMPLEMENTED, "final"],
  Internal: [status.INTERNAL, "final"],
  Unavailable: [status.UNAVAILABLE, "in doubt"],
  DataLoss: [status.DATA_LOSS, "final"],
  Unauthenticated: [status.UNAUTHENTICATED, "final"],
};

function classOf(error: unknown): Class {
  const { final, infeasible, inUse } = consequenceOf(error);
  if (!final) {
    expect({ infeasible, inUse }).toEqual({ infeasible: false, inUse: false });
    return "in doubt";
  }
  expect(infeasible && inUse).toBe(false);
  return infeasible ? "final, infeasible" : inUse ? "final, in use" : "final";
}

describe("what a failed call means", () => {
  test.each(Object.entries(TABLE))("%s has the number and is what the table says: %j", (code, [number, meaning]) => {
    const error = new CsiError(code as CsiCode, "no");
    expect(error.number).toBe(number);
    expect(codeFromNumber(number)).toBe(code);
    expect(classOf(error)).toBe(meaning);
    const { final, infeasible, inUse } = error;
    expect({ final, infeasible, inUse }).toEqual(consequenceOf(error));
  });

  test("every code of gRPC is in the table", () => {
    const numbers = Object.values(status).filter((value) => typeof value === "number" && value !== status.OK);
    expect(CSI_CODES.map((code) => TABLE[code][0])).toEqual(numbers);
  });

  test.each([
    ["an error of ours", new Error("cannot read secret prod/login")],
    ["something that only looks like a status", Object.assign(new Error("13 INTERNAL"), { code: 13 })],
    ["no error at all", undefined],
  ])("%s is in doubt", (_, thrown) => {
    expect(classOf(thrown)).toBe("in doubt");
  });
});

test("a message has Go's form", () => {
  const error = new CsiError("OutOfRange", "requested 2Ti, the pool has 1Ti");
  expect(error.message).toBe("rpc error: code = OutOfRange desc = requested 2Ti, the pool has 1Ti");
  expect(String(error)).toBe(`CsiError: ${error.message}`);
});

test("a number that gRPC does not know is Unknown", () => {
  expect(codeFromNumber(99)).toBe("Unknown");
});
