/**
 * `npm run build`: the program and the library as they ship. One ESM bundle in dist/, split where the source imports at run
 * time, so that a verb loads only its own parts; everything from npm is inside, with its licences beside it, and the
 * library's types in dist/types. Empties dist/ first.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { writeDeclarations } from "./declarations.ts";
import { bundledPackages, licenseText } from "./third-party-licenses.ts";

const root = dirname(import.meta.dirname);
const dist = join(root, "dist");

rmSync(dist, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: { outgrow: "src/cli/main.ts", library: "src/library/index.ts" },
  outdir: dist,
  bundle: true,
  splitting: true,
  chunkNames: "chunks/[name]-[hash]",
  format: "esm",
  platform: "node",
  target: "node24",
  // Packages in CommonJS call `require` for what Node brings; an ES module has none of its own.
  banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
});

// One letter beyond ASCII, in a comment of somebody else's, and V8 may keep all of a file at two bytes for each letter. What is left of
// them stands in comments and regular expressions, where the escape says the same.
for (const path of Object.keys(metafile.outputs)) {
  const file = join(root, path);
  const text = readFileSync(file, "utf8");
  const escaped = text.replace(
    /[\u0080-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  if (escaped !== text) writeFileSync(file, escaped);
}

writeDeclarations(root);

const packages = bundledPackages(root, Object.keys(metafile.inputs));
writeFileSync(join(dist, "THIRD-PARTY-LICENSES.txt"), packages.map(licenseText).join("\n"));

const bytes = Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0);
console.log(`dist/: ${Math.ceil(bytes / 1024)} KiB, with ${packages.length} packages inside`);
