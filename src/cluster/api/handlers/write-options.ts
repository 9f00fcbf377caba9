/** The query parameters of a write: who it is recorded for, whether it is only a trial, how strictly it is read. */
import { type FieldError, forbidden, invalid, notSupported, required, tooLong } from "../../../admission/verdict.ts";
import type { FieldValidation } from "../decode/index.ts";
import type { JsonObject } from "../json.ts";
import type { Caller } from "./context.ts";
import { refusedWith } from "./refusal.ts";

export interface WriteOptions {
  readonly dryRun: boolean;
  /** Recorded as the owner of what is written. */
  readonly manager: string;
  readonly fieldValidation: FieldValidation;
  /** An apply takes fields over from other managers. */
  readonly force: boolean;
  /** As admission plugins and webhooks see them. */
  readonly asObject: JsonObject;
}

type OptionsKind = "CreateOptions" | "UpdateOptions" | "PatchOptions" | "DeleteOptions";

const MAX_MANAGER = 128;

/** Throws 422 in Kubernetes' words. `apply`: a server-side apply, which needs a manager and may use force. */
export function readWriteOptions(kind: OptionsKind, { query, userAgent }: Caller, apply = false): WriteOptions {
  if (query.size === 0 && !apply) return { ...USUAL, manager: managerOf(userAgent), asObject: optionsObject(kind) };
  const dryRun = query.getAll("dryRun");
  const manager = query.get("fieldManager") ?? "";
  const validation = query.get("fieldValidation") ?? "";
  const force = query.get("force");
  refuse(kind, [
    ...checkForce(kind, force, apply),
    ...checkManager(manager, apply),
    ...checkDryRun(dryRun),
    ...checkValidation(validation),
  ]);
  return {
    dryRun: dryRun.length > 0,
    manager: manager === "" ? managerOf(userAgent) : manager,
    fieldValidation: (validation === "" ? "Warn" : validation) as FieldValidation,
    force: isTrue(force),
    asObject: {
      ...optionsObject(kind),
      ...(dryRun.length === 0 ? {} : { dryRun }),
      ...(force === null ? {} : { force: isTrue(force) }),
      ...(manager === "" ? {} : { fieldManager: manager }),
      ...(validation === "" ? {} : { fieldValidation: validation }),
    },
  };
}

/** What a request asks for that says nothing, as most do. */
const USUAL = { dryRun: false, fieldValidation: "Warn", force: false } as const;

function optionsObject(kind: OptionsKind): JsonObject {
  return { kind, apiVersion: "meta.k8s.io/v1" };
}

export function checkDryRun(values: readonly string[]): FieldError[] {
  return values.some((value) => value !== "All") ? [notSupported("dryRun", values, ["All"])] : [];
}

/** Throws the 422 that names the options as the object that is wrong. */
export function refuse(kind: OptionsKind | "ListOptions", errors: readonly FieldError[]): void {
  const target = { group: "meta.k8s.io", kind, resource: "", name: "" };
  if (errors.length > 0) throw refusedWith({ kind: "invalid", target, errors });
}

function checkForce(kind: OptionsKind, force: string | null, apply: boolean): FieldError[] {
  if (kind !== "PatchOptions" || apply || force === null) return [];
  return [forbidden("force", "may not be specified for non-apply patch")];
}

function checkManager(manager: string, apply: boolean): FieldError[] {
  if (apply && manager === "") return [required("fieldManager", "is required for apply patch")];
  if (manager.length > MAX_MANAGER) {
    return [tooLong("fieldManager", MAX_MANAGER)];
  }
  const letters = Array.from(manager);
  const bad = letters.findIndex((each) => !isPrintable(each));
  if (bad === -1) return [];
  const code = (letters[bad]?.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const position = Buffer.byteLength(letters.slice(0, bad).join(""));
  return [invalid("fieldManager", manager, `invalid character U+${code} (at position ${position})`)];
}

function checkValidation(value: string): FieldError[] {
  const known = ["", "Ignore", "Strict", "Warn"];
  return known.includes(value) ? [] : [notSupported("fieldValidation", value, known)];
}

/** `kubectl/v1.36.3 (linux/amd64)` writes as `kubectl`. */
function managerOf(userAgent: string): string {
  const slash = userAgent.indexOf("/");
  const name = slash === -1 ? userAgent : userAgent.slice(0, slash);
  if (PLAIN_NAME.test(name)) return name;
  return Array.from(name).filter(isPrintable).join("").slice(0, MAX_MANAGER);
}

/** What nearly everybody is called. */
const PLAIN_NAME = /^[\w. -]{0,128}$/;

function isPrintable(letter: string): boolean {
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(letter);
}

function isTrue(text: string | null): boolean {
  return text !== null && ["1", "t", "T", "true", "TRUE", "True", ""].includes(text);
}
