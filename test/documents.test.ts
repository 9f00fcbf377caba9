/** Documents are kept true: links lead somewhere, the index is whole, and what an example shows is what the program prints. */
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const documents = globSync(["*.md", "{docs,src,test,bench,examples}/**/*.md"], { cwd: ROOT }).sort();
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

test.each(documents)("the links in %s lead somewhere", (path) => {
  const links = [...read(path).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  const ours = links
    .filter((target) => !/^(?:https?:|mailto:|#)/.test(target))
    .map((target) => target.replace(/#.*/, ""));
  expect(ours.filter((target) => !existsSync(join(ROOT, dirname(path), target)))).toEqual([]);
});

test("docs/README.md lists every document", () => {
  const index = read("docs/README.md");
  const listed = globSync("**/*.md", { cwd: join(ROOT, "docs") }).filter((path) => path !== "README.md");
  expect(listed.filter((path) => !index.includes(`](${path})`))).toEqual([]);
});

test("ARCHITECTURE.md stays short, and names every folder of src/", () => {
  const text = read("ARCHITECTURE.md");
  expect(text.split("\n").length).toBeLessThan(250);
  const folders = globSync("*", { cwd: join(ROOT, "src") });
  expect(folders.filter((folder) => !text.includes(`| \`${folder}\``))).toEqual([]);
});

describe("README.md", () => {
  const readme = read("README.md");

  test("opens with the two commands", () => {
    expect(readme).toMatch(/^# Outgrow\n\n```sh\nnpm ci && npm start .*\nnpm ci && npm test .*\n```\n/);
  });

  const examples = [...readme.matchAll(/```console\n\$ (node bin\/outgrow [^\n]*)\n([\s\S]*?)```/g)];

  test("has an example", () => {
    expect(examples).not.toEqual([]);
  });

  test.each(examples.map(([, command = "", shown = ""]) => [command, shown]))(
    "%s prints what it shows",
    (command, shown) => {
      const { stdout, stderr } = spawnSync(process.execPath, command.split(" ").slice(1), {
        cwd: ROOT,
        encoding: "utf8",
      });
      expect(stdout + stderr).toBe(shown);
    },
  );
});
