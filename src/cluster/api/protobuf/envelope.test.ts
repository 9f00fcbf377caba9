import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BUILT_IN } from "../kinds/built-in.ts";
import { groupVersionOf } from "../kinds/kind.ts";
import { StatusError } from "../status-error.ts";
import { decodeProtobuf } from "./envelope.ts";
import { kindMessage } from "./table.ts";

/** Bodies as client-go writes them, with the JSON of the same object after a round trip. */
const BODIES = JSON.parse(readFileSync(new URL("testdata/bodies.json", import.meta.url), "utf8")) as {
  name: string;
  body: string;
  json: { apiVersion: string; kind: string };
}[];

const POD = { apiVersion: "v1", kind: "Pod" };
const CRD = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" };

const bodyOf = (name: string) => Buffer.from(BODIES.find((each) => each.name === name)?.body ?? "", "base64");

function varint(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) + 128);
  }
}

/** A field that is a stretch of bytes. */
function field(number: number, content: Uint8Array | string): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(bytes.length)]), bytes]);
}

function envelope(raw: Uint8Array, { apiVersion, kind } = POD): Buffer {
  const typeMeta = Buffer.concat([field(1, apiVersion), field(2, kind)]);
  return Buffer.concat([Buffer.from("k8s\0"), field(1, typeMeta), field(2, raw), field(3, ""), field(4, "")]);
}

/** The object, or the refusal; anything else that is thrown is a bug. */
function outcome(body: Uint8Array, expected = POD): object {
  try {
    return decodeProtobuf(body, expected);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    expect(error).toMatchObject({ code: 400, reason: "BadRequest" });
    return error;
  }
}

describe("a body that client-go writes becomes the JSON of the same object", () => {
  test.each(BODIES)("$name", ({ body, json }) => {
    expect(decodeProtobuf(Buffer.from(body, "base64"), POD)).toEqual(json);
  });

  test("keys come in the order in which Go writes them", () => {
    const { body, json } = BODIES.find(({ name }) => name === "v1/Pod: everything is said")!;
    expect(JSON.stringify(decodeProtobuf(Buffer.from(body, "base64"), POD))).toBe(JSON.stringify(json));
  });

  test("every kind that is stored can be read", () => {
    expect(BUILT_IN.filter((kind) => kindMessage(groupVersionOf(kind), kind.kind) === undefined)).toEqual([]);
  });
});

describe("what a body says of its kind", () => {
  test("is the expected kind when it says nothing", () => {
    const body = envelope(new Uint8Array(), { apiVersion: "", kind: "" });
    expect(decodeProtobuf(body, { apiVersion: "v1", kind: "Secret" })).toEqual({
      apiVersion: "v1",
      kind: "Secret",
      metadata: {},
    });
  });

  test("stands, also where another was expected: the handler tells them apart", () => {
    expect(decodeProtobuf(envelope(new Uint8Array(), { apiVersion: "v1", kind: "ConfigMap" }), POD)).toMatchObject({
      kind: "ConfigMap",
    });
  });

  test("may be any version for DeleteOptions", () => {
    const options = { apiVersion: "apps/v1", kind: "DeleteOptions" };
    const body = envelope(Buffer.from([8, 0]), options);
    expect(decodeProtobuf(body, options)).toEqual({ ...options, gracePeriodSeconds: 0 });
  });
});

describe("values", () => {
  const claim = { apiVersion: "v1", kind: "PersistentVolumeClaim" };
  const request = (size: string) => {
    const entry = Buffer.concat([field(1, "storage"), field(2, field(1, size))]);
    return envelope(field(2, field(2, field(2, entry))), claim);
  };

  test("sizes are in their canonical form", () => {
    expect(decodeProtobuf(request("1024Mi"), claim)).toMatchObject({
      spec: { resources: { requests: { storage: "1Gi" } } },
    });
  });

  test("a size that cannot be read is refused", () => {
    expect(outcome(request("a lot"))).toMatchObject({
      message: 'PersistentVolumeClaim in version "v1" cannot be handled as a Pod: unable to parse a quantity',
    });
  });

  test("text that is not UTF-8 becomes replacement characters", () => {
    const body = envelope(field(1, field(1, Buffer.from([0x61, 0xff]))));
    expect(decodeProtobuf(body, POD)).toMatchObject({ metadata: { name: "a\ufffd" } });
  });

  test("a label called __proto__ is a label", () => {
    const entry = Buffer.concat([field(1, "__proto__"), field(2, "x")]);
    const { metadata } = decodeProtobuf(envelope(field(1, field(11, entry))), POD) as { metadata: { labels: object } };
    expect(Object.entries(metadata.labels)).toEqual([["__proto__", "x"]]);
  });

  test.each([
    ["64 bits", [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1], -1],
    ["2^31", [0x80, 0x80, 0x80, 0x80, 8], 2 ** 31],
    ["2^32", [0x80, 0x80, 0x80, 0x80, 16], 2 ** 32],
    ["2^40", [0x80, 0x80, 0x80, 0x80, 0x80, 0x20], 2 ** 40],
  ])("a number of %s keeps its value", (_, bytes, grace) => {
    const options = { apiVersion: "v1", kind: "DeleteOptions" };
    expect(decodeProtobuf(envelope(Buffer.from([8, ...bytes]), options), options)).toMatchObject({
      gracePeriodSeconds: grace,
    });
  });

  test("numbers of a list may come packed or one by one", () => {
    const security = (bytes: number[]) => envelope(field(2, field(14, Buffer.from(bytes))));
    const groups = { spec: { securityContext: { supplementalGroups: [1, 300] } } };
    expect(decodeProtobuf(security([0x20, 1, 0x20, 0xac, 2]), POD)).toMatchObject(groups);
    expect(decodeProtobuf(security([0x22, 3, 1, 0xac, 2]), POD)).toMatchObject(groups);
  });

  test("fields that nobody knows are passed over", () => {
    const unknown = Buffer.concat([field(9999, "x"), Buffer.from([0xfd, 0x7d, 1, 2, 3, 4])]);
    expect(decodeProtobuf(envelope(unknown), POD)).toEqual(decodeProtobuf(envelope(new Uint8Array()), POD));
  });
});

describe("hostile input is refused with a 400", () => {
  const unrecognized = "the object provided is unrecognized (must be of type Pod): ";
  const handled = 'Pod in version "v1" cannot be handled as a Pod: ';
  const schemas = (levels: number) => {
    let schema: Buffer = Buffer.alloc(0);
    for (let level = 0; level < levels; level++) schema = field(28, schema);
    return envelope(field(2, field(7, field(4, field(1, schema)))), CRD);
  };

  test.each([
    ["nothing", Buffer.alloc(0), `${unrecognized}empty data (<empty>)`],
    [
      "JSON",
      Buffer.from('{"a"'),
      `${unrecognized}provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] ({"a")`,
    ],
    ["the prefix alone", Buffer.from("k8s\0"), `${unrecognized}empty body (6b387300)`],
    ["an unfinished number", Buffer.from("k8s\0\x80"), `${unrecognized}unexpected EOF (6b387300c280)`],
    ["a length past the end", Buffer.from("k8s\0\x0a\x7f"), `${unrecognized}unexpected EOF (6b3873000a7f)`],
    ["a length of 4 GB", envelope(Buffer.from([10, 0xff, 0xff, 0xff, 0xff, 15])), `${handled}unexpected EOF`],
    ["a length of 2^63", envelope(Buffer.from([10, ...Array(9).fill(0x80), 1])), `${handled}invalid length`],
    ["a number without end", envelope(Buffer.from([10, ...Array(20).fill(0x80)])), `${handled}integer overflow`],
    ["field zero", envelope(Buffer.from([2, 0])), `${handled}illegal tag 0 (wire type 2)`],
    ["a group", envelope(Buffer.from([11, 12])), `${handled}illegal wireType 3`],
    ["a number where a message belongs", envelope(Buffer.from([8, 1])), `${handled}wrong wireType = 0 for field 1`],
    [
      "a kind that is not there",
      envelope(new Uint8Array(), { apiVersion: "v9", kind: "__proto__" }),
      '__proto__ in version "v9" cannot be handled as a Pod: no kind "__proto__" is registered for version "v9"',
    ],
  ])("%s", (_, body, message) => {
    expect(outcome(body)).toMatchObject({ message });
  });

  test("messages that nest without end", () => {
    expect(outcome(schemas(400), CRD)).not.toBeInstanceOf(StatusError);
    expect(outcome(schemas(5000), CRD)).toMatchObject({ message: expect.stringContaining("exceeded max depth") });
  });

  test("JSON that nests without end inside of a message", () => {
    const revision = { apiVersion: "apps/v1", kind: "ControllerRevision" };
    const deep = envelope(field(2, field(1, "[".repeat(100_000))), revision);
    expect(outcome(deep, revision)).toMatchObject({ message: expect.stringContaining("nested too deeply") });
  });

  test("a million empty containers, two bytes each", () => {
    const containers = Buffer.alloc(2_000_000, Buffer.from([0x12, 0]));
    expect(outcome(envelope(field(2, containers)))).toMatchObject({
      message: `${handled}more than 200000 values`,
    });
  });

  test("every beginning of a body is either an object or refused", () => {
    const body = bodyOf("v1/PersistentVolumeClaim: everything is said");
    const results = Array.from(body.keys(), (length) => outcome(body.subarray(0, length)));
    expect(results.filter((result) => result instanceof StatusError).length).toBeGreaterThan(body.length / 2);
  });

  test("bytes at random, in the envelope and without", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.constantFrom(...BODIES), (bytes, { json }) => {
        expect(outcome(Buffer.concat([Buffer.from("k8s\0"), bytes]))).toBeTypeOf("object");
        expect(outcome(envelope(bytes, json), json)).toBeTypeOf("object");
      }),
      { seed: 20_250_101, numRuns: 2000 },
    );
  });

  test("bodies with a few bytes changed", () => {
    const change = fc.tuple(fc.nat(), fc.nat(255));
    const changes = fc.array(change, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.constantFrom(...BODIES), changes, ({ body, json }, edits) => {
        const bytes = Buffer.from(body, "base64");
        for (const [at, value] of edits) bytes[4 + (at % (bytes.length - 4))] = value;
        expect(outcome(bytes, json)).toBeTypeOf("object");
      }),
      { seed: 20_250_102, numRuns: 2000 },
    );
  });
});
