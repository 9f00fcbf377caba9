/** ConfigMaps and Secrets: what their keys may be called, how much they may hold, and what stays once it is immutable. */
import { type FieldError, forbidden, invalid, required, tooLong } from "../../../admission/verdict.ts";
import { semanticallyEqual } from "../../../core/semantic-equal.ts";
import { notAnObject } from "../decode/index.ts";
import { checkUnchanged } from "./checks.ts";
import { configKey } from "./names.ts";

export interface DataToCheck {
  /** Texts in a ConfigMap, base64 in a Secret. */
  readonly data?: Readonly<Record<string, string>>;
  readonly binaryData?: Readonly<Record<string, string>>;
  readonly immutable?: boolean;
  /** Of a Secret. */
  readonly type?: string;
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
}

const MAX_BYTES = 1024 * 1024;

export function validateConfigMap({ data = {}, binaryData = {} }: DataToCheck): FieldError[] {
  const errors = [
    ...checkKeys(data, "data"),
    ...Object.keys(data)
      .filter((key) => Object.hasOwn(binaryData, key))
      .map((key) => invalid(`data[${key}]`, key, "duplicate of key present in binaryData")),
    ...checkKeys(binaryData, "binaryData"),
  ];
  const isTooLong = sizeOf(data, "utf8") + sizeOf(binaryData, "base64") > MAX_BYTES;
  // This is how the server prints a path of no parts: it means the object as a whole.
  return isTooLong ? [...errors, tooLong("[]", MAX_BYTES)] : errors;
}

export function validateConfigMapUpdate(old: DataToCheck, next: DataToCheck): FieldError[] {
  return [...checkFrozen(old, next, ["data", "binaryData"]), ...validateConfigMap(next)];
}

export function validateSecret(secret: DataToCheck): FieldError[] {
  const { data = {} } = secret;
  return [
    ...checkKeys(data, "data"),
    ...(sizeOf(data, "base64") > MAX_BYTES ? [tooLong("data", MAX_BYTES)] : []),
    ...checkContent(secret),
  ];
}

const ACCOUNT = "kubernetes.io/service-account.name";

/** What a secret of one of the well-known types must hold. */
function checkContent({ type = "", data = {}, metadata }: DataToCheck): FieldError[] {
  const lacking = (...keys: readonly string[]): FieldError[] =>
    keys.filter((key) => !Object.hasOwn(data, key)).map((key) => required(`data[${key}]`));
  switch (type) {
    case "kubernetes.io/service-account-token":
      return (metadata?.annotations?.[ACCOUNT] ?? "") === "" ? [required(`metadata.annotations[${ACCOUNT}]`)] : [];
    case "kubernetes.io/dockercfg":
      return checkJson(data, ".dockercfg");
    case "kubernetes.io/dockerconfigjson":
      return checkJson(data, ".dockerconfigjson");
    case "kubernetes.io/basic-auth": {
      const missing = lacking("username", "password");
      return missing.length === 2 ? missing : [];
    }
    case "kubernetes.io/ssh-auth":
      return lacking("ssh-privatekey");
    case "kubernetes.io/tls":
      return lacking("tls.crt", "tls.key");
    default:
      return [];
  }
}

/** It must be there, and an object in JSON: what is wrong with it is told, and what is secret is not. */
function checkJson(data: Readonly<Record<string, string>>, key: string): FieldError[] {
  const text = data[key];
  if (text === undefined) return [required(`data[${key}]`)];
  const problem = notAnObject(Buffer.from(text, "base64").toString("utf8"));
  return problem === undefined ? [] : [invalid(`data[${key}]`, "<secret contents redacted>", problem)];
}

export function validateSecretUpdate(old: DataToCheck, next: DataToCheck): FieldError[] {
  return [...checkUnchanged(old.type, next.type, "type"), ...checkFrozen(old, next, ["data"]), ...validateSecret(next)];
}

function checkKeys(data: Readonly<Record<string, string>>, path: string): FieldError[] {
  return Object.keys(data).flatMap((key) => configKey(key).map((message) => invalid(`${path}[${key}]`, key, message)));
}

function sizeOf(data: Readonly<Record<string, string>>, encoding: "utf8" | "base64"): number {
  return Object.values(data).reduce((sum, value) => sum + Buffer.byteLength(value, encoding), 0);
}

function checkFrozen(old: DataToCheck, next: DataToCheck, fields: readonly ("data" | "binaryData")[]): FieldError[] {
  if (old.immutable !== true) return [];
  const thawed = next.immutable === true ? [] : ["immutable"];
  const changed = fields.filter((field) => !semanticallyEqual(old[field], next[field]));
  return [...thawed, ...changed].map((field) => forbidden(field, "field is immutable when `immutable` is set"));
}
