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
  library: ["statefulset", "source", "admission", "core", "kube"],
  cluster: ["statefulset", "source", "resize", "node", "admission", "core", "kube", "csi"],
  cli: ["cluster", "statefulset", "source", "resize", "node", "admission", "core", "kube", "csi"],
};

/** Rooms that may use more than the rest of their folder: admission's webhook server speaks with an API server. */
const ROOMS: Readonly<Record<string, readonly string[]>> = { "src/admission/webhook/": ["core", "kube"] };

/** The one file outside src/ that a program may read its version from. */
const MANIFEST = "package.json";

const IMPORT = /\b(?:import|export)\b[^;"'`()]*?\bfrom\s*["']|\bimport\s*["']|\b(?:import|require)\s*\(\s*["'`]/g;
const LATE_IMPORT = /\bimport\s*\(\s*["'`]/g;

export interface SourceFile {
  /** From the root of the project, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** What a file imports, of whatever kind: values, types, at run time. Relative ones as paths from the project's root. */
export function importsOf(file: SourceFile): string[] {
  return specifiers(file, IMPORT).map((name) =>
    name.startsWith(".") ? posix.join(posix.dirname(file.path), name) : name,
  );
}

/** The strings that follow each match of a pattern which ends in an opening quote. */
function specifiers({ text }: SourceFile, pattern: RegExp): string[] {
  return [...codeOnly(text).matchAll(pattern)].map(({ index, 0: found }) => {
    const start = index + found.length;
    return text.slice(start, text.indexOf(text.charAt(start - 1), start));
  });
}

/**
 * Packages that a file imports at run time. In the bundle a CommonJS package gives such an import nothing but its default,
 * where Node gives its names as well: what is to be loaded late is a file of ours, which imports the package as usual.
 */
export function latePackages(file: SourceFile): string[] {
  return specifiers(file, LATE_IMPORT)
    .filter((name) => !/^(?:\.{1,2}\/|node:)/.test(name))
    .map((name) => `${file.path}: imports ${name} at run time; import a file of ours that does`);
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
  const room = Object.keys(ROOMS).find((path) => file.path.startsWith(path));
  const allowed = room === undefined ? MAY_USE[folder] : ROOMS[room];
  if (allowed === undefined) return [`${file.path}: no arrows are drawn for src/${folder}; say what it may use`];

  return importsOf(file).flatMap((path) => {
    const target = folderOf(path);
    if (target === folder || (target !== undefined && allowed.includes(target))) return [];
    if (target !== undefined) return [`${file.path}: src/${folder} may not use src/${target} (${path})`];
    const isPackage = !path.startsWith("..") && !/^(?:src|test|scripts|bench|examples|bin|dist)\//.test(path);
    return isPackage || path === MANIFEST ? [] : [`${file.path}: src/ may not use what lies outside it (${path})`];
  });
}
