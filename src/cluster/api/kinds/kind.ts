/**
 * One row of the table that drives the API server: everything that is particular to a kind, as data. Handlers, discovery
 * and Tables read it; nothing is written for one kind alone.
 */

export interface Kind {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** As in the path. */
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** What its collections and objects answer to. */
  readonly verbs: readonly string[];
  readonly subresources: readonly Subresource[];
  /** What a cluster of ours does about objects of this kind. `stored`: nothing, and the answer says so in a warning. */
  readonly acted: "acted" | "stored";
  /** What a successful DELETE answers with: the object as it was, or a Status. */
  readonly deleteAnswers: "object" | "status";
  /**
   * When `metadata.generation` rises. `spec`: with all but metadata and status; `content`: with all but metadata; `labels`,
   * `annotations`: as `spec`, and with these; `later`: as `spec`, but it begins with the first change; `once`: it is 1 for
   * ever; `none`: there is none.
   */
  readonly generation: "spec" | "content" | "labels" | "annotations" | "later" | "once" | "none";
  /** What becomes of dependents when a DELETE says nothing about them; `ignored`: whatever it says. */
  readonly dependents: "Background" | "Orphan" | "ignored";
  /** It stays, marked, until whoever empties it takes it away. */
  readonly staged: boolean;
  /** An update must name the resourceVersion that it was made from. */
  readonly versionRequired: boolean;
  /** PUT of an object that is not there creates it. */
  readonly createOnUpdate: boolean;
  /** Its objects are those of another kind, told in other words; undefined: they are its own. */
  readonly storedAs?: StoredAs;
  /**
   * The version that its objects are said to be stored in; undefined: its own, or that of what they are stored as. Of built-in kinds it is what
   * Kubernetes says.
   */
  readonly storageVersion?: string | undefined;
  /** What every request is told: the kind should not be used any more. */
  readonly deprecation?: string;
}

export interface StoredAs {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  /** What its fields are called there, where that is not the same. More than that is done by `handlers/retell.ts`. */
  readonly names: Readonly<Record<string, string>>;
}

export interface Subresource {
  readonly name: string;
  readonly verbs: readonly string[];
  /** It answers with text, and with no object. */
  readonly isText?: boolean;
  /** What it speaks, where that is not the kind itself. */
  readonly speaks?: { readonly group: string; readonly version: string; readonly kind: string };
}

/** What most answer to, in the order in which Kubernetes lists them. */
export const VERBS = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"] as const;

/** The traits of a kind that are not the common ones. */
export type KindTraits = Pick<Kind, "kind" | "plural"> &
  Partial<Omit<Kind, "kind" | "plural" | "group" | "version" | "subresources">> & {
    /** By name, or with everything that is unusual about them. */
    readonly subresources?: readonly (string | Subresource)[];
  };

const READ_WRITE = ["get", "patch", "update"] as const;
const SCALE: Subresource = {
  name: "scale",
  verbs: READ_WRITE,
  speaks: { group: "autoscaling", version: "v1", kind: "Scale" },
};

/** The rows of one group and version. What a row does not say is what most kinds do. */
export function kindsOf(groupVersion: string, rows: readonly KindTraits[]): Kind[] {
  const [first = "", second] = groupVersion.split("/");
  const [group, version] = second === undefined ? ["", first] : [first, second];
  return rows.map(({ subresources = [], ...traits }) => ({
    group,
    version,
    singular: traits.kind.toLowerCase(),
    namespaced: true,
    shortNames: [],
    categories: [],
    verbs: VERBS,
    acted: "stored",
    deleteAnswers: "status",
    generation: "none",
    dependents: "Background",
    staged: false,
    versionRequired: false,
    createOnUpdate: false,
    ...traits,
    subresources: subresources.map(toSubresource),
  }));
}

function toSubresource(given: string | Subresource): Subresource {
  if (typeof given !== "string") return given;
  return given === "scale" ? SCALE : { name: given, verbs: READ_WRITE };
}

/** `apps/v1`, or `v1` for the core group. */
export function groupVersionOf({ group, version }: Pick<Kind, "group" | "version">): string {
  return group === "" ? version : `${group}/${version}`;
}

/** How messages name the resource: `statefulsets.apps`, or `pods` for the core group. */
export function resourceName({ plural, group }: Pick<Kind, "plural" | "group">): string {
  return group === "" ? plural : `${plural}.${group}`;
}

/** Under which resource its objects are stored. */
export function storageName(kind: Kind): string {
  return resourceName(kind.storedAs ?? kind);
}
