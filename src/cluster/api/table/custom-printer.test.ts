import { describe, expect, test } from "vitest";
import type { Json } from "../json.ts";
import { customPrinter, customScales } from "./custom-printer.ts";
import { cellsByName, made } from "./fixtures.ts";

describe("a cell of a custom resource", () => {
  const column = (type: string) => [{ name: "Cell", type, jsonPath: ".spec.value" }];
  test.each<[string, Json, Json]>([
    ["string", "text", "text"],
    ["string", 42, "42"],
    ["string", 0.5, "0.5"],
    ["string", 0.00001, "1e-05"],
    ["string", 1e21, "1e+21"],
    ["string", true, "true"],
    ["string", null, "<no value>"],
    ["string", { "9": "<b>", "10": [null] }, '{"10":[null],"9":"\\u003cb\\u003e"}'],
    ["integer", 42, 42],
    ["integer", 2.75, 2],
    ["integer", "42", null],
    ["number", 2.75, 2.75],
    ["number", true, null],
    ["boolean", false, false],
    ["boolean", "true", null],
    ["date", "2026-03-01T11:58:30Z", "90s"],
    ["date", "", "<unknown>"],
    ["date", "soon", "<invalid>"],
    ["date", 5, null],
    ["other", "text", null],
  ])("of type %s shows %j as %j", (type, value, shown) => {
    expect(cellsByName(customPrinter(column(type)), made({ spec: { value } }))["Cell"]).toEqual(shown);
  });

  test("is empty where there is nothing", () => {
    expect(cellsByName(customPrinter(column("string")), made({}))["Cell"]).toBeNull();
    const beyond = customPrinter([{ name: "Cell", type: "string", jsonPath: ".spec.list[0]" }]);
    expect(cellsByName(beyond, made({ spec: { list: [] } }))["Cell"]).toBeNull();
  });
});

describe("the columns of a custom resource", () => {
  test("are its name and its age when it asks for none", () => {
    for (const given of [undefined, []]) {
      expect(cellsByName(customPrinter(given), made({}))).toEqual({ Name: "it", Age: "5d12h" });
    }
  });

  test("say which path they follow, unless they are described", () => {
    const asked = { name: "A", type: "integer", format: "int32", priority: 1, jsonPath: ".spec.a" };
    expect(customPrinter([asked, { ...asked, description: "How many" }]).columns.slice(1)).toEqual([
      {
        name: "A",
        type: "integer",
        format: "int32",
        priority: 1,
        description: "Custom resource definition column (in JSONPath format): .spec.a",
      },
      { name: "A", type: "integer", format: "int32", priority: 1, description: "How many" },
    ]);
  });

  test("end at one that cannot be read", () => {
    const paths = [".spec.a", ".spec[abc]", ".spec.b"];
    const printer = customPrinter(paths.map((jsonPath) => ({ name: jsonPath, type: "string", jsonPath })));
    expect(printer.columns.map(({ name }) => name)).toEqual(["Name", ".spec.a"]);
  });

  test("of its scale", () => {
    const scale = made({ spec: { replicas: 3 }, status: { replicas: 2 } });
    expect(cellsByName(customScales, scale)).toEqual({ Name: "it", Desired: 3, Available: 2, Age: "5d12h" });
  });
});
