/** A server with the kinds, and edits made on it. */

import type { KubeObject, StatefulSet } from "../../../src/core/types.ts";
import { ApiRefusal } from "../api.ts";
import type { Server } from "../clients/server.ts";
import { defineKind } from "../custom-kinds.ts";
import { CLASSES } from "../policies/set.ts";
import { CASES, type Case } from "./cases.ts";
import { aResource, definitionOf, GROUP, KINDS, type Kind } from "./kinds.ts";

export const SETS = "/apis/apps/v1/namespaces/default/statefulsets";

export function pathOf({ plural }: Kind, name = ""): string {
  return `/apis/${GROUP}/v1/namespaces/default/${plural}${name === "" ? "" : `/${name}`}`;
}

/**
 * Classes, kinds that are seen to be served, and every set that a story needs: an API server learns of what policies are asked about by
 * watching, and who knows the last set knows the others.
 */
export async function furnish({ api }: Server, moreSets: readonly StatefulSet[] = []): Promise<void> {
  for (const storageClass of CLASSES) await api.create("/apis/storage.k8s.io/v1/storageclasses", storageClass);
  const sets = CASES.flatMap((each, index) => each.sets?.(nameOf(index)) ?? []);
  for (const set of [...sets, ...moreSets]) await api.create(SETS, set);
  for (const kind of KINDS) {
    await defineKind(api, definitionOf(kind));
  }
}

/** The name of the resource of a case, by its place among them. */
export function nameOf(index: number): string {
  return `case-${index}`;
}

/** What the server says to the edit of a case; undefined when it takes it. */
export async function edit({ api }: Server, { kind, before, after }: Case, name: string): Promise<string | undefined> {
  const stored = await api.create<KubeObject>(pathOf(kind), aResource(kind, name, before));
  const next = { ...stored, spec: after };
  return refusalOf(api.replace(pathOf(kind, name), next));
}

/** Undefined when it is done. */
export async function refusalOf(request: Promise<unknown>): Promise<string | undefined> {
  const answer = await request.catch((error: unknown) => {
    if (error instanceof ApiRefusal) return error;
    throw error;
  });
  return answer instanceof ApiRefusal ? answer.message : undefined;
}
