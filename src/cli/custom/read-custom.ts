/** A custom resource as verbs see it: what it asks for, and where that is written. */
import { OutgrowError } from "../../core/errors.ts";
import type { Quantity } from "../../core/quantity.ts";
import type { KubeObject } from "../../core/types.ts";
import { defineResource, isNotFound, type Resource } from "../../kube/index.ts";
import { type Target, targetsOf, type WishedTemplate } from "../../source/decide/targets.ts";
import type { ExpansionSource } from "../../source/types.ts";
import type { Wish } from "../../statefulset/decide/wish.ts";
import type { Connection } from "../cluster/connect.ts";
import type { CustomName } from "../plan/target.ts";
import { findSources } from "./find-sources.ts";

export interface Custom {
  /** What it is, for messages and reports. */
  readonly target: { readonly kind: string; readonly namespace: string; readonly name: string };
  /** At least one. */
  readonly sources: readonly ExpansionSource[];
  readonly resource: Resource;
  readonly object: KubeObject;
  /** Of all sources, in their order. */
  readonly targets: readonly Target[];
}

/** Reads it from the cluster. Throws `USAGE` for a kind that no source knows, `OBJECT_MISSING` when it is not there. */
export async function readCustom(connection: Connection, { word, name }: CustomName): Promise<Custom> {
  const { client, namespace } = connection;
  const sources = await findSources(client, word);
  const resource = resourceOf(sources);
  try {
    return customOf(sources, await client.get(resource, { namespace, name }));
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new OutgrowError(
      "OBJECT_MISSING",
      `there is no ${resource.kind} ${JSON.stringify(name)} in namespace ${namespace}`,
    );
  }
}

/** The kind that these sources are about. */
export function resourceOf([source]: readonly ExpansionSource[]): Resource {
  const { group = "", version = "", kind = "", plural = "" } = source?.spec.resource ?? {};
  return defineResource(`${group}/${version}`, kind, plural);
}

export function customOf(sources: readonly ExpansionSource[], object: KubeObject): Custom {
  const resource = resourceOf(sources);
  const { namespace = "default", name } = object.metadata;
  return {
    target: { kind: resource.kind, namespace, name },
    sources,
    resource,
    object,
    targets: sources.flatMap(({ spec }) => targetsOf(spec, object)),
  };
}

/** A size of a resource, by the name that a person gives it. */
export interface NamedSize extends WishedTemplate {
  /** The template, with the set in front where several have one of that name: `hot/data`. */
  readonly name: string;
}

/** Every size that the resource says, in its order. */
export function sizesOf({ targets }: Custom): readonly NamedSize[] {
  const all = targets.flatMap((target) => target.templates.map((wished) => ({ target, wished })));
  const count = Map.groupBy(all, ({ wished }) => wished.template);
  return all.map(({ target: { statefulSet }, wished }) => {
    const isAlone = count.get(wished.template)?.length === 1;
    const set = statefulSet !== undefined && "name" in statefulSet ? statefulSet.name : wished.path;
    return { ...wished, name: isAlone ? wished.template : `${set}/${wished.template}` };
  });
}

/**
 * The sizes that are asked for, each with its place. The empty name stands for the only one that there is. Throws `USAGE` when that
 * could be several, and `OBJECT_MISSING` for a name that the resource does not have.
 */
export function placesOf(custom: Custom, asked: Wish): readonly { readonly size: NamedSize; readonly to: Quantity }[] {
  const sizes = sizesOf(custom);
  const { kind, name } = custom.target;
  const known = sizes.length === 0 ? "it says none" : `it has ${sizes.map((each) => each.name).join(", ")}`;
  return [...asked].map(([word, to]) => {
    const [size, ...others] = word === "" ? sizes : sizes.filter((each) => each.name === word);
    if (size === undefined) {
      const which = word === "" ? "a size" : `a size called ${JSON.stringify(word)}`;
      throw new OutgrowError("OBJECT_MISSING", `${kind} ${name} does not say ${which}; ${known}`);
    }
    if (others.length === 0) return { size, to };
    throw new OutgrowError("USAGE", `${kind} ${name} has several sizes; say which, for example ${size.name}=${to}`);
  });
}
