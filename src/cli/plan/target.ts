/** What a person points at: `sts/db`, `pvc/data-db-0`, `mysqlcluster/shop`. */
import { OutgrowError } from "../../core/errors.ts";
import type { KubeObject } from "../../core/types.ts";

export interface TargetName {
  readonly kind: "StatefulSet" | "PersistentVolumeClaim";
  readonly name: string;
}

/** A custom resource, by whatever word kubectl takes for its kind; only a cluster tells which that is (custom/read-custom.ts). */
export interface CustomName {
  readonly kind: "Custom";
  readonly word: string;
  readonly name: string;
}

const SPELLINGS: ReadonlyMap<string, TargetName["kind"]> = new Map([
  ...["sts", "statefulset", "statefulsets", "statefulset.apps", "statefulsets.apps"].map(
    (word) => [word, "StatefulSet"] as const,
  ),
  ...["pvc", "persistentvolumeclaim", "persistentvolumeclaims"].map((word) => [word, "PersistentVolumeClaim"] as const),
]);

/** Kinds of Kubernetes' own that somebody may try, and that have no volumes of their own to grow. */
const HOPELESS: ReadonlySet<string> = new Set(
  ["deploy", "deployment", "ds", "daemonset", "rs", "replicaset", "po", "pod", "pv", "persistentvolume", "job"].flatMap(
    (word) => [word, `${word}s`],
  ),
);

/** As kubectl takes it: a kind, its plural or short name, with the group behind it or not. */
const KIND_WORD = /^[a-z][-a-z0-9]*(\.[a-z0-9][-a-z0-9]*)*$/;

/** Reads `KIND/NAME` in kubectl's spellings. Throws `USAGE` for what cannot be that. */
export function parseTarget(text: string): TargetName | CustomName {
  const [written = "", name = "", ...rest] = text.split("/");
  const word = written.toLowerCase();
  const kind = SPELLINGS.get(word);
  if (name === "" || rest.length > 0 || !KIND_WORD.test(word) || HOPELESS.has(word)) {
    throw new OutgrowError("USAGE", `${JSON.stringify(text)} is nothing that grows; write sts/NAME or pvc/NAME`);
  }
  return kind === undefined ? { kind: "Custom", word, name } : { kind, name };
}

/** How an object is typed: `sts/db`, `pvc/x`, `mysqlcluster/shop`. */
export function wordFor({ kind, name }: { readonly kind: string; readonly name: string }): string {
  if (kind === "StatefulSet") return `sts/${name}`;
  return kind === "PersistentVolumeClaim" ? `pvc/${name}` : `${kind.toLowerCase()}/${name}`;
}

/**
 * The one object of that name: in the namespace if one is given, else in the only namespace that has it. Throws
 * `OBJECT_MISSING` or `OBJECT_AMBIGUOUS`, saying what there is.
 */
export function findTarget<T extends KubeObject>(
  target: TargetName,
  namespace: string | undefined,
  objects: Iterable<T>,
): T {
  const all = [...objects];
  const found = all.filter(
    ({ metadata }) =>
      metadata.name === target.name && (namespace === undefined || (metadata.namespace ?? "default") === namespace),
  );
  const [object, ...others] = found;
  if (object !== undefined && others.length === 0) return object;
  const what = `${target.kind} ${JSON.stringify(target.name)}`;
  if (object === undefined) {
    const where = namespace === undefined ? "in the input" : `in namespace ${namespace}`;
    throw new OutgrowError("OBJECT_MISSING", `there is no ${what} ${where}; ${candidates(all)}`);
  }
  const namespaces = found.map(({ metadata }) => metadata.namespace ?? "default");
  throw new OutgrowError(
    "OBJECT_AMBIGUOUS",
    `${what} is in more than one namespace: ${namespaces.join(", ")}; choose one with -n`,
  );
}

/** How many names a message lists before it becomes a wall of text. */
const LISTED = 10;

function candidates(objects: readonly KubeObject[]): string {
  if (objects.length === 0) return "there is none at all";
  const names = objects
    .slice(0, LISTED)
    .map(({ metadata }) => `${metadata.namespace ?? "default"}/${metadata.name}`)
    .join(", ");
  return objects.length > LISTED ? `there is ${names} and ${objects.length - LISTED} more` : `there is ${names}`;
}
