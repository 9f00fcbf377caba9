/** What one version of a definition says of its objects, ready for the requests that carry them. */
import { type FieldError, fieldErrorText, invalid } from "../../../../admission/verdict.ts";
import type { Conformed, CustomResource, ScalePaths } from "../../catalog/resource.ts";
import { get, type JsonObject } from "../../json.ts";
import { customResourceType } from "../../schema/custom-resource.ts";
import type { Steps } from "../../steps.ts";
import { type Definition, isTrue, type Subresources, type Version } from "../definition/definition.ts";
import { rules } from "../lazy-rules.ts";
import type { ValidateRules } from "../rules/index.ts";
import { withSchemaDefaults } from "../schema/default.ts";
import { validateEmbedded } from "../schema/embedded.ts";
import { validateListTypes } from "../schema/list-types.ts";
import { pruneObject } from "../schema/prune.ts";
import { toFieldErrors } from "../schema/result.ts";
import { readSchema, type Schema } from "../schema/schema.ts";
import { validateValue } from "../schema/validate-value.ts";
import { validateScaleSpec, validateScaleStatus } from "./scale.ts";
import { storedForm } from "./stored-form.ts";

/** The schema is read once, here. Who has rules in it sees to it that `rulesReady`. */
export function* customResource(definition: Definition, version: Version): Steps<CustomResource> {
  const { spec } = definition;
  const written = version.schema?.openAPIV3Schema;
  const schema = written === undefined ? undefined : readSchema(written);
  yield;
  const type = customResourceType(written);
  yield;
  const ruled = schema?.inside.rules === true ? yield* rules.loaded().rulesOf(schema) : undefined;
  const scale = scaleOf(version.subresources);
  return {
    type,
    hasStatus: version.subresources?.status !== undefined,
    versions: spec.versions.filter(({ served }) => served).map(({ name }) => name),
    ...storedForm(definition, version),
    conform: (object) => conform(object, schema),
    validate(next, old, subresource, warn) {
      const errors =
        subresource === "status" ? validateStatus(next, old, schema, scale) : validate(next, old, schema, scale);
      return ruled === undefined ? errors : [...errors, ...ruleErrors(ruled, errors, next, old, warn)];
    },
    ...(scale !== undefined && { scale }),
    selectableFields: (version.selectableFields ?? []).map(({ jsonPath }) => jsonPath.replace(/^\./, "")),
    ...(version.deprecated === true && { deprecation: deprecationOf(definition, version) }),
    terminating: isTrue(definition, "Terminating"),
    ...(written !== undefined && { openApiSchema: written }),
  };
}

/** What must be right before rules can be asked. */
const BLOCKING: ReadonlySet<string> = new Set(["NotSupported", "Required", "TooLong", "TooMany", "TypeInvalid"]);
const UNCHECKED =
  "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";

function ruleErrors(
  ruled: ValidateRules,
  errors: readonly FieldError[],
  next: JsonObject,
  old: JsonObject | undefined,
  warn?: (text: string) => void,
): FieldError[] {
  if (errors.some(({ type }) => BLOCKING.has(type))) return [invalid("<nil>", null, UNCHECKED)];
  return ruled(next, old, (error) => warn?.(fieldErrorText(error)));
}

function deprecationOf({ spec }: Definition, { name, deprecationWarning }: Version): string {
  return deprecationWarning ?? `${spec.group}/${name} ${spec.names.kind} is deprecated`;
}

function scaleOf(subresources: Subresources | undefined): ScalePaths | undefined {
  const scale = subresources?.scale;
  if (scale === undefined) return undefined;
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  return {
    specReplicas: specReplicasPath,
    statusReplicas: statusReplicasPath,
    ...(labelSelectorPath !== undefined && { labelSelector: labelSelectorPath }),
  };
}

function conform(object: JsonObject, schema: Schema | undefined): Conformed {
  const pruned = pruneObject(object, schema);
  return { object: withSchemaDefaults(pruned.object, schema) as JsonObject, unknown: pruned.unknown };
}

function validate(
  next: JsonObject,
  old: JsonObject | undefined,
  schema: Schema | undefined,
  scale: ScalePaths | undefined,
): FieldError[] {
  return [
    ...(schema === undefined ? [] : toFieldErrors(validateValue(next, schema, "", old), "")),
    ...(scale === undefined ? [] : [...validateScaleSpec(next, scale), ...validateScaleStatus(next, scale)]),
    ...validateEmbedded(next, schema),
    ...newListErrors(next, old, schema),
  ];
}

function validateStatus(
  next: JsonObject,
  old: JsonObject | undefined,
  schema: Schema | undefined,
  scale: ScalePaths | undefined,
): FieldError[] {
  const status = get(next, "status");
  const known = schema?.properties.get("status");
  const before = old === undefined ? undefined : get(old, "status");
  return [
    ...(status === undefined || known === undefined
      ? []
      : toFieldErrors(validateValue(status, known, "", before), "status")),
    ...(scale === undefined ? [] : validateScaleStatus(next, scale)),
    ...newListErrors(next, old, schema),
  ];
}

/** Where something stood twice already, it may go on to. */
function newListErrors(next: JsonObject, old: JsonObject | undefined, schema: Schema | undefined): FieldError[] {
  const errors = validateListTypes(next, schema);
  return errors.length > 0 && old !== undefined && validateListTypes(old, schema).length > 0 ? [] : errors;
}
