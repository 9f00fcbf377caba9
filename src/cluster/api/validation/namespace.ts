/** Namespaces (upstream ValidateNamespace). */
import { type FieldError, invalid } from "../../../admission/verdict.ts";
import { labelKeyErrors } from "../selectors/label-syntax.ts";

export interface NamespaceToCheck {
  readonly metadata?: { readonly deletionTimestamp?: string };
  readonly spec?: { readonly finalizers?: readonly string[] };
  readonly status?: { readonly phase?: string };
}

const STANDARD = ["kubernetes", "orphan", "foregroundDeletion"];

export function validateNamespace({ spec }: NamespaceToCheck): FieldError[] {
  const why = "name is neither a standard finalizer name nor is it fully qualified";
  return (spec?.finalizers ?? []).flatMap((name) => [
    ...labelKeyErrors(name).map((problem) => invalid("spec.finalizers", name, problem)),
    ...(name.includes("/") || STANDARD.includes(name) ? [] : [invalid("spec.finalizers", name, why)]),
  ]);
}
