import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { Json } from "../json.ts";
import { writerFor, writerForRefusal } from "./choose.ts";
import { JSON_WRITER, PRETTY_WRITER, type Text, type Writer, YAML_WRITER } from "./writer.ts";

const wholeOf = (text: Text): string => {
  if (typeof text === "string" || Buffer.isBuffer(text)) return String(text);
  return Array.from(text).join("");
};
const read = (writer: Writer, text: Text): unknown => {
  const whole = wholeOf(text);
  return writer === YAML_WRITER ? parse(whole, { version: "1.1" }) : JSON.parse(whole);
};

describe.each([JSON_WRITER, PRETTY_WRITER, YAML_WRITER])("$name", (writer) => {
  const objects = fc.array(
    fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue() as fc.Arbitrary<Json>, { noNullPrototype: true }),
  );

  test("says of an object and of a list what JSON says of them", () => {
    fc.assert(
      fc.property(objects, (items) => {
        fc.pre(!JSON.stringify(items).includes("__proto__") && !JSON.stringify(items).includes("-0"));
        const head = { kind: "ThingList", apiVersion: "v1", metadata: { resourceVersion: "7" } };
        const texts = items.map((item) => JSON.stringify(item));
        expect(read(writer, writer.list(head, texts))).toEqual(JSON.parse(JSON.stringify({ ...head, items })));
        for (const text of texts) expect(read(writer, writer.object(text))).toEqual(JSON.parse(text));
      }),
      { seed: 20_261_118, numRuns: 200 },
    );
  });

  test("a long list comes in pieces, and no item is made before it is asked for", () => {
    let made = 0;
    function* items(): Generator<string, void> {
      for (; made < 10_000; made++) yield JSON.stringify({ name: `item-${made}`, text: "x".repeat(100) });
    }
    const text = writer.list({ kind: "L", apiVersion: "v1" }, items());
    const pieces = (text as Iterable<string>)[Symbol.iterator]();
    pieces.next();
    expect(made).toBeLessThan(3000);
    for (let next = pieces.next(); next.done !== true; next = pieces.next())
      expect(next.value.length).toBeLessThan(2 ** 18);
    expect(made).toBe(10_000);
  });
});

test("for people it is laid out as JSON.stringify lays out the whole", () => {
  const list = { kind: "L", apiVersion: "v1", metadata: {}, items: [{ a: [1, {}], b: { c: [] } }, {}] };
  const { items, ...head } = list;
  const write = (of: readonly object[]) => {
    const texts = of.map((item) => JSON.stringify(item));
    return wholeOf(PRETTY_WRITER.list(head, texts));
  };
  expect(write(items)).toBe(JSON.stringify(list, null, 2));
  expect(write([])).toBe(JSON.stringify({ ...head, items: [] }, null, 2));
});

describe("which one it is", () => {
  const plain = { encoding: "json", pretty: false } as const;
  test.each([
    ["outgrow/1", "", JSON_WRITER],
    ["curl/8.5.0", "", PRETTY_WRITER],
    ["Mozilla/5.0 (X11)", "", PRETTY_WRITER],
    ["curl/8.5.0", "pretty=false", JSON_WRITER],
    ["curl/8.5.0", "pretty=", PRETTY_WRITER],
    ["outgrow/1", "pretty=1", PRETTY_WRITER],
    ["outgrow/1", "pretty=nonsense", JSON_WRITER],
  ])("for %s with ?%s", (agent, query, writer) => {
    expect(writerFor(plain, new URLSearchParams(query), agent)).toBe(writer);
  });

  test("a refusal is told whatever the client takes", () => {
    const none = new URLSearchParams();
    expect(writerForRefusal("application/yaml", none, "")).toBe(YAML_WRITER);
    expect(writerForRefusal("text/html", none, "")).toBe(PRETTY_WRITER);
    expect(writerForRefusal(undefined, none, "")).toBe(JSON_WRITER);
  });
});
