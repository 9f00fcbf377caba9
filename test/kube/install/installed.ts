/** What the suites of this folder have in common: the verb's output, and a look at what it made. */
import { expect } from "vitest";
import { runOutgrow } from "../../../src/cli/fake-terminal.ts";
import { installation } from "../../../src/cli/manifests/installation.ts";
import { DEFAULTS, type InstallOptions } from "../../../src/cli/manifests/options.ts";
import type { Manifest } from "../../../src/cli/manifests/part.ts";
import { EXPANSION_SOURCE_DEFINITION } from "../../../src/source/install/definition.ts";
import { VOLUME_EXPANSION_DEFINITION } from "../../../src/statefulset/install/definition.ts";
import type { ControlPlane } from "../control-plane.ts";
import { untilServed } from "../custom-kinds.ts";

export const NAMESPACE = DEFAULTS.namespace;
export const ACCOUNT = "outgrow-controller";

/** What `outgrow manifests` prints. */
export async function manifests(...words: string[]): Promise<string> {
  const { code, out, err } = await runOutgrow(["manifests", ...words]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return out;
}

/** The objects of an installation that is like this. */
export function objectsOf(options: Partial<InstallOptions> = {}): readonly Manifest[] {
  return installation({ ...DEFAULTS, ...options }).flatMap(({ objects }) => objects.map(({ object }) => object));
}

/** `Kind name`, and the version that the server has of each object of ours. */
export async function versions(plane: ControlPlane): Promise<Record<string, string | undefined>> {
  const found = await Promise.all(objectsOf().map((object) => plane.api.get<Manifest>(pathOf(object))));
  return Object.fromEntries(found.map(({ kind, metadata }) => [`${kind} ${metadata.name}`, metadata.resourceVersion]));
}

function pathOf({ apiVersion, kind, metadata }: Manifest): string {
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const place = metadata.namespace === undefined ? "" : `/namespaces/${metadata.namespace}`;
  return `${root}${place}/${`${kind.toLowerCase()}s`.replace(/ys$/, "ies")}/${metadata.name}`;
}

/** Until then the server itself writes on the definitions. */
export async function definitionsServed({ api }: ControlPlane): Promise<void> {
  for (const definition of [VOLUME_EXPANSION_DEFINITION, EXPANSION_SOURCE_DEFINITION])
    await untilServed(api, definition);
}

/** `outgrow uninstall --check` as the administrator. */
export function check(plane: ControlPlane): ReturnType<typeof runOutgrow> {
  return runOutgrow(["uninstall", "--check", "--kubeconfig", plane.admin.kubeconfig]);
}
