import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../json.ts";
import { protobufEvent, protobufList, protobufObject } from "./answers.ts";
import { canonicalObject } from "./canonical.ts";
import { decodeMessage } from "./decode.ts";
import { encodeMessage } from "./encode.ts";
import { decodeProtobuf } from "./envelope.ts";

/** Bodies as client-go writes them, with the JSON of the same object after a round trip. */
const BODIES = JSON.parse(readFileSync(new URL("testdata/bodies.json", import.meta.url), "utf8")) as {
  name: string;
  body: string;
  json: JsonObject & { apiVersion: string; kind: string };
}[];

describe("what is written is what is read", () => {
  test.each(BODIES.filter(({ json }) => json.kind !== "DeleteOptions"))("$name", ({ json }) => {
    const { apiVersion, kind } = json;
    // As it would be stored: a time that is there and zero is none there.
    expect(canonicalObject(decodeProtobuf(protobufObject(json), { apiVersion, kind }))).toEqual(canonicalObject(json));
  });

  test.each([0, 1, 127, 128, 300, 2 ** 31 - 1, 2 ** 31, 2 ** 40, Number.MAX_SAFE_INTEGER, -1, -(2 ** 31), -(2 ** 40)])(
    "the number %d",
    (generation) => {
      expect(decodeMessage("meta.v1.ObjectMeta", encodeMessage("meta.v1.ObjectMeta", { generation }))).toEqual(
        generation === 0 ? {} : { generation },
      );
    },
  );

  test.each(["1970-01-01T00:00:00Z", "2026-01-01T12:34:56Z", "1969-12-31T23:59:59Z"])("the time %s", (time) => {
    const bytes = encodeMessage("meta.v1.ObjectMeta", { creationTimestamp: time });
    expect(decodeMessage("meta.v1.ObjectMeta", bytes)).toEqual({ creationTimestamp: time });
  });

  test.each(["2026-01-01T12:34:56.000001Z", "2026-01-01T12:34:56.123456Z", "2026-01-01T12:34:56.000000Z"])(
    "the moment %s",
    (renewTime) => {
      const bytes = encodeMessage("coordination.v1.LeaseSpec", { renewTime });
      expect(decodeMessage("coordination.v1.LeaseSpec", bytes)).toEqual({ renewTime });
    },
  );
});

test("a value that does not fit is left out, and breaks nothing", () => {
  const odd = { name: 7, generation: "x", labels: [], finalizers: {}, creationTimestamp: "soon", ownerReferences: [1] };
  expect(decodeMessage("meta.v1.ObjectMeta", encodeMessage("meta.v1.ObjectMeta", odd))).toMatchObject({});
});

test("a list has its metadata and its items, a refusal its causes, an event its length in front", () => {
  const head = { kind: "ConfigMapList", apiVersion: "v1", metadata: { resourceVersion: "7", remainingItemCount: 3 } };
  const list = protobufList(head, [{ metadata: { name: "a" } }, { metadata: { name: "b" } }]);
  expect(list.subarray(0, 4).toString("latin1")).toBe("k8s\0");
  const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", code: 404 };
  const event = protobufEvent("ERROR", protobufObject(status));
  expect(event.readUInt32BE()).toBe(event.length - 4);
});

test("what has no message was not to be asked for", () => {
  expect(() => protobufObject({ apiVersion: "example.com/v1", kind: "Thing" })).toThrow("has no message");
  expect(() => protobufList({ apiVersion: "example.com/v1", kind: "ThingList" }, [])).toThrow("has no message");
});
