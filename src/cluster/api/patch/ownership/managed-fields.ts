/** `metadata.managedFields`: who owns which fields of an object, read and written. */
import { fromTimestamp } from "../../../../core/clock.ts";
import { fromEntries, get, isList, isObject, type Json, type JsonObject } from "../../json.ts";
import type { FieldSet } from "./field-set.ts";
import { decodeFieldsV1, encodeFieldsV1 } from "./fields-v1.ts";

/** Who wrote: by which name, how, through which version and subresource. */
export interface Manager {
  readonly name: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  readonly subresource: string;
}

/** The fields of one manager, and when it last changed the object. */
export interface ManagedEntry {
  readonly manager: Manager;
  readonly fields: FieldSet;
  readonly time?: string;
}

/** The entries by their id: one manager has one entry per operation, subresource and, for updates, version. */
export type Managed = ReadonlyMap<string, ManagedEntry>;

/** No owners at all. */
export const NOBODY: Managed = new Map();

/** The text that tells managers apart, and by which Kubernetes sorts them: an applier stays itself across versions. */
export function managerId({ name, operation, apiVersion, subresource }: Manager): string {
  return JSON.stringify({
    ...(name !== "" && { manager: name }),
    operation,
    ...(operation === "Update" && { apiVersion }),
    ...(subresource !== "" && { subresource }),
  });
}

/** Thrown for managedFields that cannot be read; the message is Kubernetes' own. */
export class ManagedFieldsError extends Error {
  override readonly name = "ManagedFieldsError";
}

/** Reads managedFields; undefined or null is nobody. Throws `ManagedFieldsError`. */
export function decodeManaged(managedFields: Json | undefined): Managed {
  if (managedFields === undefined || managedFields === null) return NOBODY;
  if (!isList(managedFields)) throw new ManagedFieldsError("managedFields is not a list");
  return new Map(
    managedFields.map((entry, index) => {
      const decoded = decodeEntry(isObject(entry) ? entry : {}, index);
      return [managerId(decoded.manager), decoded] as const;
    }),
  );
}

function decodeEntry(entry: JsonObject, index: number): ManagedEntry {
  const text = (name: string) => {
    const value = get(entry, name);
    return typeof value === "string" ? value : "";
  };
  const operation = text("operation");
  if (operation !== "Apply" && operation !== "Update") {
    throw new ManagedFieldsError("operation must be `Apply` or `Update`");
  }
  const apiVersion = text("apiVersion");
  if (apiVersion === "") throw new ManagedFieldsError("apiVersion must not be empty");
  const type = text("fieldsType");
  if (type === "") throw new ManagedFieldsError(`missing fieldsType in managed fields entry ${index}`);
  if (type !== "FieldsV1") {
    throw new ManagedFieldsError(`invalid fieldsType ${JSON.stringify(type)} in managed fields entry ${index}`);
  }
  const time = text("time");
  return {
    manager: { name: text("manager"), operation, apiVersion, subresource: text("subresource") },
    fields: readFields(get(entry, "fieldsV1") ?? {}),
    ...(time !== "" && { time }),
  };
}

function readFields(fields: Json): FieldSet {
  try {
    return decodeFieldsV1(fields);
  } catch (error) {
    throw new ManagedFieldsError(`error decoding set: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The object with these managedFields in place of its own; nobody leaves the field out. */
export function withManaged(object: JsonObject, managed: Managed): JsonObject {
  const bare = withoutManaged(object);
  return managed.size === 0 ? bare : withEntries(bare, encodeManaged(managed));
}

/** The object, which has no managedFields, with these. */
export function withEntries(object: JsonObject, entries: readonly JsonObject[]): JsonObject {
  const metadata = get(object, "metadata");
  return { ...object, metadata: { ...(isObject(metadata) ? metadata : {}), managedFields: entries } };
}

/** The object without managedFields; the same object when it has none. */
export function withoutManaged(object: JsonObject): JsonObject {
  const metadata = get(object, "metadata");
  if (!isObject(metadata) || !Object.hasOwn(metadata, "managedFields")) return object;
  return { ...object, metadata: fromEntries(Object.entries(metadata).filter(([key]) => key !== "managedFields")) };
}

/** The object's own managedFields, unread. */
export function managedFieldsOf(object: JsonObject): Json | undefined {
  const metadata = get(object, "metadata");
  return isObject(metadata) ? get(metadata, "managedFields") : undefined;
}

/** Sorted by operation, time, name, version and subresource. */
function encodeManaged(managed: Managed): JsonObject[] {
  const rank = ({ manager, time }: ManagedEntry): (string | number)[] => [
    manager.operation,
    Math.floor((fromTimestamp(time) ?? 0) / 1000),
    manager.name,
    manager.apiVersion,
    manager.subresource,
  ];
  return [...managed.values()]
    .sort((a, b) => compareRanks(rank(a), rank(b)))
    .map(({ manager, fields, time }) => encodeEntry(manager, encodeFieldsV1(fields), time));
}

function compareRanks(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  for (const [index, left] of a.entries()) {
    const right = b[index] ?? left;
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}

/** One entry as it is written; `fields` as `fieldsV1`. */
export function encodeEntry(manager: Manager, fields: JsonObject, time: string | undefined): JsonObject {
  const { name, operation, apiVersion, subresource } = manager;
  return {
    ...(name !== "" && { manager: name }),
    operation,
    apiVersion,
    ...(time !== undefined && { time }),
    fieldsType: "FieldsV1",
    fieldsV1: fields,
    ...(subresource !== "" && { subresource }),
  };
}
