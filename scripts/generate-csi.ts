/**
 * Writes src/csi/generated/csi_pb.ts from src/csi/proto/csi.proto, or writes it into another folder. To run after a
 * change of the proto:
 *
 *     node scripts/generate-csi.ts [FOLDER]
 *
 * It needs no network: buf and its plugin come with the development dependencies.
 */
import { spawnSync } from "node:child_process";
import { delimiter, join, resolve } from "node:path";

const root = join(import.meta.dirname, "..");
const tools = join(root, "node_modules", ".bin");
const folder = resolve(process.argv[2] ?? join(root, "src", "csi", "generated"));

const { status, error } = spawnSync(join(tools, "buf"), ["generate", "--output", folder], {
  cwd: join(root, "src", "csi", "proto"),
  env: { ...process.env, PATH: `${tools}${delimiter}${process.env["PATH"] ?? ""}` },
  stdio: "inherit",
});
if (error !== undefined) throw error;
process.exitCode = status ?? 1;
