/** The resources that are served: those built in, and those that CustomResourceDefinitions bring and take away. */
import { REVIEW_KINDS } from "../auth/review-kinds.ts";
import { BUILT_IN } from "../kinds/built-in.ts";
import { groupVersionOf, type Kind } from "../kinds/kind.ts";
import { kindTable } from "../kinds/kind-table.ts";
import { builtInPrinter } from "../table/built-in-printers.ts";
import type { Resource } from "./resource.ts";

export interface Catalog {
  /** Rises with every change: what is made from the catalog is good for as long as it stays. */
  readonly generation: number;
  /** Everything that is served, in the order of discovery. */
  kinds(): readonly Kind[];
  resources(): readonly Resource[];
  /** By its path. */
  find(group: string, version: string, plural: string): Resource | undefined;
  /** By what an object says of itself. */
  findKind(apiVersion: string, kind: string): Resource | undefined;
  /** Whether this very resource is still served: not under another definition, not in other words. */
  serves(resource: Resource): boolean;
  /** Replaces the resources that are defined in the cluster by these. */
  define(custom: readonly Resource[]): void;
  /** Called after each `define`. */
  onChange(listener: () => void): void;
}

export function createCatalog(): Catalog {
  const builtIn: readonly Resource[] = [...BUILT_IN, ...REVIEW_KINDS].map((kind) => ({
    kind,
    printer: builtInPrinter(kind),
  }));
  const listeners: (() => void)[] = [];
  let generation = 0;
  let all: readonly Resource[] = [];
  let kinds: readonly Kind[] = [];
  let byPath = new Map<string, Resource>();
  let byKind = kindTable<Resource>([]);

  function define(custom: readonly Resource[]): void {
    all = [...builtIn, ...custom];
    kinds = all.map(({ kind }) => kind);
    byPath = new Map(all.map((each) => [`${groupVersionOf(each.kind)}/${each.kind.plural}`, each]));
    byKind = kindTable(all.map((each) => [`${groupVersionOf(each.kind)}/${each.kind.kind}`, each]));
    generation++;
    for (const listener of listeners) listener();
  }
  define([]);
  const find: Catalog["find"] = (group, version, plural) =>
    byPath.get(`${groupVersionOf({ group, version })}/${plural}`);

  return {
    get generation() {
      return generation;
    },
    kinds: () => kinds,
    resources: () => all,
    find,
    serves: (resource) => find(resource.kind.group, resource.kind.version, resource.kind.plural) === resource,
    onChange: (listener) => void listeners.push(listener),
    findKind: (apiVersion, kind) => byKind.get(apiVersion, kind),
    define,
  };
}
