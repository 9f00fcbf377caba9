import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeFlags, type Flag, type ParsedFlags, parseGoFlags, readDuration } from "./go-flags.ts";

const FLAGS = {
  name: { kind: "string", default: "nobody", help: "Who." },
  on: { kind: "switch", default: "false", help: "Whether." },
  off: { kind: "switch", default: "true", help: "Whether not." },
  count: { kind: "integer", default: "3", help: "How many." },
  rate: { kind: "number", default: "0.5", help: "How often." },
  wait: { kind: "duration", default: "10s", help: "How long." },
} satisfies Record<string, Flag>;

const parse = (...argv: string[]): ParsedFlags<keyof typeof FLAGS> => parseGoFlags(FLAGS, argv);
const usage = (message: string) => expect.objectContaining({ code: "USAGE", message });

describe("forms", () => {
  test.each([
    [["-name", "a"]],
    [["--name", "a"]],
    [["-name=a"]],
    [["--name=a"]],
    [["--name=b", "-name", "a"]],
    [["--name", "a", "--"]],
  ])("%j", (argv) => {
    expect(parse(...argv).text("name")).toBe("a");
  });

  test.each([
    [["--name=a=b"], "a=b"],
    [["--name", "--on"], "--on"],
    [["--name="], ""],
    [["--name", ""], ""],
    [["--name", "-5"], "-5"],
  ])("a value may look like anything: %j", (argv, value) => {
    expect(parse(...argv).text("name")).toBe(value);
  });

  test("without a flag its default counts, and is not taken for given", () => {
    const flags = parse("--count=3");
    expect([flags.text("name"), flags.isOn("on"), flags.isOn("off"), flags.number("count")]).toEqual([
      "nobody",
      false,
      true,
      3,
    ]);
    expect([flags.number("rate"), flags.duration("wait")]).toEqual([0.5, 10_000]);
    expect([...flags.given]).toEqual(["count"]);
  });
});

describe("switches", () => {
  test.each(["-on", "--on", "--on=1", "--on=t", "--on=T", "--on=true", "--on=TRUE", "--on=True"])(
    "%s is on",
    (word) => {
      expect(parse(word).isOn("on")).toBe(true);
    },
  );

  test.each(["0", "f", "F", "false", "FALSE", "False"])("--off=%s is off", (value) => {
    expect(parse(`--off=${value}`).isOn("off")).toBe(false);
  });

  test("takes no value without =: the word after it is no flag", () => {
    expect(() => parse("--on", "true")).toThrow(usage('"true" is not a flag; flags begin with - or --'));
  });

  test.each(["yes", "on", "", "tRUE"])("--on=%s is refused", (value) => {
    expect(() => parse(`--on=${value}`)).toThrow(
      usage(`invalid value ${JSON.stringify(value)} for flag -on: write true or false`),
    );
  });
});

describe("what is refused", () => {
  test.each<[string[], string]>([
    [["--nam=a"], "flag provided but not defined: -nam"],
    [["--toString"], "flag provided but not defined: -toString"],
    [["--name"], "flag needs an argument: -name"],
    [["name"], '"name" is not a flag; flags begin with - or --'],
    [["-"], '"-" is not a flag; flags begin with - or --'],
    [["---name=a"], '"---name=a" is not a flag; flags begin with - or --'],
    [["--=a"], '"--=a" is not a flag; flags begin with - or --'],
    [[""], '"" is not a flag; flags begin with - or --'],
    [["--", "more"], '"--" is not a flag; flags begin with - or --'],
  ])("%j", (argv, message) => {
    expect(() => parse(...argv)).toThrow(usage(message));
  });

  test.each(["", "a", "1.5", "1e3", "0x10", "010", " 1", "1_000", "99999999999999999999"])("a count of %j", (value) => {
    expect(() => parse(`--count=${value}`)).toThrow(
      usage(`invalid value ${JSON.stringify(value)} for flag -count: write a whole number`),
    );
  });

  test.each(["", "a", " ", "1,5", "Infinity", "NaN", "0x1", "1e999"])("a rate of %j", (value) => {
    expect(() => parse(`--rate=${value}`)).toThrow(
      usage(`invalid value ${JSON.stringify(value)} for flag -rate: write a number`),
    );
  });

  test.each(["", "5", "s", "1d", "1h 5m", "1s2", ".s", "1,5s", "--1s"])("a wait of %j", (value) => {
    expect(() => parse(`--wait=${value}`)).toThrow(
      usage(`invalid value ${JSON.stringify(value)} for flag -wait: write a duration, for example 10s, 1m30s or 500ms`),
    );
  });
});

test.each([
  ["0", 0],
  ["-7", -7],
  ["+7", 7],
])("a count of %s is %d", (value, count) => {
  expect(parse("--count", value).number("count")).toBe(count);
});

test.each([
  ["100000", 100_000],
  ["2.5", 2.5],
  [".5", 0.5],
  ["1e3", 1000],
  ["-1", -1],
])("a rate of %s is %d", (value, rate) => {
  expect(parse("--rate", value).number("rate")).toBe(rate);
});

describe("durations", () => {
  test.each([
    ["0", 0],
    ["10s", 10_000],
    ["1m30s", 90_000],
    ["1h15m30.5s", 4_530_500],
    ["500ms", 500],
    ["1.s", 1000],
    [".5s", 500],
    ["+5s", 5000],
    ["-1.5h", -5_400_000],
    ["250us", 0.25],
    ["250µs", 0.25],
    ["250μs", 0.25],
    ["1000000ns", 1],
    ["30m1h", 5_400_000],
  ])("%s is %d ms", (text, milliseconds) => {
    expect(readDuration(text)).toBeCloseTo(milliseconds, 9);
  });

  test("of whole hours, minutes, seconds and milliseconds are exact", () => {
    const part = fc.nat({ max: 10_000 });
    fc.assert(
      fc.property(part, part, part, part, (h, m, s, ms) => {
        expect(readDuration(`${h}h${m}m${s}s${ms}ms`)).toBe(((h * 60 + m) * 60 + s) * 1000 + ms);
      }),
      { seed: 4, numRuns: 200 },
    );
  });
});

test("flags are described as Go prints them, sorted, without a default that says nothing", () => {
  expect(describeFlags({ ...FLAGS, empty: { kind: "string", default: "", help: "What." } })).toBe(
    [
      "  -count integer\n    \tHow many. (default 3)\n",
      "  -empty string\n    \tWhat.\n",
      "  -name string\n    \tWho. (default nobody)\n",
      "  -off\n    \tWhether not. (default true)\n",
      "  -on\n    \tWhether.\n",
      "  -rate number\n    \tHow often. (default 0.5)\n",
      "  -wait duration\n    \tHow long. (default 10s)\n",
    ].join(""),
  );
});
