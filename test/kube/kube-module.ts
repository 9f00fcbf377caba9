/** The Go module that a control plane is built from: the pinned one beside this file, and its older siblings. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folder with the pinned go.mod, go.sum and tools.go. */
export const PINNED_MODULE = fileURLToPath(new URL(".", import.meta.url));

/** The programs, by their Go package. The last part of a package is not always the name people know it by. */
export const PACKAGES = {
  "kube-apiserver": { package: "k8s.io/kubernetes/cmd/kube-apiserver", builtAs: "kube-apiserver" },
  "kube-controller-manager": {
    package: "k8s.io/kubernetes/cmd/kube-controller-manager",
    builtAs: "kube-controller-manager",
  },
  kubectl: { package: "k8s.io/kubernetes/cmd/kubectl", builtAs: "kubectl" },
  etcd: { package: "go.etcd.io/etcd/server/v3", builtAs: "server" },
} as const;

export type ProgramName = keyof typeof PACKAGES;
export const PROGRAMS = Object.keys(PACKAGES) as readonly ProgramName[];

/** The Kubernetes version that go.mod pins, without the leading v. */
export function pinnedVersion(): string {
  const version = /^\s*k8s\.io\/kubernetes v(\S+)$/m.exec(readFileSync(`${PINNED_MODULE}/go.mod`, "utf8"))?.[1];
  if (version === undefined) throw new Error("test/kube/go.mod does not require k8s.io/kubernetes");
  return version;
}

/** `v1.34.4` or `1.34.4` as `1.34.4`; anything else is refused. */
export function readVersion(text: string): string {
  const version = /^v?(1\.\d+\.\d+)$/.exec(text.trim())?.[1];
  if (version === undefined) {
    throw new Error(`${JSON.stringify(text)} is not a Kubernetes release; write it like 1.34.4`);
  }
  return version;
}

/**
 * The go.mod for another release, from that release's own go.mod. Kubernetes takes its staging modules from folders of
 * its repository and requires them as v0.0.0; outside of it, each must be replaced by the module published for the
 * release (1.34.4 is v0.34.4). Which ones there are differs from release to release.
 */
export function moduleFor(version: string, upstreamGoMod: string): string {
  const staging = [...upstreamGoMod.matchAll(/^\s*(\S+) => \.\/staging\//gm)].map((match) => match[1]);
  if (staging.length === 0) throw new Error(`the go.mod of k8s.io/kubernetes v${version} names no staging modules`);
  const settings = [...upstreamGoMod.matchAll(/^(?:go|godebug) .*$/gm)].map((match) => match[0]);
  const published = version.replace(/^1\./, "v0.");
  return [
    "module outgrow.dev/test/kube",
    ...settings,
    `require k8s.io/kubernetes v${version}`,
    "replace (",
    ...staging.map((name) => `\t${name} => ${name} ${published}`),
    ")",
    "",
  ].join("\n");
}

/**
 * Flags of `go build`. The version is linked in: without it the server calls itself v0.0.0, and everything that goes by
 * the server's version goes wrong.
 */
export function buildFlags(version: string): string[] {
  const [major, minor] = version.split(".");
  const stamp = { gitVersion: `v${version}`, gitMajor: major, gitMinor: minor, gitTreeState: "clean" };
  const variables = Object.entries(stamp).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`);
  return ["-mod=readonly", "-trimpath", "-ldflags", ["-s", "-w", ...variables].join(" ")];
}
