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
