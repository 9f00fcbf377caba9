/** What is held in memory of a custom resource: who it is, and what stands where the source says to look. */
import type { Condition, KubeObject } from "../../core/types.ts";
import type { ExpansionSourceSpec } from "../types.ts";
import { type Path, parsePath, readAt } from "./path.ts";

const CONDITIONS = ".status.conditions";

/** Where the conditions of the source's kind are. Throws `PATH_MALFORMED` for a path that `checkSource` refuses. */
export function conditionsPathOf({ conditionsPath = CONDITIONS }: ExpansionSourceSpec): Path {
  return parsePath(conditionsPath);
}

/** The conditions of a resource; none where the path leads to something else. */
export function conditionsOf(spec: ExpansionSourceSpec, resource: KubeObject): Condition[] {
  const [found] = readAt(resource, conditionsPathOf(spec));
  return Array.isArray(found?.value) ? (found.value as Condition[]) : [];
}

/** Everything that a source looks at. */
export function pathsOf(spec: ExpansionSourceSpec): readonly Path[] {
  const { claimTemplatesPath, claims = [], paused } = spec;
  const texts = [
    claimTemplatesPath,
    ...claims.map(({ path }) => path),
    paused?.path,
    spec.conditionsPath ?? CONDITIONS,
  ];
  return texts.filter((text) => text !== undefined).map(parsePath);
}

const IDENTITY = [
  "name",
  "namespace",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
];

/** The object with nothing but its identity and what these paths lead to; lists on the way are kept whole. */
export function heldFields(object: KubeObject, paths: readonly Path[]): KubeObject {
  const identity = IDENTITY.map(
    (key): Path => [
      { kind: "key", key: "metadata" },
      { kind: "key", key },
    ],
  );
  return prune(object, [...identity, ...paths]) as KubeObject;
}

function prune(value: unknown, paths: readonly Path[]): unknown {
  if (paths.some(([step]) => step?.kind !== "key")) return value;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const fields = Map.groupBy(paths, ([step]) => (step?.kind === "key" ? step.key : ""));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => fields.has(key))
      .map(([key, inner]) => [
        key,
        prune(
          inner,
          (fields.get(key) ?? []).map((path) => path.slice(1)),
        ),
      ]),
  );
}
