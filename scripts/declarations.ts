/**
 * The types of the library, as they ship: one declaration for each file that its door leads to, and for no other. They name no
 * package, since the package brings none: what needs one (a registry of metrics) is no part of the library.
 */
import { spawnSync } from "node:child_process";
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const DOOR = "library/index.d.ts";
/** Everything after `from` in an import or export, and types that are imported in place. */
const SPECIFIER = /(?<=\bfrom\s*|\bimport\()"([^"]+)"/g;
const REEXPORT = /^export [^;]*? from "([^"]+)";\n/gm;

/** Writes them to dist/types. Throws what the compiler says when it finds something wrong. */
export function writeDeclarations(root: string): void {
  const folder = join(root, "dist", "types");
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  const { status, stdout } = spawnSync(process.execPath, [compiler, "-p", "tsconfig.library.json"], {
    cwd: root,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`the library's types cannot be made:\n${stdout}`);

  const declared = new Map(
    globSync("**/*.d.ts", { cwd: folder }).map((path) => [path, readFileSync(join(folder, path), "utf8")]),
  );
  const needsPackage = new Set([...declared].filter(([, text]) => packagesIn(text).length > 0).map(([path]) => path));
  for (const [path, text] of declared) {
    const kept = text.replace(REEXPORT, (line, target: string) => (needsPackage.has(fileOf(path, target)) ? "" : line));
    declared.set(path, kept);
  }
  const wanted = reachable(declared);
  for (const [path, text] of declared) {
    if (!wanted.has(path)) {
      rmSync(join(folder, path));
      continue;
    }
    const packages = packagesIn(text);
    if (packages.length > 0) throw new Error(`src/${path}: the library would need the types of ${packages.join(", ")}`);
    writeFileSync(
      join(folder, path),
      text.replace(SPECIFIER, (quoted) => quoted.replace(/\.ts"$/, '.js"')),
    );
  }
}

/** Every file that the door leads to. */
function reachable(declared: ReadonlyMap<string, string>): ReadonlySet<string> {
  const found = new Set([DOOR]);
  for (const path of found) {
    for (const target of specifiersIn(declared.get(path) ?? "")) {
      if (target.startsWith(".")) found.add(fileOf(path, target));
    }
  }
  return found;
}

function fileOf(importer: string, target: string): string {
  return join(dirname(importer), target).replace(/\.ts$/, ".d.ts");
}

function packagesIn(text: string): string[] {
  return specifiersIn(text).filter((target) => !target.startsWith(".") && !target.startsWith("node:"));
}

/** Of the code; a comment may say `from "outgrow"` as well. */
function specifiersIn(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "");
  return [...code.matchAll(SPECIFIER)].map(([, target = ""]) => target);
}
