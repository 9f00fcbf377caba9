/** The image is not built here; what it is made of, and what the manifests expect of it, is looked at. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { USER } from "../src/cli/manifests/deployment.ts";

const file = readFileSync(join(import.meta.dirname, "../Containerfile"), "utf8");
const steps = file.split("\n").filter((line) => /^[A-Z]+ /.test(line));
const step = (word: string) => steps.find((line) => line.startsWith(`${word} `))?.slice(word.length + 1);

test("it is the package that npm pack makes, on the Node that the package asks for", () => {
  const major = /\d+/.exec(packageJson.engines.node)?.[0];
  expect(step("FROM")).toMatch(new RegExp(`^node:${major}-`));
  // npm calls the archive outgrow-VERSION.tgz, and has all files in it under package/.
  expect(step("ADD")).toBe(`${packageJson.name}-*.tgz /`);
  expect(step("RUN")).toBe(`ln -s /package/${packageJson.bin.outgrow} /usr/local/bin/outgrow`);
});

test("it is what the manifests run: the same user, and a command that is found", () => {
  expect(step("USER")).toBe(`${USER}:${USER}`);
  expect(JSON.parse(step("ENTRYPOINT") ?? "")).toEqual(["outgrow"]);
});

test("it has no other steps", () => {
  expect(steps).toHaveLength(5);
});
