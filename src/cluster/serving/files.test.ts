import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { temporaryFolder } from "../store/testing/temporary-folder.ts";
import { createFile, readIfThere, readPrivate, replaceFile } from "./files.ts";

const modeOf = (file: string): number => statSync(file).mode & 0o777;

test("a file is its owner's alone, and nothing is left beside it", () => {
  using folder = temporaryFolder();
  replaceFile(folder.join("a"), "first");
  replaceFile(folder.join("a"), "second");
  expect(readFileSync(folder.join("a"), "utf8")).toBe("second");
  expect(modeOf(folder.join("a"))).toBe(0o600);
  expect(readdirSync(folder.path)).toEqual(["a"]);
});

test("the first to make a file decides what is in it", () => {
  using folder = temporaryFolder();
  expect(createFile(folder.join("a"), "first")).toBe("first");
  expect(createFile(folder.join("a"), "second")).toBe("first");
  expect(readdirSync(folder.path)).toEqual(["a"]);
});

test("what a killed process of the same number left behind is no hindrance", () => {
  using folder = temporaryFolder();
  writeFileSync(folder.join(`a.new-${process.pid}`), "torn");
  expect(createFile(folder.join("a"), "whole")).toBe("whole");
  expect(readdirSync(folder.path)).toEqual(["a"]);
});

test("others' permissions on a secret are taken away", () => {
  using folder = temporaryFolder();
  writeFileSync(folder.join("a"), "secret");
  chmodSync(folder.join("a"), 0o644);
  expect(readPrivate(folder.join("a"))).toBe("secret");
  expect(modeOf(folder.join("a"))).toBe(0o600);
});

test("a missing file is none", () => {
  using folder = temporaryFolder();
  expect(readIfThere(folder.join("a"))).toBeUndefined();
  expect(readPrivate(folder.join("a"))).toBeUndefined();
});

test("an error names the file and leaves what was there", () => {
  using folder = temporaryFolder();
  const file = folder.join("a");
  mkdirSync(file);
  const refused = { code: "FILE_UNUSABLE", message: expect.stringContaining(`${file} cannot be `) };
  expect(() => readIfThere(file)).toThrow(expect.objectContaining(refused));
  expect(() => replaceFile(file, "text")).toThrow(expect.objectContaining(refused));
  expect(() => createFile(folder.join("missing", "b"), "text")).toThrow(
    expect.objectContaining({ code: "FILE_UNUSABLE", message: expect.stringContaining(folder.join("missing", "b")) }),
  );
  expect(readdirSync(folder.path)).toEqual(["a"]);
});
