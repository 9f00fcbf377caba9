/** The storage classes of a cluster, as the rules ask about them: by name, and which one is the default. */
import { fromTimestamp } from "../core/clock.ts";
import { DEFAULT_CLASS_ANNOTATIONS } from "../core/names.ts";
import type { StorageClass } from "../core/types.ts";

export interface StorageClasses {
  /** The class of this name; undefined when there is none. */
  named(name: string): StorageClass | undefined;
  /** The class for claims that name none; undefined when the cluster has no default. */
  readonly defaultClass: StorageClass | undefined;
}

/** Of several defaults the newest counts, then the first by name, as in Kubernetes. */
export function storageClasses(list: Iterable<StorageClass>): StorageClasses {
  const byName = new Map([...list].map((each) => [each.metadata.name, each] as const));
  const [defaultClass] = [...byName.values()].filter(isDefault).sort(newestFirst);
  return { named: (name) => byName.get(name), defaultClass };
}

function isDefault({ metadata }: StorageClass): boolean {
  return DEFAULT_CLASS_ANNOTATIONS.some((name) => metadata.annotations?.[name] === "true");
}

function newestFirst(a: StorageClass, b: StorageClass): number {
  const [left, right] = [a, b].map(({ metadata }) => fromTimestamp(metadata.creationTimestamp) ?? 0) as [
    number,
    number,
  ];
  return right - left || (a.metadata.name < b.metadata.name ? -1 : 1);
}
