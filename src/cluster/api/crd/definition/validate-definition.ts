/**
 * May this definition be stored? apiextensions-apiserver pkg/apis/apiextensions/validation. Everything here has been accepted
 * under these same rules before, so that an update is held to all of them, which upstream spares older definitions.
 */
import { type FieldError, invalid, required, tooMany } from "../../../../admission/verdict.ts";
import type { JsonObject } from "../../json.ts";
import { atOnce, type Steps } from "../../steps.ts";
import { checkOneOf, checkUnchanged } from "../../validation/checks.ts";
import { dnsSubdomain } from "../../validation/names.ts";
import { approvalErrors } from "./approval.ts";
import { conversionErrors } from "./conversion.ts";
import { asDefinition, type Definition, type DefinitionSpec, isTrue, type Names, type Version } from "./definition.ts";
import { type Described, internalForm } from "./internal.ts";
import { dnsLabel1035 } from "./names.ts";
import { columnErrors, selectableErrors, subresourceErrors } from "./presentation.ts";
import { validationErrors } from "./validation.ts";
import { schemasIn } from "./written-schema.ts";

/**
 * Every error of a definition that has its defaults and its status (`prepareDefinition`), beside those of its metadata; `old`
 * is what it replaces.
 */
export function validateDefinition(next: JsonObject, old: JsonObject | undefined): FieldError[] {
  return atOnce(validateInSteps(next, old));
}

/** The same, one walk over a schema after the other. */
export function* validateInSteps(next: JsonObject, old: JsonObject | undefined): Steps<FieldError[]> {
  const definition = asDefinition(next);
  const before = old === undefined ? undefined : asDefinition(old);
  return [
    ...(before === undefined ? nameErrors(definition) : []),
    ...(yield* specErrors(definition.spec)),
    ...(before === undefined ? [] : immutableErrors(definition.spec, before)),
    ...statusErrors(definition),
    ...storedVersionErrors(definition),
    ...approvalErrors(definition, before),
    ...(definition.spec.preserveUnknownFields === true && before?.spec.preserveUnknownFields !== true
      ? [
          invalid(
            "spec.preserveUnknownFields",
            true,
            "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
          ),
        ]
      : []),
  ];
}

/** Every error of a status that is written through its own endpoint. */
export function validateDefinitionStatus(next: JsonObject): FieldError[] {
  return statusErrors(asDefinition(next));
}

function nameErrors({ metadata, spec }: Definition): FieldError[] {
  return metadata.name === `${spec.names.plural}.${spec.group}`
    ? []
    : [invalid("metadata.name", metadata.name, 'must be spec.names.plural+"."+spec.group')];
}

/** Upstream knows no limit. Each version has documents of its own, and thousands of them would keep everybody else waiting. */
const MAX_VERSIONS = 100;

function* specErrors(spec: DefinitionSpec): Steps<FieldError[]> {
  if (spec.versions.length > MAX_VERSIONS) return [tooMany("spec.versions", spec.versions.length, MAX_VERSIONS)];
  const internal = internalForm(spec);
  const ofVersions: FieldError[][] = [];
  for (const [index, version] of spec.versions.entries()) {
    yield;
    ofVersions.push(yield* versionErrors(version, internal.versions[index]));
  }
  const ofAll = yield* describedErrors(internal.shared, "validation");
  return [
    ...groupErrors(spec.group),
    ...checkOneOf(spec.scope, ["Cluster", "Namespaced"], "spec.scope"),
    ...spec.versions.flatMap(({ schema }, index) =>
      schema?.openAPIV3Schema === undefined ? [required(`spec.versions[${index}].schema.openAPIV3Schema`)] : [],
    ),
    ...(spec.preserveUnknownFields === true && hasDefaults(spec)
      ? [invalid("spec.preserveUnknownFields", true, "must be false in order to use defaults in the schema")]
      : []),
    ...ofVersions.flat(),
    ...uniquenessErrors(spec.versions),
    ...firstVersionErrors(spec.versions),
    ...requiredNames(spec.names),
    ...namesErrors(spec.names, "spec.names"),
    ...ofAll,
    ...(spec.preserveUnknownFields === true && spec.conversion !== undefined && spec.conversion.strategy !== "None"
      ? [
          invalid(
            "spec.conversion.strategy",
            spec.conversion.strategy,
            "must be None if spec.preserveUnknownFields is true",
          ),
        ]
      : []),
    ...conversionErrors(spec.conversion),
  ];
}

function groupErrors(group: string): FieldError[] {
  if (group === "") return [required("spec.group")];
  const errors = dnsSubdomain(group);
  if (errors.length > 0) return [invalid("spec.group", group, errors.join(","))];
  return group.includes(".") ? [] : [invalid("spec.group", group, "should be a domain with at least one dot")];
}

function hasDefaults({ versions }: DefinitionSpec): boolean {
  return versions.some(({ schema }) =>
    [...schemasIn(schema?.openAPIV3Schema ?? {})].some((each) => (each["default"] ?? null) !== null),
  );
}

function* versionErrors(version: Version, described: Described | undefined): Steps<FieldError[]> {
  if (described === undefined) return [];
  const { path } = described;
  const errors = dnsLabel1035(version.name);
  return [
    ...(errors.length === 0 ? [] : [invalid(`${path}.name`, version.name, errors.join(","))]),
    ...deprecationErrors(version).map((message) =>
      invalid(`${path}.deprecationWarning`, version.deprecationWarning, message),
    ),
    ...(yield* describedErrors(described, "schema")),
  ];
}

function deprecationErrors({ deprecated, deprecationWarning }: Version): string[] {
  if (deprecationWarning === undefined) return [];
  if (deprecated !== true) return ["can only be set for deprecated versions"];
  const unprintable = deprecationWarning.search(/[^\P{C}]|[^\P{Z} ]/u);
  return [
    ...(Buffer.byteLength(deprecationWarning) > 256 ? ["must be <= 256 characters long"] : []),
    ...(deprecationWarning === "" ? ["must not be an empty string"] : []),
    ...(unprintable < 0
      ? []
      : [
          `must only contain printable UTF-8 characters; non-printable character found at index ${Buffer.byteLength(deprecationWarning.slice(0, unprintable))}`,
        ]),
  ];
}

/** What versions say of their objects, where all of them say it and where one does. */
function* describedErrors(described: Described, name: "validation" | "schema"): Steps<FieldError[]> {
  const { path, schema, subresources, columns, selectable, hasStatus } = described;
  return [
    ...(schema === undefined ? [] : yield* validationErrors(schema, hasStatus, `${path}.${name}`)),
    ...subresourceErrors(subresources, `${path}.subresources`),
    ...columns.flatMap((column, index) => columnErrors(column, `${path}.additionalPrinterColumns[${index}]`)),
    ...(schema === undefined ? [] : selectableErrors(selectable, schema, `${path}.selectableFields`)),
  ];
}

function uniquenessErrors(versions: readonly Version[]): FieldError[] {
  const shown = versions.map(internalVersion);
  const names = new Set(versions.map(({ name }) => name));
  return [
    ...(names.size === versions.length ? [] : [invalid("spec.versions", shown, "must contain unique version names")]),
    ...(versions.filter(({ storage }) => storage).length === 1
      ? []
      : [invalid("spec.versions", shown, "must have exactly one version marked as storage version")]),
  ];
}

/** The first version stands a second time in upstream's form, at the top. */
function firstVersionErrors([first]: readonly Version[]): FieldError[] {
  const errors = first === undefined || first.name === "" ? [] : dnsLabel1035(first.name);
  return errors.length === 0 ? [] : [invalid("spec.version", first?.name, errors.join(","))];
}

/** As upstream shows a version whose schema, endpoints and columns are those of all. */
function internalVersion({ name, served, storage, deprecated, deprecationWarning }: Version): object {
  return {
    Name: name,
    Served: served,
    Storage: storage,
    Deprecated: deprecated ?? false,
    DeprecationWarning: deprecationWarning ?? null,
    Schema: null,
    Subresources: null,
    AdditionalPrinterColumns: null,
    SelectableFields: null,
  };
}

function requiredNames(names: Names): FieldError[] {
  return (["plural", "singular", "kind", "listKind"] as const)
    .filter((name) => (names[name] ?? "") === "")
    .map((name) => required(`spec.names.${name}`));
}

function namesErrors(names: Names, path: string): FieldError[] {
  const { plural, singular = "", kind, listKind = "", shortNames = [], categories = [] } = names;
  const label = (name: string, place: string, prefix = ""): FieldError[] => {
    const errors = dnsLabel1035(prefix === "" ? name : name.toLowerCase());
    return errors.length === 0 ? [] : [invalid(`${path}.${place}`, name, prefix + errors.join(","))];
  };
  const given = (name: string, place: string, prefix?: string): FieldError[] =>
    name === "" ? [] : label(name, place, prefix);
  const mixed = "may have mixed case, but should otherwise match: ";
  return [
    ...given(plural, "plural"),
    ...given(singular, "singular"),
    ...given(kind, "kind", mixed),
    ...given(listKind, "listKind", mixed),
    ...shortNames.flatMap((name, index) => label(name, `shortNames[${index}]`)),
    ...(kind !== "" && kind === listKind
      ? [invalid(`${path}.listKind`, listKind, "kind and listKind may not be the same")]
      : []),
    ...categories.flatMap((name, index) => label(name, `categories[${index}]`)),
  ];
}

/** What is stored under a name cannot be found under another. */
function immutableErrors(spec: DefinitionSpec, before: Definition): FieldError[] {
  const established = isTrue(before, "Established");
  return [
    ...(established ? checkUnchanged(before.spec.scope, spec.scope, "spec.scope") : []),
    ...(established ? checkUnchanged(before.spec.names.kind, spec.names.kind, "spec.names.kind") : []),
    ...checkUnchanged(before.spec.group, spec.group, "spec.group"),
    ...checkUnchanged(before.spec.names.plural, spec.names.plural, "spec.names.plural"),
  ];
}

function statusErrors({ status }: Definition): FieldError[] {
  return status?.acceptedNames === undefined ? [] : namesErrors(status.acceptedNames, "status.acceptedNames");
}

/** Objects may still be stored in every version that was stored once. */
function storedVersionErrors({ spec, status }: Definition): FieldError[] {
  const path = "status.storedVersions";
  const stored = status?.storedVersions ?? [];
  if (stored.length === 0) return [invalid(path, null, "must have at least one stored version")];
  const names = new Set(spec.versions.map(({ name }) => name));
  return [
    ...spec.versions
      .filter(({ storage, name }) => storage && !stored.includes(name))
      .map(({ name }) => invalid(path, stored, `must have the storage version ${name}`)),
    ...stored.flatMap((name, index) =>
      names.has(name)
        ? []
        : [
            invalid(
              `${path}[${index}]`,
              name,
              `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage ` +
                `migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`,
            ),
          ],
    ),
  ];
}
