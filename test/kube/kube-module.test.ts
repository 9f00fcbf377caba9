import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildFlags, moduleFor, PACKAGES, PINNED_MODULE, pinnedVersion, readVersion } from "./kube-module.ts";

const pinned = readFileSync(join(PINNED_MODULE, "go.mod"), "utf8");

describe("the pinned module", () => {
  it("replaces every staging module by the one published with the release", () => {
    const published = `v${pinnedVersion().replace(/^1\./, "0.")}`;
    const replacements = [...pinned.matchAll(/^\s*(\S+) => (\S+) (\S+)$/gm)];
    expect(replacements.length).toBeGreaterThan(30);
    for (const [, name, target, version] of replacements) {
      expect([target, version]).toEqual([name, published]);
    }
  });

  it("keeps the package of every program", () => {
    const tools = readFileSync(join(PINNED_MODULE, "tools.go"), "utf8");
    for (const program of Object.values(PACKAGES)) expect(tools).toContain(`_ "${program.package}"`);
  });
});

describe("a release", () => {
  it.each([
    ["1.34.4", "1.34.4"],
    ["v1.31.0", "1.31.0"],
    [" 1.36.3\n", "1.36.3"],
  ])("%j is read as %s", (text, version) => expect(readVersion(text)).toBe(version));

  it.each(["", "1.34", "latest", "2.0.0", "1.34.4-rc.1"])("%j is refused, with a right example", (text) => {
    expect(() => readVersion(text)).toThrow(
      `${JSON.stringify(text)} is not a Kubernetes release; write it like 1.34.4`,
    );
  });
});

describe("the module of another release", () => {
  const upstream = `module k8s.io/kubernetes

go 1.24.0

godebug default=go1.24

require (
	k8s.io/api v0.0.0
	k8s.io/utils v0.0.0-20250604170112-4c0f3b243397
)

replace (
	k8s.io/api => ./staging/src/k8s.io/api
	k8s.io/client-go => ./staging/src/k8s.io/client-go
)
`;

  it("has that release's settings and staging modules, at the versions published with it", () => {
    expect(moduleFor("1.34.4", upstream)).toBe(`module outgrow.dev/test/kube
go 1.24.0
godebug default=go1.24
require k8s.io/kubernetes v1.34.4
replace (
	k8s.io/api => k8s.io/api v0.34.4
	k8s.io/client-go => k8s.io/client-go v0.34.4
)
`);
  });

  it("cannot be made from a go.mod without staging modules", () => {
    expect(() => moduleFor("1.34.4", "module k8s.io/kubernetes\n")).toThrow("names no staging modules");
  });
});

it("links the version into the programs", () => {
  const flags = buildFlags("1.34.4").join(" ");
  expect(flags).toContain("-X k8s.io/component-base/version.gitVersion=v1.34.4");
  expect(flags).toContain("-X k8s.io/component-base/version.gitMinor=34");
});
