/** Whatever the bytes are: an object or a refusal, never anything else, and in no more memory than they deserve. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { StatusError } from "../status-error.ts";
import { decodeBody } from "./index.ts";

const POD = { apiVersion: "v1", kind: "Pod", type: "any", custom: false } as const;
const THING = { apiVersion: "example.com/v1", kind: "Thing", type: "any", custom: true } as const;
const FORMS = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"];
const MEGABYTES = 3 * 1024 * 1024;

/** `read`, or the code and the message of the refusal. */
function outcome(body: string | Uint8Array, contentType: string, expected: typeof POD | typeof THING = POD): string {
  try {
    decodeBody(Buffer.from(body), contentType, expected, "Strict");
    return "read";
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return `${error.code} ${error.message}`;
  }
}

describe("nested without end", () => {
  test.each([
    ["lists in JSON", "[".repeat(MEGABYTES), "application/json"],
    ["objects in JSON", '{"a":'.repeat(100_000), "application/json"],
    ["closed lists in JSON", `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, "application/json"],
    ["lists in YAML", "[".repeat(MEGABYTES), "application/yaml"],
    ["mappings in YAML", "{a: ".repeat(100_000), "application/yaml"],
    ["lists in a line of YAML", "- ".repeat(100_000), "application/yaml"],
    ["keys in a line of YAML", "? ".repeat(100_000), "application/yaml"],
    [
      "mappings in lines of YAML",
      Array.from({ length: 2000 }, (_, depth) => `${" ".repeat(depth)}a:\n`).join(""),
      "application/yaml",
    ],
  ])("%s", (_, body, contentType) => {
    expect(outcome(body, contentType)).toMatch(/^400 .*exceeded max depth/);
  });
});

describe("more values than any object has", () => {
  test.each([
    ["items of a list", `{"a":[${"{},".repeat(250_000)}{}]}`],
    ["fields of an object", `{${'"a":1,'.repeat(250_000)}"a":1}`],
    ["both", `{"a":[${'{"b":1,"c":2},'.repeat(125_000)}0]}`],
  ])("%s", (_, body) => {
    expect(outcome(body, "application/json")).toMatch(/^400 .*exceeded max number of 250000 values/);
  });
});

describe("much from little", () => {
  const tenTimes = (name: string) => `[${Array.from({ length: 10 }, () => `*${name}`).join(",")}]`;
  const laughs = "bcdefghij".split("").map((name, index) => `${name}: &${name} ${tenTimes("abcdefghi".charAt(index))}`);

  test.each([
    ["a billion laughs", ["a: &a [x,x,x,x,x,x,x,x,x,x]", ...laughs].join("\n")],
    ["one long text many times", `a: &a "${"x".repeat(1_000_000)}"\nb: [${"*a,".repeat(50_000)}]`],
  ])("%s", (_, body) => {
    expect(outcome(body, "application/yaml")).toMatch(/^400 .*document contains excessive aliasing/);
  });

  test("more pieces than a document may have", () => {
    expect(outcome("a: b\n".repeat(200_000), "application/yaml")).toMatch(/^400 .*more than \d+ tokens/);
  });

  test("a long name with many findings below it", () => {
    const twice = '"a":1,'.repeat(100_000);
    const body = `{"apiVersion":"example.com/v1","kind":"Thing","${"k".repeat(1_000_000)}":{${twice}"b":{${twice}"c":1}}}`;
    expect(outcome(body, "application/json", THING).length).toBeLessThan(5_000_000);
  });
});

test.each([
  ["a number of a million digits", `{"spec":{"priority":${"1".repeat(1_000_000)}}}`],
  ["a size of a million digits", `{"spec":{"overhead":{"cpu":"${"1".repeat(1_000_000)}x"}}}`],
  ["an exponent without end", `{"spec":{"overhead":{"cpu":1e${"9".repeat(1000)}}}}`],
])("%s", (_, body) => {
  expect(outcome(body, "application/json")).toMatch(/^400 /);
});

test.each(FORMS)("random bytes as %s (seed 11)", (contentType) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(outcome(bytes, contentType)).toMatch(/^(?:read$|400 )/);
    }),
    { seed: 11, numRuns: 500 },
  );
});

test("protobuf with random bytes inside (seed 12)", () => {
  const envelope = (raw: Uint8Array) =>
    Buffer.concat([Buffer.from("k8s\0\n\x09\n\x02v1\x12\x03Pod\x12", "latin1"), Buffer.from([raw.length]), raw]);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 120 }), (raw) => {
      expect(outcome(envelope(raw), "application/vnd.kubernetes.protobuf")).toMatch(/^(?:read$|400 )/);
    }),
    { seed: 12, numRuns: 500 },
  );
});

test.each(["application/json", "application/yaml"])("random pieces of %s (seed 13)", (contentType) => {
  const piece = fc.constantFrom(
    ..."{}[]:,-?&*!|>'\"%@`#~ \n\t".split(""),
    "<<",
    "&a",
    "*a",
    "a: ",
    "- ",
    "kind",
    "spec",
    "\\u",
    "1e9",
    "!!int ",
    "---\n",
    "\ud800",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      expect(outcome(pieces.join(""), contentType)).toMatch(/^(?:read$|400 )/);
    }),
    { seed: 13, numRuns: 3000 },
  );
});
