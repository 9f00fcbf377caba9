/** What a file imports, and which way the arrows between the folders of src/ go. */
import { posix } from "node:path";
import { codeOnly } from "./code-only.ts";

/**
 * Which folders of src/ each folder may use. Arrows go down only; siblings stay apart, but for a custom resource, which
 * grows through the StatefulSet behind it.
 */
const MAY_USE: Readonly<Record<string, readonly string[]>> = {
  core: [],
  admission: ["core"],
  kube: ["core"],
  csi: ["core"],
  statefulset: ["admission", "core", "kube", "csi"],
  resize: ["admission", "core", "kube", "csi"],
  node: ["admission", "core", "kube", "csi"],
  source: ["statefulset", "admission", "core", "kube", "csi"],
  cluster: ["statefulset", "source", "resize", "node", "admission", "core", "kube", "csi"],
  cli: ["cluster", "statefulset", "source", "resize", "node", "admission", "core", "kube", "csi"],
};

/** The one file outside src/ that a program may read its version from. */
const MANIFEST = "package.json";

const IMPORT = /\b(?:import|export)\b[^;"'`()]*?\bfrom\s*["']|\bimport\s*["']|\b(?:import|require)\s*\(\s*["'`]/g;

export interface SourceFile {
  /** From the root of the project, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** What a file imports, of whatever kind: values, types, at run time. Relative ones as paths from the project's root. */
export function importsOf(file: SourceFile): string[] {
  const specifiers: string[] = [];
  for (const { index, 0: found } of codeOnly(file.text).matchAll(IMPORT)) {
    const start = index + found.length;
    const end = file.text.indexOf(file.text.charAt(start - 1), start);
    specifiers.push(file.text.slice(start, end));
  }
  return specifiers.map((name) => (name.startsWith(".") ? posix.join(posix.dirname(file.path), name) : name));
}

const LATE_IMPORT = /\bimport\s*\(\s*["'`]/g;

/**
 * Packages that a file imports at run time. In the bundle a CommonJS package gives such an import nothing but its default,
 * where Node gives its names as well: what is to be loaded late is a file of ours, which imports the package as usual.
 */
export function latePackages(file: SourceFile): string[] {
  return [...codeOnly(file.text).matchAll(LATE_IMPORT)]
    .map(({ index, 0: found }) => file.text.slice(index + found.length))
    .filter((rest) => !/^(?:\.{1,2}\/|node:)/.test(rest))
    .map((rest) => `${file.path}: imports ${/^[^"'`]*/.exec(rest)?.[0]} at run time; import a file of ours that does`);
}

/** The folder of src/ that a path is in. */
export function folderOf(path: string): string | undefined {
  return /^src\/([^/]+)\//.exec(path)?.[1];
}

export const isTest = (path: string): boolean => path.endsWith(".test.ts");

/** Every import of a file under src/ that goes against an arrow. */
export function importsAgainstTheArrows(file: SourceFile): string[] {
  const folder = folderOf(file.path);
  if (folder === undefined) return [`${file.path}: lies in no folder of src/`];
  const allowed = MAY_USE[folder];
  if (allowed === undefined)
    return [
      `${file.path}: src/${folder} has no arrows; say in ${import.meta.filename.split("/").at(-1)} what it may use`,
    ];

  return importsOf(file).flatMap((path) => {
    const target = folderOf(path);
    if (target === folder || (target !== undefined && allowed.includes(target))) return [];
    if (target !== undefined) return [`${file.path}: src/${folder} may not use src/${target} (${path})`];
    const staysInside = !path.startsWith("..") && !/^(?:src|test|scripts|bench|examples|bin|dist)\//.test(path);
    return staysInside || path === MANIFEST ? [] : [`${file.path}: src/ may not use what lies outside it (${path})`];
  });
}
