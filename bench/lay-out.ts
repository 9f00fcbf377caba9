/** The program as it ships: built, and laid out as the package is. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");

/** Into a folder that is there. Returns the path of the program. */
export function layOutIn(folder: string): string {
  execFileSync(process.execPath, [join(ROOT, "scripts/build.ts")], { stdio: "ignore" });
  for (const name of ["bin", "dist", "package.json"]) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  return join(folder, "bin/outgrow");
}

export interface LaidOut extends Disposable {
  readonly folder: string;
  readonly program: string;
}

/** In a folder of its own, which goes with it. */
export function layOut(): LaidOut {
  const folder = mkdtempSync(join(tmpdir(), "outgrow-bench-"));
  const program = layOutIn(folder);
  return { folder, program, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}
