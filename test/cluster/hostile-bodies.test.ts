/** Bodies that nobody means well: each is answered with a Status, and the next client is served. */
import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { heldMegabytes, type Sending, startTarget, type Target } from "./target.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const YAML = "application/yaml";
const PROTOBUF = "application/vnd.kubernetes.protobuf";
const MEGABYTES = 3 * 2 ** 20;

let target: Target;
beforeAll(async () => {
  target = await startTarget();
});
afterEach(() => target.isFine());
afterAll(() => target[Symbol.asyncDispose]());

const nested = (open: string, close: string, times: number) => `${open.repeat(times)}1${close.repeat(times)}`;
const tenTimes = (name: string) => `[${Array.from({ length: 10 }, () => `*${name}`).join(",")}]`;
const laughs = "bcdefghij".split("").map((name, index) => `${name}: &${name} ${tenTimes("abcdefghi".charAt(index))}`);

describe("a body that is none", () => {
  test.each<[string, Sending]>([
    ["nothing", { body: "" }],
    ["half of an object", { body: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a' }],
    ["no end of lists", { body: "[".repeat(MEGABYTES) }],
    ["a list of a million", { body: `[${"1,".repeat(1_000_000)}1]` }],
    ["nested objects", { body: `{"apiVersion":"v1","kind":"ConfigMap","x":${nested('{"a":', "}", 100_000)}}` }],
    ["text", { body: "hello" }],
    ["a number", { body: "1e999999" }],
    ["bytes that are no text", { body: Buffer.from("ff".repeat(100_000), "hex") }],
    ["half a character", { body: Buffer.from('{"kind":"\ud800"}', "utf16le") }],
    ["a kind that is an object", { body: '{"apiVersion":"v1","kind":{"a":1}}' }],
    ["a kind that is another", { body: { apiVersion: "v1", kind: "Secret", metadata: { name: "a" } } }],
    ["YAML that laughs a billion times", { type: YAML, body: `a: &a [x,x]\n${laughs.join("\n")}` }],
    ["YAML nested in lines", { type: YAML, body: "- ".repeat(100_000) }],
    ["YAML that refers to itself", { type: YAML, body: "a: &a\n  b: *a\n" }],
    ["YAML with a tag of its own", { type: YAML, body: "!!js/function 'x'" }],
    ["protobuf without a beginning", { type: PROTOBUF, body: Buffer.alloc(1000, 0xff) }],
    ["protobuf of endless length", { type: PROTOBUF, body: Buffer.from("6b38730012ffffffffffffffff7f", "hex") }],
    ["a gzip of nothing", { headers: { "content-encoding": "gzip" }, body: "hello" }],
    ["half a gzip", { headers: { "content-encoding": "gzip" }, body: gzipSync("{}").subarray(0, 12) }],
  ])("%s", async (_, sending) => {
    const { code, json } = await target.send("POST", MAPS, sending);
    expect(json).toMatchObject({ kind: "Status", status: "Failure", code: 400, reason: "BadRequest" });
    expect(code).toBe(400);
  });

  test.each<[string, Sending, number]>([
    ["more than 3 MiB", { body: "x".repeat(MEGABYTES + 1) }, 413],
    [
      "a gzip that unfolds",
      { headers: { "content-encoding": "gzip" }, body: gzipSync(Buffer.alloc(100 * 2 ** 20)) },
      413,
    ],
    ["an encoding that nobody knows", { headers: { "content-encoding": "br" }, body: "x" }, 415],
    ["a type that nobody knows", { type: "application/x-evil", body: "x" }, 415],
  ])("%s", async (_, sending, code) => {
    expect((await target.send("POST", MAPS, sending)).json).toMatchObject({ kind: "Status", code });
  });
});

/** Random bytes, as a message of protobuf that says it is a claim, and as the JSON and YAML of one. */
test("claims with random bytes inside (seed 31)", async () => {
  const head = Buffer.from("k8s\0\n\x1b\n\x02v1\x12\x15PersistentVolumeClaim\x12", "latin1");
  const forms = [
    (raw: Uint8Array) => ({ type: PROTOBUF, body: Buffer.concat([head, Buffer.from([raw.length]), raw]) }),
    (raw: Uint8Array) => ({ type: PROTOBUF, body: Buffer.concat([Buffer.from("k8s\0"), raw]) }),
    (raw: Uint8Array) => ({ type: YAML, body: raw }),
    (raw: Uint8Array) => ({ body: Buffer.concat([Buffer.from('{"spec":'), raw]) }),
  ];
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 100 }), fc.constantFrom(...forms), async (raw, form) => {
      const path = "/api/v1/namespaces/default/persistentvolumeclaims";
      const { code, json } = await target.send("POST", path, form(raw));
      expect([400, 422]).toContain(code);
      expect(json).toMatchObject({ kind: "Status", code });
    }),
    { seed: 31, numRuns: 400 },
  );
});

describe("objects that are too large", () => {
  const map = (name: string, metadata: object, more: object = {}) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, ...metadata },
    ...more,
  });
  const many = (count: number, value = "") =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, value]));

  test("annotations of a megabyte", async () => {
    const { json } = await target.send("POST", MAPS, { body: map("a", { annotations: { a: "x".repeat(2 ** 20) } }) });
    expect(json).toMatchObject({
      code: 422,
      message: 'ConfigMap "a" is invalid: metadata.annotations: Too long: may not be more than 262144 bytes',
    });
  });

  test("data of two megabytes", async () => {
    const { json } = await target.send("POST", MAPS, { body: map("d", {}, { data: { a: "x".repeat(2 ** 21) } }) });
    expect(json).toMatchObject({
      code: 422,
      message: expect.stringContaining("Too long: may not be more than 1048576"),
    });
  });

  test("labels that do not fit into an object with who owns them", async () => {
    const { json } = await target.send("POST", MAPS, { body: map("l", { labels: many(100_000, "x".repeat(10)) }) });
    expect(json).toMatchObject({ code: 413, reason: "RequestEntityTooLarge" });
  });

  test("names, finalizers and owners that are too many or too long", async () => {
    const name = "x".repeat(100_000);
    for (const metadata of [{ name }, { generateName: name }, { finalizers: [name] }, { labels: { [name]: name } }]) {
      const { json } = await target.send("POST", MAPS, { body: map("n", metadata) });
      expect(json).toMatchObject({ kind: "Status", code: 422, reason: "Invalid" });
    }
  });

  test("none of it stays in memory", async () => {
    const before = await heldMegabytes();
    for (let time = 0; time < 30; time++) {
      await target.send("POST", MAPS, { body: map("m", { annotations: { a: `${time}${"x".repeat(2 ** 20)}` } }) });
    }
    expect((await heldMegabytes()) - before).toBeLessThan(15);
  });
});
