import { Metadata, type ServiceError, status } from "@grpc/grpc-js";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csiErrorFrom } from "./failure.ts";

const report = (code: status, details: string): ServiceError =>
  Object.assign(new Error(`${code}: ${details}`), { code, details, metadata: new Metadata() });
const call = { socketPath: "/csi.sock", secrets: [], signal: undefined };

describe("words that do not change from one attempt to the next", () => {
  test.each([
    [
      "a socket that is not there",
      status.UNAVAILABLE,
      "No connection established. Last error: Error: connect ENOENT /csi.sock (2026-01-02T03:04:05.678Z). Resolution note: ",
      "rpc error: code = Unavailable desc = cannot reach the driver at /csi.sock: connect ENOENT /csi.sock",
    ],
    [
      "a deadline, with how long it took and where",
      status.DEADLINE_EXCEEDED,
      "Deadline exceeded after 10.004s,LB pick: 0.002s,remote_addr=/csi.sock",
      "rpc error: code = DeadlineExceeded desc = context deadline exceeded",
    ],
    [
      "a deadline that the driver noticed first",
      status.DEADLINE_EXCEEDED,
      "Deadline exceeded",
      "rpc error: code = DeadlineExceeded desc = context deadline exceeded",
    ],
  ])("%s", (_, code, details, message) => {
    expect(csiErrorFrom(report(code, details), call).message).toBe(message);
  });

  test.each([
    "timed out waiting for volume vol-1 (2026-01-02T03:04:05.678Z)",
    "deadline exceeded while waiting for volume vol-1",
  ])("what the driver says is kept word for word: %s", (details) => {
    expect(csiErrorFrom(report(status.DEADLINE_EXCEEDED, details), call).description).toBe(details);
  });
});

describe("secrets", () => {
  test("one that the driver repeats is taken out of the message", () => {
    const error = csiErrorFrom(report(status.UNAUTHENTICATED, "login hunter22 of admin failed: hunter22"), {
      ...call,
      secrets: ["hunter22", "no"],
    });
    expect(error.message).toBe(
      "rpc error: code = Unauthenticated desc = login ***stripped*** of admin failed: ***stripped***",
    );
  });

  test("no secret of four characters or more is left, however they overlap", () => {
    const word = fc.string({ unit: fc.constantFrom("p", "q", "7"), minLength: 4, maxLength: 8 });
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 4 }),
        fc.array(word, { maxLength: 4 }),
        (secrets, noise) => {
          const details = [...secrets, ...noise].join(" ");
          const { message, cause } = csiErrorFrom(report(status.INTERNAL, details), { ...call, secrets });
          expect(secrets.filter((secret) => message.includes(secret))).toEqual([]);
          expect(cause).toBeUndefined();
        },
      ),
      { seed: 284 },
    );
  });
});
