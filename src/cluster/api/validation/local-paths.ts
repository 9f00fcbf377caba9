/** Paths of files in a container or on a node, and Kubernetes' words for those that lead astray. */
import { type FieldError, invalid } from "../../../admission/verdict.ts";

/** Nothing of it goes up. */
export function checkNoBacksteps(target: string, path: string): FieldError[] {
  return target.split("/").includes("..") ? [invalid(path, target, "must not contain '..'")] : [];
}

/** It stays below where it begins. */
export function checkDescending(target: string, path: string): FieldError[] {
  const isAbsolute = target.startsWith("/");
  return [...(isAbsolute ? [invalid(path, target, "must be a relative path")] : []), ...checkNoBacksteps(target, path)];
}

/** The same, for a file of a volume that the node writes: names with two dots are the node's own. */
export function checkFileOfVolume(target: string, path: string): FieldError[] {
  const isReserved = target.startsWith("..") && !target.startsWith("../");
  return [...checkDescending(target, path), ...(isReserved ? [invalid(path, target, "must not start with '..'")] : [])];
}

/** Permissions of a file. */
export function checkFileMode(mode: number | undefined, path: string): FieldError[] {
  if (mode === undefined || (mode >= 0 && mode <= 0o777)) return [];
  return [invalid(path, mode, "must be a number between 0 and 0777 (octal), both inclusive")];
}
