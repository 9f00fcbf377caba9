/** Sizes, objects, and the rules for one's own admission and status. */
export { type StorageClasses, storageClasses } from "../admission/storage-classes.ts";
export { type FieldError, fieldErrorText } from "../admission/verdict.ts";
export { type ClaimView, readClaim } from "../core/claim.ts";
export {
  compareTemplates,
  type SizeChange,
  type TemplateDifference,
  type TemplateEdit,
} from "../core/claim-templates.ts";
export { type ErrorCode, OutgrowError } from "../core/errors.ts";
export { DEFAULT_GATES, type Gates } from "../core/gates.ts";
export { Quantity } from "../core/quantity.ts";
export type * from "../core/types.ts";
export { formatWish, parseWish, type Wish } from "../core/wish.ts";
export { type SourceUpdate, validateSourceUpdate } from "../source/decide/validate.ts";
export { type WithConditions, withOutcome } from "../source/decide/volume-resized.ts";
