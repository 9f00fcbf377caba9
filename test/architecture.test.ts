/**
 * The house rules that a compiler cannot see: which way imports go, what a pure file may reach, and a few habits. Each
 * checker is first shown small bad examples: one that cannot fail proves nothing.
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { badHabits } from "./architecture/habits.ts";
import { folderOf, importsAgainstTheArrows, importsOf, latePackages, type SourceFile } from "./architecture/imports.ts";
import { impurities, mustBePure } from "./architecture/purity.ts";

const ROOT = join(import.meta.dirname, "..");
const NOT_OURS = new Set(["node_modules", "dist", "coverage", ".git"]);

const files: SourceFile[] = globSync(["**/*", ".ci/*"], {
  cwd: ROOT,
  withFileTypes: true,
  exclude: (entry) => NOT_OURS.has(entry.name),
})
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
  .filter((path) => path !== "package-lock.json" && !path.endsWith(".tgz"))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));
const sources = files.filter(({ path }) => path.startsWith("src/") && path.endsWith(".ts"));

describe("this tree", () => {
  test("is found", () => {
    expect(sources.map(({ path }) => path)).toContain("src/core/quantity.ts");
    expect(files.map(({ path }) => path)).toEqual(expect.arrayContaining(["README.md", "bin/outgrow", ".ci/run"]));
  });

  test("has no import that goes up an arrow", () => {
    expect(sources.flatMap(importsAgainstTheArrows)).toEqual([]);
  });

  test("imports no package at run time, which would work here and not in the bundle", () => {
    expect(sources.flatMap(latePackages)).toEqual([]);
  });

  test("reaches no clock, randomness, environment, network or file system where it must be pure", () => {
    const pure = sources.filter(({ path }) => mustBePure(path));
    expect(pure.length).toBeGreaterThan(10);
    expect(pure.flatMap(impurities)).toEqual([]);
  });

  test("has a README in every folder of src/", () => {
    const folders = new Set(sources.map(({ path }) => folderOf(path)).filter((folder) => folder !== undefined));
    expect([...folders].filter((folder) => !existsSync(join(ROOT, "src", folder, "README.md")))).toEqual([]);
  });

  test("has nothing left undone, no path of one machine, and no file over 400 lines", () => {
    expect(files.flatMap(badHabits)).toEqual([]);
  });
});

describe("imports", () => {
  const text = `
    import { a } from "./a.ts";
    import type { B } from "../kube/b.ts";
    export * from '../core/c.ts';
    import {
      type D,
      e, // from "not-this"
    } from "pkg/e";
    import "node:fs";
    const late = await import("../csi/late.ts");
    // import { no } from "./comment.ts";
    const prose = 'import { no } from "./text.ts"';
  `;

  test("of every kind are seen, comments and strings are not", () => {
    expect(importsOf({ path: "src/resize/decide/x.ts", text })).toEqual([
      "src/resize/decide/a.ts",
      "src/resize/kube/b.ts",
      "src/resize/core/c.ts",
      "pkg/e",
      "node:fs",
      "src/resize/csi/late.ts",
    ]);
  });

  test.each([
    ["src/core/x.ts", "../admission/y.ts"],
    ["src/core/x.ts", "../kube/y.ts"],
    ["src/admission/x.ts", "../statefulset/decide/y.ts"],
    ["src/admission/x.ts", "../kube/y.ts"],
    ["src/admission/webhook/x.ts", "../../statefulset/y.ts"],
    ["src/kube/x.ts", "../csi/y.ts"],
    ["src/kube/deep/x.ts", "../../admission/y.ts"],
    ["src/csi/x.ts", "../kube/y.ts"],
    ["src/resize/x.ts", "../statefulset/y.ts"],
    ["src/node/x.ts", "../resize/y.ts"],
    ["src/statefulset/x.ts", "../source/y.ts"],
    ["src/statefulset/x.ts", "../cluster/y.ts"],
    ["src/cluster/x.ts", "../cli/y.ts"],
    ["src/library/x.ts", "../cluster/y.ts"],
    ["src/cli/x.ts", "../library/y.ts"],
    ["src/core/x.ts", "../../test/y.ts"],
    ["src/cli/x.ts", "../../scripts/y.ts"],
    ["src/cli/x.ts", "../../../elsewhere/y.ts"],
    ["src/novelty/x.ts", "./y.ts"],
    ["src/x.ts", "./core/y.ts"],
  ])("in %s of %s are against the arrows", (path, specifier) => {
    for (const statement of [`import { y } from "${specifier}";`, `import type { Y } from "${specifier}";`]) {
      expect(importsAgainstTheArrows({ path, text: statement })).toHaveLength(1);
    }
  });

  test.each([
    ["src/core/x.ts", "./y.ts"],
    ["src/admission/x.ts", "../core/y.ts"],
    ["src/admission/webhook/x.ts", "../../kube/y.ts"],
    ["src/resize/x.ts", "../kube/y.ts"],
    ["src/node/x.ts", "../csi/y.ts"],
    ["src/source/x.ts", "../statefulset/y.ts"],
    ["src/cluster/x.ts", "../resize/y.ts"],
    ["src/library/x.ts", "../statefulset/y.ts"],
    ["src/cli/x.ts", "../cluster/y.ts"],
    ["src/cli/x.ts", "commander"],
    ["src/cli/x.ts", "../../package.json"],
    ["src/kube/x.ts", "node:https"],
  ])("in %s of %s go with them", (path, specifier) => {
    expect(importsAgainstTheArrows({ path, text: `import { y } from "${specifier}";` })).toEqual([]);
  });
});

test("packages imported at run time are found; files of ours and Node's modules may be", () => {
  const text = 'await import("pino"); await import("./own.ts"); await import("../own.ts"); await import("node:fs");';
  expect(latePackages({ path: "src/cli/x.ts", text })).toEqual([
    "src/cli/x.ts: imports pino at run time; import a file of ours that does",
  ]);
});

describe("purity", () => {
  test.each([
    ["src/core/quantity.ts", true],
    ["src/admission/quota.ts", true],
    ["src/admission/webhook/server.ts", false],
    ["src/resize/decide/step.ts", true],
    ["src/source/decide.ts", true],
    ["src/statefulset/types.ts", true],
    ["src/node/decide/deep/step.ts", true],
    ["src/resize/apply/patch.ts", false],
    ["src/kube/transport.ts", false],
    ["src/core/quantity.test.ts", false],
  ])("is asked of %s: %s", (path, pure) => {
    expect(mustBePure(path)).toBe(pure);
  });

  test.each([
    "const t = Date.now();",
    "const t = new Date();",
    "const t = new Date;",
    "const t = Date();",
    "performance.now()",
    "setTimeout(f, 1)",
    "queueMicrotask(f)",
    "Math.random()",
    "crypto.randomUUID()",
    "process.env.HOME",
    "const home = process.env;",
    "globalThis.process",
    "console.log(x)",
    "await fetch(url)",
    "const text = `it is ${Date.now()}`;",
    'import { readFileSync } from "node:fs";',
    'import fs from "fs";',
    'import { parse } from "yaml";',
    'const late = await import("undici");',
    'import { send } from "../../kube/transport.ts";',
    'import type { Patch } from "../apply/patch.ts";',
  ])("is lost with %s", (text) => {
    expect(impurities({ path: "src/resize/decide/x.ts", text })).not.toEqual([]);
  });

  test.each([
    "const t = new Date(moment).toISOString();",
    "Date.parse(text)",
    "// Date.now() is what the caller reads",
    'const text = "process.env and fetch(url)";',
    "const text = `setTimeout ${name}`;",
    "queue.process(item)",
    "const view = { process: 1, fetch: 2 };",
    "interface View { readonly performance?: string }",
    'import { Quantity } from "../../core/quantity.ts";',
    'import { admit } from "../../admission/claim-update.ts";',
    'import { step } from "./step.ts";',
  ])("is kept with %s", (text) => {
    expect(impurities({ path: "src/resize/decide/x.ts", text })).toEqual([]);
  });
});

describe("habits", () => {
  // Put together here, so that this file keeps the rules that it checks.
  const words = (...parts: string[]) => parts.join("");

  test.each([
    ["src/core/x.ts", "x\n".repeat(401)],
    ["docs/x.md", words("see ", "/work", "/shared")],
    ["scripts/x.ts", words('"', "/root", '/.npmrc"')],
    ["README.md", words("cd ", "/home", "/me/outgrow")],
    ["src/core/x.ts", words("// TO", "DO: later")],
    ["src/core/x.ts", words("// FIX", "ME")],
  ])("in %s, %j is a bad one", (path, text) => {
    expect(badHabits({ path, text })).toHaveLength(1);
  });

  test.each([
    ["src/core/x.ts", "x\n".repeat(400)],
    ["src/csi/generated/csi_pb.ts", "x\n".repeat(4_000)],
    ["docs/x.md", "how it works/ends, https://example.com/work/x, ./work/x, /var/lib/kubelet"],
  ])("in %s, another is fine", (path, text) => {
    expect(badHabits({ path, text })).toEqual([]);
  });
});
