import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OutgrowError } from "../../core/errors.ts";
import { Quantity } from "../../core/quantity.ts";
import { aSet } from "./fixtures.ts";
import { checkWish, formatWish, parseWish, readWish } from "./wish.ts";

const SEED = 661;

function entries(text: string): [string, string][] {
  return [...parseWish(text)].map(([template, size]) => [template, size.toString()]);
}

describe("a wish is read", () => {
  it.each([
    ["one template", "data=200Gi", [["data", "200Gi"]]],
    [
      "several, in the order written",
      "wal=20Gi,data=200Gi",
      [
        ["wal", "20Gi"],
        ["data", "200Gi"],
      ],
    ],
    [
      "with blanks",
      " data = 200Gi , wal=20Gi ",
      [
        ["data", "200Gi"],
        ["wal", "20Gi"],
      ],
    ],
    ["in another notation", "data=204800Mi", [["data", "200Gi"]]],
    ["with a template whose name has dots and dashes", "mysql-data.v2=1.5Ti", [["mysql-data.v2", "1536Gi"]]],
    ["as nothing when it is empty", "  ", []],
  ])("%s", (_, text, expected) => {
    expect(entries(text)).toEqual(expected);
  });
});

describe("a malformed wish is refused, and the message names the entry and shows a right one", () => {
  it.each([
    ["no size", "data", '"data" is not a template and its size'],
    ["an empty size", "data=", '"data=" is not a template and its size'],
    ["no template", "=200Gi", '"=200Gi" is not a template and its size'],
    ["two signs", "data=wal=1Gi", '"data=wal=1Gi" is not a template and its size'],
    ["an empty entry", "data=1Gi,,wal=1Gi", '"" is not a template and its size'],
    ["a comma at the end", "data=1Gi,", '"" is not a template and its size'],
    ["a size that is none", "data=big", '"data=big": "big" is not a size'],
    ["a unit that Kubernetes does not know", "data=200GB", '"data=200GB": "200GB" is not a size'],
    ["zero", "data=0", '"data=0": a size must be more than zero'],
    ["less than zero", "data=-1Gi", '"data=-1Gi": a size must be more than zero'],
    ["a template named twice", "data=1Gi,data=2Gi", '"data=2Gi": template "data" is named twice'],
  ])("%s", (_, text, problem) => {
    const read = () => parseWish(text);
    expect(read).toThrow(
      new OutgrowError(
        "WISH_MALFORMED",
        `${problem}; write TEMPLATE=SIZE, several separated by commas, for example data=200Gi,wal=20Gi`,
      ),
    );
    expect(read).toThrow(expect.objectContaining({ code: "WISH_MALFORMED" }));
  });

  it("says on which set the annotation is", () => {
    expect(() => readWish(aSet({ wish: "data" }))).toThrow(
      /^StatefulSet prod\/db: annotation outgrow\.dev\/claims: "data" is not a template/,
    );
  });
});

it("a set without the annotation has no wish, one with an empty annotation wishes for nothing", () => {
  expect(readWish(aSet())).toBeUndefined();
  expect(readWish(aSet({ wish: "" }))?.size).toBe(0);
});

it("what is written is read as the same wish", () => {
  const name = fc.stringMatching(/^[a-z0-9]([-a-z0-9.]{0,20}[a-z0-9])?$/);
  const quantity = fc.bigInt({ min: 1n, max: 1n << 60n }).map((bytes) => Quantity.bytes(bytes));
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(name, quantity), { selector: ([template]) => template }), (pairs) => {
      const again = parseWish(formatWish(new Map(pairs)));
      expect([...again.keys()]).toEqual(pairs.map(([template]) => template));
      for (const [template, size] of pairs) expect(again.get(template)?.equals(size)).toBe(true);
    }),
    { seed: SEED },
  );
});

describe("a wish is checked against the set", () => {
  it("a template that the set does not have is named, with those that it has", () => {
    expect(checkWish(parseWish("data=1Gi,dta=2Gi"), aSet())).toEqual([
      { template: "dta", message: 'StatefulSet prod/db has no claim template "dta"; it has data, wal' },
    ]);
  });

  it("a set without templates says so", () => {
    expect(checkWish(parseWish("data=1Gi"), aSet({ templates: {} }))[0]?.message).toBe(
      'StatefulSet prod/db has no claim template "data"; it has no claim templates',
    );
  });
});
