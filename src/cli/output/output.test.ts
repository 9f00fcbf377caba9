import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { palette } from "./colour.ts";
import { oneLine } from "./one-line.ts";
import { parseFormat, printStructured } from "./structured.ts";
import { table } from "./table.ts";

describe("table", () => {
  test("columns are parted by two spaces, and nothing hangs at the end of a line", () => {
    expect(
      table(
        ["NAME", "SIZE", "WHAT"],
        [
          ["a", "100Gi", ""],
          ["longer", "1Ti", "grow"],
        ],
      ),
    ).toBe("NAME    SIZE   WHAT\na       100Gi\nlonger  1Ti    grow\n");
  });

  test("without rows there are headings", () => {
    expect(table(["NAME"], [])).toBe("NAME\n");
  });
});

describe("text from outside", () => {
  test("line breaks and terminal commands in it are defused", () => {
    expect(oneLine("a\r\nb\u001b[31mc\u009bd\te")).toBe("a b [31mc d e");
    expect(oneLine("größe → 1Gi")).toBe("größe → 1Gi");
  });
});

describe("structured output", () => {
  const value = { name: "data-db-0", sizes: ["1Gi", "2Gi"], text: "a: b\nc" };

  test("json", async () => {
    expect(JSON.parse(await printStructured(value, "json"))).toEqual(value);
  });

  test("yaml, in the style of kubectl", async () => {
    const text = await printStructured(value, "yaml");
    expect(text).toContain("sizes:\n- 1Gi\n- 2Gi\n");
    expect(parse(text)).toEqual(value);
  });

  test("other words are no format", () => {
    expect(() => parseFormat("wide")).toThrow('"wide" is not an output format; choose json or yaml');
  });
});

describe("colours", () => {
  test("are there when wanted", () => {
    expect(palette(true).bad("no")).toBe("\u001b[31mno\u001b[39m");
  });

  test("leave no trace when not", () => {
    expect(Object.values(palette(false)).map((paint: (text: string) => string) => paint("x"))).toEqual(
      Array.from({ length: 5 }, () => "x"),
    );
  });
});
