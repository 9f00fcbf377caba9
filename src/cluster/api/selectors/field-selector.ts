/** Field selectors: `?fieldSelector=metadata.name=db,status.phase!=Succeeded`. Each kind has a few fields that may be asked for. */
import { get, isList, isObject, type Json, type JsonObject } from "../json.ts";
import { badRequest } from "../status-error.ts";

/** A field must have this value, or (`equal` false) another. */
export interface FieldRequirement {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

/** Several requirements on fields, all of which must hold. */
export interface FieldSelector {
  readonly requirements: readonly FieldRequirement[];
  readonly matches: (object: JsonObject) => boolean;
  /** The value that a field must have, if the selector says so: `metadata.name` makes a list a look-up. */
  exactly(field: string): string | undefined;
}

type Field = readonly [name: string, read: (object: JsonObject) => string];
type Fields = ReadonlyMap<Field[0], Field[1]>;

/**
 * Reads a selector for a kind. `extra` are the `selectableFields` of a custom resource, as dotted paths. Throws
 * `StatusError` 400 in Kubernetes' words for what cannot be read and for a field that the kind does not offer.
 */
export function parseFieldSelector(
  text: string,
  apiVersion: string,
  kind: string,
  extra?: readonly string[],
): FieldSelector {
  const own = extra === undefined ? BY_KIND.get(`${apiVersion}/${kind}`) : customFields(extra);
  const fields: Fields = own?.fields ?? META;
  const requirements = fieldRequirements(text);
  const tests = requirements.map(({ field, equal, value }) => {
    const read = fields.get(field);
    if (read === undefined) throw badRequest(own?.refusal(field) ?? unknownField(field, fields));
    return (object: JsonObject) => (read(object) === value) === equal;
  });
  return {
    requirements,
    matches: (object) => tests.every((test) => test(object)),
    exactly: (field) => requirements.find((each) => each.equal && each.field === field)?.value,
  };
}

function customFields(paths: readonly string[]): KindFields {
  const [, fields] = offering("", plain(...paths));
  return fields;
}

/** What a selector asks for, whatever the kind. Throws `StatusError` 400 in Kubernetes' words for what cannot be read. */
export function fieldRequirements(text: string): FieldRequirement[] {
  // A term that names neither field nor value asks for nothing.
  return termsOf(text)
    .map((term) => requirementOf(term, text))
    .filter(({ field, value }) => field !== "" || value !== "");
}

/** Terms are sorted, as upstream: of several that are wrong, the first in that order is named. */
function termsOf(text: string): string[] {
  const terms = text.match(/(?:\\[^]?|[^\\,])+/g) ?? [];
  return terms.toSorted();
}

function requirementOf(term: string, selector: string): FieldRequirement {
  const split = /^([^]*?)(!=|==|=)([^]*)$/.exec(term);
  if (split === null) throw badRequest(`invalid selector: '${selector}'; can't understand '${term}'`);
  const [, field = "", operator, value = ""] = split;
  return { field, equal: operator !== "!=", value: unescaped(value) };
}

function unescaped(value: string): string {
  return value.replaceAll(/\\([^]?)|[,=]/gu, (found, escaped: string | undefined) => {
    if (escaped === undefined) {
      throw badRequest(`invalid field selector: unescaped character in value: ${found.charCodeAt(0)}`);
    }
    if (!/^[\\,=]$/.test(escaped)) throw badRequest(`invalid field selector: invalid escape sequence: ${found}`);
    return escaped;
  });
}

function unknownField(field: string, fields: Fields): string {
  const known = [...fields.keys()].map((name) => JSON.stringify(name)).join(", ");
  return `${JSON.stringify(field)} is not a known field selector: only ${known}`;
}

/** What stands at a dotted path, as text; missing is empty. */
function textAt(object: JsonObject, path: string): string {
  const value = path
    .split(".")
    .reduce<Json | undefined>((at, name) => (isObject(at) ? get(at, name) : undefined), object);
  return value === undefined || value === null || isObject(value) || isList(value) ? "" : String(value);
}

const reading = (path: string) => (object: JsonObject) => textAt(object, path);
const orElse = (path: string, missing: string) => (object: JsonObject) => textAt(object, path) || missing;

const NAME = ["metadata.name", reading("metadata.name")] as const;
const META: Fields = new Map([NAME, ["metadata.namespace", reading("metadata.namespace")]]);

const plain = (...paths: string[]): Fields =>
  new Map([...META, ...paths.map((path) => [path, reading(path)] as const)]);
const INVOLVED = ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"];

interface KindFields {
  readonly fields: Fields;
  refusal(field: string): string;
}

const BY_KIND: ReadonlyMap<string, KindFields> = new Map([
  offering("v1/Pod", [
    ...plain("spec.nodeName", "spec.restartPolicy", "spec.schedulerName", "spec.serviceAccountName"),
    ...plain("status.phase", "status.podIP", "status.nominatedNodeName"),
    ["spec.host", reading("spec.nodeName")],
    ["spec.hostNetwork", orElse("spec.hostNetwork", "false")],
    // Upstream takes it, but nothing stands behind it there.
    ["status.podIPs", () => ""],
  ]),
  offering("v1/Node", [NAME, ["spec.unschedulable", orElse("spec.unschedulable", "false")]]),
  offering("v1/Namespace", [NAME, ["status.phase", reading("status.phase")]]),
  offering("v1/Secret", plain("type")),
  offering("v1/Service", plain("spec.clusterIP", "spec.type")),
  offering("v1/ReplicationController", [...META, ["status.replicas", orElse("status.replicas", "0")]]),
  offering("v1/Event", [
    ...plain(...INVOLVED.map((name) => `involvedObject.${name}`), "reason", "type", "reportingComponent"),
    ["source", (object) => textAt(object, "source.component") || textAt(object, "reportingComponent")],
  ]),
  offering(
    "events.k8s.io/v1/Event",
    plain(...INVOLVED.map((name) => `regarding.${name}`), "reason", "type", "reportingController"),
  ),
  offering("certificates.k8s.io/v1/CertificateSigningRequest", [NAME, ["spec.signerName", reading("spec.signerName")]]),
  offering(
    "resource.k8s.io/v1/ResourceSlice",
    [NAME, ...["spec.nodeName", "spec.driver"].map((path): Field => [path, reading(path)])],
    (field) => `field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: ${field}`,
  ),
  offering(
    "batch/v1/Job",
    [...META, ["status.successful", orElse("status.succeeded", "0")]],
    (field) => `field label ${JSON.stringify(field)} not supported for Job`,
  ),
]);

function offering(
  kind: string,
  fields: Iterable<Field>,
  refusal = (field: string) => `field label not supported: ${field}`,
): readonly [string, KindFields] {
  return [kind, { fields: new Map(fields), refusal }];
}
