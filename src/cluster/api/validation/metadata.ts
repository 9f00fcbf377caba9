/** What holds for the metadata of every object: upstream apimachinery pkg/api/validation/objectmeta.go. */
import { type FieldError, forbidden, invalid, required, tooLong } from "../../../admission/verdict.ts";
import { semanticallyEqual } from "../../../core/semantic-equal.ts";
import type { ObjectMeta, OwnerReference } from "../../../core/types.ts";
import { labelKeyErrors, labelValueErrors } from "../selectors/label-syntax.ts";
import { dnsLabel, type NameRule } from "./names.ts";

/** Keys and values of all annotations together. */
const MAX_ANNOTATION_BYTES = 256 * 1024;

/** Fields that a server sets once. */
const SET_ONCE = [
  "name",
  "namespace",
  "uid",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
] as const;

/** Finalizers that may stand without a domain. */
export const STANDARD_FINALIZERS: readonly string[] = ["kubernetes", "orphan", "foregroundDeletion"];

/** What the metadata of one kind is held to. */
export interface MetadataRules {
  readonly namespaced: boolean;
  readonly name: NameRule;
  /** Finalizers other than the standard ones must name the domain that they belong to. */
  readonly qualifiedFinalizers: boolean;
}

/** Every error in the metadata of a new object, in upstream's order. */
export function validateMetadata(meta: Partial<ObjectMeta>, rules: MetadataRules): FieldError[] {
  return [
    ...checkGenerateName(fieldOf(meta, "generateName"), rules.name),
    ...checkName(meta.name ?? "", rules.name),
    ...checkNamespace(meta.namespace ?? "", rules.namespaced),
    ...validateLabels(meta.labels ?? {}, "metadata.labels"),
    ...validateAnnotations(meta.annotations ?? {}, "metadata.annotations"),
    ...checkOwners(meta.ownerReferences ?? []),
    ...checkFinalizers(meta.finalizers ?? []),
    ...checkQualified(meta.finalizers ?? [], rules),
  ];
}

/** Every error in the metadata of an object that replaces `old`. */
export function validateMetadataUpdate(
  meta: Partial<ObjectMeta>,
  old: Partial<ObjectMeta>,
  rules: Pick<MetadataRules, "qualifiedFinalizers">,
): FieldError[] {
  const fixed = (name: (typeof SET_ONCE)[number]) => ({ before: fieldOf(old, name), after: fieldOf(meta, name) });
  return [
    ...checkNewFinalizers(meta, old),
    ...((meta.resourceVersion ?? "") === ""
      ? [invalid("metadata.resourceVersion", "", "must be specified for an update")]
      : []),
    ...SET_ONCE.filter((name) => !semanticallyEqual(fixed(name).before, fixed(name).after)).map((name) =>
      invalid(`metadata.${name}`, fixed(name).after ?? null, "field is immutable"),
    ),
    ...validateLabels(meta.labels ?? {}, "metadata.labels"),
    ...validateAnnotations(meta.annotations ?? {}, "metadata.annotations"),
    ...checkOwners(meta.ownerReferences ?? []),
    ...checkQualified(meta.finalizers ?? [], rules),
  ];
}

function fieldOf(meta: object, name: string): unknown {
  return (meta as Readonly<Record<string, unknown>>)[name];
}

/** Also where the name is given and nothing is generated. Behind a dash at its end something will stand. */
function checkGenerateName(prefix: unknown, rule: NameRule): FieldError[] {
  if (typeof prefix !== "string" || prefix === "") return [];
  const begun = prefix.length > 1 && prefix.endsWith("-") ? `${prefix.slice(0, -2)}a` : prefix;
  return rule(begun).map((message) => invalid("metadata.generateName", prefix, message));
}

function checkName(name: string, rule: NameRule): FieldError[] {
  if (name === "") return [required("metadata.name", "name or generateName is required")];
  return rule(name).map((message) => invalid("metadata.name", name, message));
}

function checkNamespace(namespace: string, namespaced: boolean): FieldError[] {
  const path = "metadata.namespace";
  if (!namespaced) return namespace === "" ? [] : [forbidden(path, "not allowed on this type")];
  if (namespace === "") return [required(path)];
  return dnsLabel(namespace).map((message) => invalid(path, namespace, message));
}

/** Labels, wherever they stand. */
export function validateLabels(labels: Readonly<Record<string, string>>, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const key of Object.keys(labels)) {
    const value = labels[key] ?? "";
    for (const message of labelKeyErrors(key)) errors.push(invalid(path, key, message));
    for (const message of labelValueErrors(value)) errors.push(invalid(path, value, message));
  }
  return errors;
}

/** Annotations, wherever they stand. Upper case counts as lower: older clients wrote such prefixes. */
export function validateAnnotations(annotations: Readonly<Record<string, string>>, path: string): FieldError[] {
  const keys = Object.keys(annotations);
  if (keys.length === 0) return [];
  const errors = keys.flatMap((key) => labelKeyErrors(key.toLowerCase()).map((message) => invalid(path, key, message)));
  const size = Object.entries(annotations).reduce((sum, pair) => sum + Buffer.byteLength(pair.join("")), 0);
  return size > MAX_ANNOTATION_BYTES ? [...errors, tooLong(path, MAX_ANNOTATION_BYTES)] : errors;
}

function checkOwners(owners: readonly OwnerReference[]): FieldError[] {
  if (owners.length === 0) return [];
  const path = "metadata.ownerReferences";
  const errors = owners.flatMap((owner) => checkOwner(owner, path));
  const [first, ...others] = owners
    .filter(({ controller }) => controller === true)
    .map((each) => `${each.kind}/${each.name}`);
  const second = others.map((other) =>
    invalid(
      path,
      owners,
      `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${other}`,
    ),
  );
  return [...errors, ...second];
}

function checkOwner(
  { apiVersion = "", kind = "", name = "", uid = "" }: Partial<OwnerReference>,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (apiVersion === "" || apiVersion.endsWith("/")) {
    errors.push(invalid(`${path}.apiVersion`, apiVersion, "version must not be empty"));
  }
  for (const [field, value] of Object.entries({ kind, name, uid })) {
    if (value === "") errors.push(invalid(`${path}.${field}`, value, "must not be empty"));
  }
  if (apiVersion === "v1" && kind === "Event") {
    errors.push(invalid(path, { apiVersion, kind, name, uid }, "/v1, Kind=Event is disallowed from being an owner"));
  }
  return errors;
}

function checkFinalizers(finalizers: readonly string[]): FieldError[] {
  const path = "metadata.finalizers";
  const errors: FieldError[] = [];
  for (const name of finalizers) {
    for (const message of labelKeyErrors(name)) errors.push(invalid(path, name, message));
  }
  const both = finalizers.includes("orphan") && finalizers.includes("foregroundDeletion");
  const clash = "finalizer orphan and foregroundDeletion cannot be both set";
  return both ? [...errors, invalid(path, finalizers, clash)] : errors;
}

function checkQualified(
  finalizers: readonly string[],
  rules: Pick<MetadataRules, "qualifiedFinalizers">,
): FieldError[] {
  const errors: FieldError[] = [];
  if (!rules.qualifiedFinalizers) return errors;
  finalizers.forEach((name, index) => {
    if (name.includes("/") || STANDARD_FINALIZERS.includes(name)) return;
    const message = "name is neither a standard finalizer name nor is it fully qualified";
    errors.push(invalid(`metadata.finalizers[${index}]`, name, message));
  });
  return errors;
}

function checkNewFinalizers(meta: Partial<ObjectMeta>, old: Partial<ObjectMeta>): FieldError[] {
  if (old.deletionTimestamp === undefined) return [];
  const before = new Set(old.finalizers ?? []);
  const added = (meta.finalizers ?? []).filter((name) => !before.has(name)).toSorted();
  if (added.length === 0) return [];
  const list = `[]string{${added.map((name) => JSON.stringify(name)).join(", ")}}`;
  return [
    forbidden(
      "metadata.finalizers",
      `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`,
    ),
  ];
}
