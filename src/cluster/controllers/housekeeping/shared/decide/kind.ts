/** A kind of object, as rules see it. */

export interface Kind {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

/** Group and version, as objects and references name them. */
export function versionOf({ group, version }: Kind): string {
  return group === "" ? version : `${group}/${version}`;
}
