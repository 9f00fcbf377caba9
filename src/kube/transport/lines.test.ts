import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readLines, readValues } from "./lines.ts";

async function linesOf(chunks: Buffer[]): Promise<string[]> {
  async function* stream(): AsyncGenerator<Buffer> {
    yield* chunks;
  }
  const lines: string[] = [];
  for await (const line of readLines(stream())) lines.push(line);
  return lines;
}

describe("lines of a stream", () => {
  it.each([
    ["nothing", [], []],
    ["whole lines", ["a\nb\n"], ["a", "b"]],
    ["a line in pieces", ["ab", "cd", "e\nf", "\n"], ["abcde", "f"]],
    ["empty lines", ["\n\na\n\n"], ["a"]],
    ["half a line at the end", ["a\nhal"], ["a"]],
  ])("are found in %s", async (_, chunks, lines) => {
    expect(await linesOf(chunks.map((chunk) => Buffer.from(chunk)))).toEqual(lines);
  });

  it("are the same however the bytes are cut, even within a character", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.string({ unit: "grapheme", minLength: 1 }).map((text) => text.replaceAll("\n", " ")),
          { maxLength: 8 },
        ),
        fc.array(fc.nat(40), { maxLength: 10 }),
        async (lines, cuts) => {
          const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
          const chunks: Buffer[] = [];
          let from = 0;
          for (const size of cuts) {
            chunks.push(bytes.subarray(from, from + size));
            from += size;
          }
          chunks.push(bytes.subarray(from));
          expect(await linesOf(chunks)).toEqual(lines);
        },
      ),
      { seed: 284 },
    );
  });
});

describe("values of a stream", () => {
  const read = (text: string) =>
    Array.fromAsync(
      readValues(
        (async function* () {
          yield Buffer.from(text);
        })(),
        "GET /x",
      ),
    );

  it("are what its lines say", async () => {
    expect(await read('{"a":1}\n[2]\n')).toEqual([{ a: 1 }, [2]]);
  });

  it("are refused where a line is not JSON, with what there is instead", async () => {
    await expect(read("1\n<html>\n")).rejects.toMatchObject({
      reason: "BadResponse",
      message: "GET /x: a line is not JSON: <html>",
    });
  });
});
