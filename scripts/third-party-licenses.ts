/** Which packages went into a bundle, and what their licences ask to be shipped with it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression, as the package states it. */
  readonly license: string;
  readonly homepage: string;
  /** Licence and notice files, word for word; empty when the package ships none. */
  readonly texts: readonly string[];
}

/** The packages that the bundle's inputs come from, sorted by name. Throws when one states no licence. */
export function bundledPackages(root: string, inputs: readonly string[]): BundledPackage[] {
  const folders = inputs.map((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  return [...new Set(folders.filter((folder) => folder !== undefined))]
    .map((folder) => readPackage(join(root, folder)))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function readPackage(folder: string): BundledPackage {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, unknown>;
  const { name, version, license, homepage } = manifest;
  if (typeof name !== "string" || typeof version !== "string" || typeof license !== "string") {
    throw new Error(`${folder}/package.json states no name, version or licence; it cannot be shipped inside a bundle`);
  }
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file));
  return {
    name,
    version,
    license,
    homepage: typeof homepage === "string" ? homepage : `https://www.npmjs.com/package/${name}`,
    texts: files.sort().map((file) => readFileSync(join(folder, file), "utf8").trim()),
  };
}

/** What stands in the bundle's list for one package. */
export function licenseText({ name, version, license, homepage, texts }: BundledPackage): string {
  const title = `${name} ${version}\nLicence: ${license}\n${homepage}\n`;
  return [`${"=".repeat(80)}\n${title}`, ...texts.map((text) => `${text}\n`)].join("\n");
}
