/** Fields that an apply would take from others, told as kubectl prints it. */
import { StatusError } from "../../status-error.ts";
import type { FieldSet } from "./field-set.ts";
import { pathsOf } from "./field-set.ts";
import { type Manager, managerId } from "./managed-fields.ts";
import { type Path, pathText } from "./path-element.ts";

/** A field, and who owns it. */
export interface Conflict {
  readonly manager: Manager;
  readonly path: Path;
}

/** One conflict per field; managers in the order of their ids. */
export function conflictsOf(taken: Iterable<readonly [Manager, FieldSet]>): Conflict[] {
  return [...taken]
    .sort(([a], [b]) => (managerId(a) < managerId(b) ? -1 : 1))
    .flatMap(([manager, fields]) => pathsOf(fields).map((path) => ({ manager, path })));
}

/** 409, with a cause for each field. */
export function conflictError(conflicts: readonly Conflict[]): StatusError {
  const causes = conflicts.map(({ manager, path }) => ({
    reason: "FieldManagerConflict",
    message: `conflict with ${managerText(manager)}`,
    field: pathText(path),
  }));
  return new StatusError(409, "Conflict", conflictMessage(conflicts), causes, {});
}

function conflictMessage(conflicts: readonly Conflict[]): string {
  const [only, ...more] = conflicts;
  if (only !== undefined && more.length === 0) {
    return `Apply failed with 1 conflict: conflict with ${managerText(only.manager)}: ${pathText(only.path)}`;
  }
  const lines = conflicts.flatMap(({ manager, path }, index) => {
    const former = conflicts[index - 1];
    const begins = former === undefined || managerId(former.manager) !== managerId(manager);
    return [...(begins ? [`conflicts with ${managerText(manager)}:`] : []), `- ${pathText(path)}`];
  });
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join("\n")}`;
}

/** `"kubectl-edit" with subresource "status" using apps/v1`; an applier has no version. */
function managerText({ name, operation, apiVersion, subresource }: Manager): string {
  const who = JSON.stringify(name) + (subresource === "" ? "" : ` with subresource ${JSON.stringify(subresource)}`);
  return operation === "Update" ? `${who} using ${apiVersion}` : who;
}
