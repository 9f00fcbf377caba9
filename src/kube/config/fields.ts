/** Reading YAML or JSON with errors that name the file and the field. */
import { KubeError } from "../kube-error.ts";

/** Where a value stands: `/users/me/.kube/config: users[admin].user.token`. */
export interface Place {
  readonly file: string;
  readonly path: string;
}

export function at(place: Place, field: string): Place {
  return { file: place.file, path: place.path === "" ? field : `${place.path}.${field}` };
}

export function invalid(place: Place, message: string, cause?: unknown): KubeError {
  const where = place.path === "" ? place.file : `${place.file}: ${place.path}`;
  return new KubeError("ConfigInvalid", `${where}: ${message}`, cause === undefined ? {} : { cause });
}

export type Fields = Readonly<Record<string, unknown>>;

/** A mapping; an empty one where there is nothing. */
export function asFields(value: unknown, place: Place): Fields {
  if (value === undefined || value === null) return {};
  if (typeof value !== "object" || Array.isArray(value))
    throw invalid(place, `expected a mapping, found ${show(value)}`);
  return value as Fields;
}

/** A list; an empty one where there is nothing. */
export function asList(value: unknown, place: Place): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw invalid(place, `expected a list, found ${show(value)}`);
  return value;
}

/** A text that may be missing; an empty one counts as missing, as it does for kubectl. */
export function text(fields: Fields, name: string, place: Place): string | undefined {
  const value = fields[name];
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value !== "string") throw invalid(at(place, name), `expected text, found ${show(value)}`);
  return value;
}

export function flag(fields: Fields, name: string, place: Place): boolean {
  const value = fields[name];
  if (value === undefined || value === null) return false;
  if (typeof value !== "boolean") throw invalid(at(place, name), `expected true or false, found ${show(value)}`);
  return value;
}

export function texts(fields: Fields, name: string, place: Place): readonly string[] {
  return asList(fields[name], at(place, name)).map((value, index) => {
    if (typeof value !== "string") throw invalid(at(place, `${name}[${index}]`), `expected text, found ${show(value)}`);
    return value;
  });
}

/** Base64 data that may be missing. */
export function bytes(fields: Fields, name: string, place: Place): Buffer | undefined {
  const value = text(fields, name, place);
  if (value === undefined) return undefined;
  const compact = value.replaceAll(/\s/g, "");
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(compact)) throw invalid(at(place, name), "expected base64");
  return Buffer.from(compact, "base64");
}

function show(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  // Values of credentials must not end up in messages: only their type is told.
  return value === null ? "nothing" : typeof value === "object" ? "a mapping" : `a ${typeof value}`;
}
