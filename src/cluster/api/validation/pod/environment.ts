/** Variables of a container and where their values come from (upstream ValidateEnv and ValidateEnvFrom). */
import { type FieldError, invalid, notSupported, required } from "../../../../admission/verdict.ts";
import { labelKeyErrors } from "../../selectors/label-syntax.ts";
import { checkRequiredName } from "../checks.ts";
import { checkNoBacksteps } from "../local-paths.ts";
import { configKey, dnsLabel, dnsSubdomain, variableName } from "../names.ts";

export interface FieldReference {
  readonly apiVersion?: string;
  readonly fieldPath?: string;
}

export interface ResourceReference {
  readonly containerName?: string;
  readonly resource?: string;
}

interface KeyReference {
  readonly name?: string;
  readonly key?: string;
}

export interface Variable {
  readonly name?: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly fieldRef?: FieldReference;
    readonly resourceFieldRef?: ResourceReference;
    readonly configMapKeyRef?: KeyReference;
    readonly secretKeyRef?: KeyReference;
    readonly fileKeyRef?: { readonly key?: string; readonly volumeName?: string; readonly path?: string };
  };
}

export interface VariableSource {
  readonly prefix?: string;
  readonly configMapRef?: { readonly name?: string };
  readonly secretRef?: { readonly name?: string };
}

const OF_VARIABLES = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];
const OF_FILES = ["metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"];
/** Fields of a pod that have a name at all. */
const KNOWN: ReadonlySet<string> = new Set([
  ...OF_VARIABLES,
  ...OF_FILES,
  "spec.restartPolicy",
  "spec.schedulerName",
  "status.phase",
]);
const RESOURCES = ["cpu", "ephemeral-storage", "memory"].flatMap((name) => [`limits.${name}`, `requests.${name}`]);

export function checkVariables(variables: readonly Variable[], path: string): FieldError[] {
  return variables.flatMap((variable, index) => [
    ...checkRequiredName(variable.name, variableName, `${path}[${index}].name`),
    ...checkValueFrom(variable, `${path}[${index}].valueFrom`),
  ]);
}

const ONE_OF = "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`";

function checkValueFrom({ value = "", valueFrom }: Variable, path: string): FieldError[] {
  if (valueFrom === undefined) return [];
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = valueFrom;
  const count = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef].filter(isGiven).length;
  const refuse = (why: string): FieldError[] => [invalid(path, "", why)];
  const errors = [
    ...(isGiven(fieldRef) ? checkFieldReference(fieldRef, "variable", `${path}.fieldRef`) : []),
    ...(isGiven(resourceFieldRef) ? checkResourceReference(resourceFieldRef, false, `${path}.resourceFieldRef`) : []),
    ...(isGiven(configMapKeyRef) ? checkKeyReference(configMapKeyRef, `${path}.configMapKeyRef`) : []),
    ...(isGiven(secretKeyRef) ? checkKeyReference(secretKeyRef, `${path}.secretKeyRef`) : []),
    ...(isGiven(fileKeyRef) ? checkFileReference(fileKeyRef, `${path}.fileKeyRef`) : []),
  ];
  if (count === 0) return [...errors, ...refuse(ONE_OF)];
  if (value !== "") return [...errors, ...refuse("may not be specified when `value` is not empty")];
  return count > 1 ? [...errors, ...refuse("may not have more than one field specified at a time")] : errors;
}

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== undefined && value !== null;
}

/** A field of the pod itself, for a variable or a file. */
export function checkFieldReference(
  { apiVersion = "", fieldPath = "" }: FieldReference,
  use: "variable" | "file",
  path: string,
): FieldError[] {
  if (apiVersion === "") return [required(`${path}.apiVersion`)];
  if (fieldPath === "") return [required(`${path}.fieldPath`)];
  const refuse = (why: string): FieldError[] => [
    invalid(`${path}.fieldPath`, fieldPath, `error converting fieldPath: ${why}`),
  ];
  if (apiVersion !== "v1") return refuse(`unsupported pod version: ${apiVersion}`);
  const [whole, key] = subscripted(fieldPath);
  if (key !== undefined) {
    if (whole !== "metadata.annotations" && whole !== "metadata.labels") {
      return refuse(`field label does not support subscript: ${fieldPath}`);
    }
    const name = whole === "metadata.annotations" ? key.toLowerCase() : key;
    return labelKeyErrors(name).map((problem) => invalid(path, name, problem));
  }
  if (!KNOWN.has(fieldPath)) return refuse(`field label not supported: ${fieldPath}`);
  const supported = use === "variable" ? OF_VARIABLES : OF_FILES;
  return supported.includes(fieldPath) ? [] : [notSupported(`${path}.fieldPath`, fieldPath, supported)];
}

/** `metadata.labels['app']` as what it is of, and the key; without a key where it has none. */
function subscripted(path: string): readonly [whole: string, key?: string] {
  const start = path.indexOf("['");
  return path.endsWith("']") && start > 0 ? [path.slice(0, start), path.slice(start + 2, -2)] : [path];
}

/** What a container asks for, or may have at most. In a file it must be said of which container. */
export function checkResourceReference(
  { containerName = "", resource = "" }: ResourceReference,
  isFile: boolean,
  path: string,
): FieldError[] {
  if (isFile && containerName === "") return [required(`${path}.containerName`)];
  if (resource === "") return [required(`${path}.resource`)];
  if (RESOURCES.includes(resource) || /^(?:limits|requests)\.hugepages-/.test(resource)) return [];
  return [notSupported(`${path}.resource`, resource, RESOURCES.toSorted())];
}

function checkKeyReference({ name = "", key }: KeyReference, path: string): FieldError[] {
  return [
    ...dnsSubdomain(name).map((problem) => invalid(`${path}.name`, name, problem)),
    ...checkRequiredName(key, configKey, `${path}.key`),
  ];
}

function checkFileReference(
  { key, volumeName, path: file }: { readonly key?: string; readonly volumeName?: string; readonly path?: string },
  path: string,
): FieldError[] {
  return [
    ...checkRequiredName(key, variableName, `${path}.key`),
    ...checkRequiredName(volumeName, dnsLabel, `${path}.volumeName`),
    ...((file ?? "") === "" ? [required(`${path}.path`)] : checkNoBacksteps(file ?? "", `${path}.path`)),
  ];
}

export function checkVariableSources(sources: readonly VariableSource[], path: string): FieldError[] {
  return sources.flatMap(({ prefix = "", configMapRef, secretRef }, index) => {
    const at = `${path}[${index}]`;
    const count = [configMapRef, secretRef].filter(isGiven).length;
    return [
      ...(prefix === "" ? [] : variableName(prefix).map((problem) => invalid(`${at}.prefix`, prefix, problem))),
      ...(isGiven(configMapRef) ? checkRequiredName(configMapRef.name, dnsSubdomain, `${at}.configMapRef.name`) : []),
      ...(isGiven(secretRef) ? checkRequiredName(secretRef.name, dnsSubdomain, `${at}.secretRef.name`) : []),
      ...(count === 0 ? [invalid(path, "", "must specify one of: `configMapRef` or `secretRef`")] : []),
      ...(count > 1 ? [invalid(path, "", "may not have more than one field specified at a time")] : []),
    ];
  });
}
