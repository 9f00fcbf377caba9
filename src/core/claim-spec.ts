/**
 * How two claim specs differ, field by field and by meaning: claims and the templates that claims are made from are
 * compared with this one function.
 */
import { differingSizes, semanticallyEqual } from "./semantic-equal.ts";
import { type PersistentVolumeClaimSpec, STORAGE } from "./types.ts";

/** One field that differs: where (`accessModes`, `resources.requests.storage`), and both values as they were written. */
export interface SpecDifference {
  readonly path: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** Where the size stands. */
export const SIZE_PATH = `resources.requests.${STORAGE}`;

/** What Kubernetes fills in on every claim and template. */
const DEFAULTS: Readonly<Record<string, unknown>> = { volumeMode: "Filesystem" };

/** Fields where "there, but empty" says something else than "not there": an empty selector rules out provisioning. */
const PRESENCE_COUNTS: ReadonlySet<string> = new Set(["selector", "dataSource", "dataSourceRef"]);

/**
 * Every difference in meaning, sorted by path; none when the specs mean the same. Sizes are numbers (`1Gi` is
 * `1024Mi`), a field left out equals its default, an empty map or list equals a missing one. Fields that this program
 * does not know are compared as well.
 */
export function specDifferences(
  before: PersistentVolumeClaimSpec,
  after: PersistentVolumeClaimSpec,
): readonly SpecDifference[] {
  const { resources: oldResources, ...old } = before as FieldMap;
  const { resources: newResources, ...now } = after as FieldMap;
  const differences: SpecDifference[] = [];

  for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
    const [from, to] = [old[name] ?? DEFAULTS[name], now[name] ?? DEFAULTS[name]];
    const appeared = PRESENCE_COUNTS.has(name) && (from === undefined) !== (to === undefined);
    if (appeared || !semanticallyEqual(from, to)) differences.push({ path: name, from, to });
  }
  for (const list of ["requests", "limits"] as const) {
    const [from, to] = [oldResources?.[list], newResources?.[list]];
    for (const name of differingSizes(from, to)) {
      differences.push({ path: `resources.${list}.${name}`, from: from?.[name], to: to?.[name] });
    }
  }
  return differences.sort((a, b) => (a.path < b.path ? -1 : 1));
}

type FieldMap = Pick<PersistentVolumeClaimSpec, "resources"> & Readonly<Record<string, unknown>>;
