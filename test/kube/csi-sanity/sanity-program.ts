/** csi-sanity, the suite with which CSI drivers are tried, built from the Go modules that go.mod here pins. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

const PACKAGE = "github.com/kubernetes-csi/csi-test/v5/cmd/csi-sanity";

/** Why it cannot be had here, or undefined. */
export async function whyNoSanity(): Promise<string | undefined> {
  if (existsSync(cacheFile())) return undefined;
  return run("go", ["version"]).then(
    () => undefined,
    () => "Go is not installed",
  );
}

/** The path of the program, built first where needed: a minute the first time. May be called by several at once. */
export async function sanityProgram(): Promise<string> {
  const file = cacheFile();
  if (existsSync(file)) return file;
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.building-${process.pid}`;
  const env = { ...process.env, CGO_ENABLED: "0", GOWORK: "off" };
  await run("go", ["build", "-o", draft, PACKAGE], { cwd: import.meta.dirname, env });
  await rename(draft, file);
  return file;
}

/** What is pinned is in the name, so that a changed pin never meets an old binary. */
function cacheFile(): string {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}`);
  for (const name of ["go.mod", "go.sum"]) hash.update(readFileSync(join(import.meta.dirname, name)));
  const cache = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  return join(cache, "outgrow", "csi-sanity", hash.digest("hex").slice(0, 12));
}
