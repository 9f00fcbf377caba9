/** The package as people get it: packed, installed into an empty folder without a network, and run from there. */
import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { VERBS } from "../src/cli/verbs.ts";

const ROOT = join(import.meta.dirname, "..");
const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };

const COMPILER = join(ROOT, "node_modules", "typescript", "bin", "tsc");

let folder: string;
let home: string;
let installed: string;
let packed: string[];

/** npm and the program under this very Node, whatever else is on the PATH. */
const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}` };

function run(command: string, args: readonly string[], cwd: string) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: "utf8" });
  return { status, stdout, stderr };
}

function npm(args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = run("npm", args, cwd);
  if (status !== 0) throw new Error(`npm ${args.join(" ")} failed:\n${stdout}\n${stderr}`);
  return stdout;
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "outgrow-package-"));
  // Packed from a copy, so that the dist/ of the checkout stays what it is.
  const checkout = join(folder, "checkout");
  mkdirSync(checkout);
  for (const name of [
    "package.json",
    "README.md",
    "LICENSE",
    "NOTICE",
    ".npmrc",
    "tsconfig.json",
    "tsconfig.library.json",
    "bin",
    "scripts",
    "src",
  ]) {
    cpSync(join(ROOT, name), join(checkout, name), { recursive: true });
  }
  symlinkSync(join(ROOT, "node_modules"), join(checkout, "node_modules"));
  npm(["pack", "--pack-destination", folder], checkout);

  home = join(folder, "home");
  mkdirSync(home);
  writeFileSync(join(home, "package.json"), '{ "type": "module" }');
  npm(["install", "--offline", "--no-audit", "--no-fund", join(folder, `outgrow-${version}.tgz`)], home);
  installed = join(home, "node_modules");
  packed = globSync("**", { cwd: join(installed, "outgrow"), withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(installed, "outgrow").length + 1));
}, 300_000);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const outgrow = (...args: string[]) => run(join(installed, ".bin", "outgrow"), args, folder);

test("it brings no other package along", () => {
  expect(globSync("*", { cwd: installed })).toEqual(["outgrow"]);
});

test("it holds the launcher, the program, the library with its types and the papers, and no source or test", () => {
  expect(packed).toEqual(
    expect.arrayContaining([
      "package.json",
      "README.md",
      "LICENSE",
      "NOTICE",
      "bin/outgrow",
      "bin/package.json",
      "dist/outgrow.js",
      "dist/library.js",
      "dist/types/library/index.d.ts",
      "dist/THIRD-PARTY-LICENSES.txt",
    ]),
  );
  expect(packed.filter((path) => !/^(?:bin|dist)\/|^(?:package\.json|README\.md|LICENSE|NOTICE)$/.test(path))).toEqual(
    [],
  );
});

test("outgrow --version says the package's version", () => {
  expect(outgrow("--version")).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
});

test("outgrow --help names the verbs; kubectl outgrow is the same program", () => {
  const help = outgrow("--help");
  expect(help).toMatchObject({ status: 0, stderr: "" });
  expect(help.stdout).toContain("plan");
  const plugin = run(join(installed, ".bin", "kubectl-outgrow"), ["--help"], folder);
  expect(plugin).toEqual({ ...help, stdout: help.stdout.replace("Usage: outgrow", "Usage: kubectl outgrow") });
});

test.each(VERBS.map(({ name }) => name))("outgrow %s loads its own part of the bundle", (verb) => {
  const help = outgrow(verb, "--help");
  expect(help).toMatchObject({ status: 0, stderr: "" });
  expect(help.stdout).toMatch(new RegExp(`^Usage.* outgrow ${verb}\\b`));
});

test("outgrow plan says what it says in a checkout, whatever it reads and prints", () => {
  const cluster = join(ROOT, "docs", "examples", "cluster.yaml");
  for (const format of [[], ["-o", "yaml"], ["-o", "json"]]) {
    const plan = ["plan", "-f", cluster, "sts/db", "data=200Gi", ...format];
    const expected = run(process.execPath, [join(ROOT, "bin", "outgrow"), ...plan], folder);
    expect(expected).toMatchObject({ status: 0, stderr: "" });
    expect(outgrow(...plan)).toEqual(expected);
  }
});

describe("the library", () => {
  const PROGRAM = `
    import { createClient, createTransport, type GrowthOutcome, growStatefulSet, loadConfig, Quantity } from "outgrow";

    const size: Quantity = Quantity.parse("1Gi").plus(Quantity.parse("512Mi"));
    console.log(size.toString());

    export async function grow(kubeconfig: string): Promise<GrowthOutcome["kind"]> {
      const client = createClient(createTransport(await loadConfig({ env: {}, kubeconfig })));
      const { kind } = await growStatefulSet({ client, namespace: "prod", name: "db", sizes: { data: size } });
      await client.close();
      return kind;
    }
  `;

  beforeAll(() => {
    writeFileSync(join(home, "program.ts"), PROGRAM);
    writeFileSync(join(home, "mistake.ts"), PROGRAM.replace('name: "db", ', ""));
  });

  test("runs", () => {
    expect(run(process.execPath, ["program.ts"], home)).toEqual({ status: 0, stdout: "1536Mi\n", stderr: "" });
  }, 60_000);

  test("brings its types, which need nothing but Node's", () => {
    const types = ["--types", "node", "--typeRoots", join(ROOT, "node_modules", "@types")];
    const strict = ["--noEmit", "--strict", "--target", "es2024", "--module", "nodenext", ...types];
    const { stdout } = run(process.execPath, [COMPILER, ...strict, "program.ts", "mistake.ts"], home);
    expect(stdout.match(/^\S+ error .*/gm)).toEqual([
      expect.stringMatching(/^mistake\.ts.*Property 'name' is missing/),
    ]);
  }, 120_000);
});

test("every package inside the bundle is named with its licence", () => {
  const papers = readFileSync(join(installed, "outgrow", "dist", "THIRD-PARTY-LICENSES.txt"), "utf8");
  const bundle = packed
    .filter((path) => path.endsWith(".js"))
    .map((path) => readFileSync(join(installed, "outgrow", path), "utf8"));
  // The bundler leaves a comment with each file's path above its code.
  const inside = bundle.flatMap((text) =>
    [...text.matchAll(/^\/\/ (?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/\n]+)\//gm)].map(([, name]) => name),
  );
  expect(inside).not.toEqual([]);
  for (const name of new Set(inside))
    expect(papers).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+\\nLicence: \\S`, "m"));
});
