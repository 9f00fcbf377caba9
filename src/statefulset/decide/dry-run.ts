/**
 * What the answer to creating a set as a dry run means, while a set of that name exists.
 *
 * Validation and admission come before the storage looks whether the name is taken, so "already exists" says that all of
 * them agreed (upstream: registry/generic/registry/store.go).
 */

export type DryRunVerdict =
  | { readonly kind: "taken" }
  | { readonly kind: "refused"; readonly message: string }
  /** The answer says nothing about the object; ask again. */
  | { readonly kind: "unknown"; readonly message: string };

/** `code` and `reason` of the answer's `Status`; a success has code 200 or 201. */
export function readDryRun(answer: {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
}): DryRunVerdict {
  const { code, reason, message } = answer;
  if (code === 200 || code === 201 || (code === 409 && reason === "AlreadyExists")) return { kind: "taken" };
  return { kind: [400, 403, 422].includes(code) ? "refused" : "unknown", message };
}
