/**
 * May the templates of a StatefulSet, or of a custom resource, take these sizes? "For each volumeClaimTemplate being
 * expanded, it will be necessary to check if its associated StorageClass has allowVolumeExpansion enabled" (KEP-661).
 */
import { classNameOf } from "../core/claim.ts";
import { SIZE_PATH } from "../core/claim-spec.ts";
import type { SizeChange } from "../core/claim-templates.ts";
import { Quantity } from "../core/quantity.ts";
import type { ClaimTemplate } from "../core/types.ts";
import { classObstacle } from "./claim-resize.ts";
import { NOT_POSITIVE } from "./claim-rules.ts";
import type { StorageClasses } from "./storage-classes.ts";
import { type FieldError, forbidden, invalid } from "./verdict.ts";

/**
 * One error per change that cannot be: a size of zero or less, or a growth that the template's class does not allow.
 * `path` is where the list of templates stands, `spec.volumeClaimTemplates`.
 */
export function validateTemplateSizes(
  changes: readonly SizeChange[],
  templates: readonly ClaimTemplate[],
  classes: StorageClasses,
  path: string,
): FieldError[] {
  return changes.flatMap(({ index, from, to }) => {
    const field = `${path}[${index}].spec.${SIZE_PATH}`;
    const template = templates[index];
    if (template === undefined) return [];
    if (!to.moreThan(Quantity.zero)) return [invalid(field, to.toString(), NOT_POSITIVE)];
    const obstacle = to.moreThan(from) ? growthObstacle(template, classes) : undefined;
    return obstacle === undefined ? [] : [forbidden(field, obstacle)];
  });
}

/**
 * Why claims of this template cannot grow, and the way out; undefined when they can. A template that names no class
 * means the cluster's default; one that names the empty class means volumes that nobody provisions.
 */
export function growthObstacle(template: ClaimTemplate, classes: StorageClasses): string | undefined {
  const { name } = template.metadata;
  const className = classNameOf(template) ?? classes.defaultClass?.metadata.name;
  if (className === undefined) {
    return `template "${name}" names no storage class and the cluster has no default one; mark a class that allows expansion as the default`;
  }
  if (className === "") {
    return `template "${name}" asks for volumes without a storage class; only claims of a class that allows expansion can grow`;
  }
  const obstacle = classObstacle(className, classes);
  switch (obstacle?.kind) {
    case undefined:
      return undefined;
    case "class-missing":
      return `storage class "${className}" of template "${name}" does not exist; create it with allowVolumeExpansion: true`;
    case "class-rigid":
      return `storage class "${className}" of template "${name}" does not allow expansion; set allowVolumeExpansion: true on it`;
  }
}
