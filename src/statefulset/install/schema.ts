/** Pieces of schemas that the definitions of our kinds share. */

/** One field of a schema. */
export type Schema = Readonly<Record<string, unknown>>;

export const text = (description: string): Schema => ({ type: "string", description });
export const choice = (description: string, ...words: string[]): Schema => ({
  type: "string",
  enum: words,
  description,
});
export const count = (description: string, minimum: number): Schema => ({
  type: "integer",
  format: "int32",
  minimum,
  description,
});

/** How a growth is done, where it is said for many sets. */
export const ROLLOUT = {
  type: "object",
  description: "In which order claims are grown, and how many at a time. All claims of one pod go together.",
  properties: {
    mode: choice("OneByOne: each pod's claims wait until those before have their size.", "Parallel", "OneByOne"),
    maxConcurrent: count("How many pods' claims may keep the storage busy at once; 10 unless said otherwise.", 1),
    canary: count("The claims of this many pods first; the rest when those have their size.", 0),
    onFailure: choice(
      "What a failure does to claims that have not been started: Stop in OneByOne and among canaries, else Continue.",
      "Stop",
      "Continue",
    ),
  },
} as const satisfies Schema;

/** A status's conditions. */
export const conditions = (description: string): Schema => ({
  type: "array",
  description,
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["type"],
  items: {
    type: "object",
    required: ["type", "status"],
    properties: {
      type: { type: "string" },
      status: { type: "string", enum: ["True", "False", "Unknown"] },
      reason: { type: "string" },
      message: { type: "string" },
      lastTransitionTime: { type: "string", format: "date-time" },
    },
  },
});

export interface KindSketch {
  readonly kind: string;
  readonly scope: "Namespaced" | "Cluster";
  readonly shortName: string;
  readonly description: string;
  readonly columns: readonly Schema[];
  readonly spec: Schema;
  readonly status: Schema;
}

/** A kind of ours, to be applied as it is: a CustomResourceDefinition of apiextensions.k8s.io/v1. */
export function definitionOf({ kind, scope, shortName, description, columns, spec, status }: KindSketch) {
  const singular = kind.toLowerCase();
  const plural = `${singular}s`;
  const group = "outgrow.dev";
  const names = { kind, listKind: `${kind}List`, plural, singular, shortNames: [shortName], categories: ["outgrow"] };
  const properties = {
    apiVersion: { type: "string" },
    kind: { type: "string" },
    metadata: { type: "object" },
    spec,
    status,
  };
  const version = {
    name: "v1alpha1",
    served: true,
    storage: true,
    subresources: { status: {} },
    additionalPrinterColumns: columns,
    schema: { openAPIV3Schema: { type: "object", description, required: ["spec"], properties } },
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope, names, versions: [version] },
  } as const;
}
