/** One driver per folder: a second one would take what the first has in use for leftovers. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir, realpath } from "node:fs/promises";
import { createServer } from "node:net";
import { OutgrowError } from "../../../core/errors.ts";

export interface Hold {
  /** Lets others have the folder. May be called twice. */
  release(): void;
}

/**
 * Makes the folder where it is not there, and holds it until released, or until the process ends in whatever way: the hold is a name in the kernel's
 * table of sockets, not a file. Throws `FILE_UNUSABLE` while another process has it.
 */
export async function holdFolder(folder: string): Promise<Hold> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = createHash("sha256")
    .update(await realpath(folder))
    .digest("hex")
    .slice(0, 32);
  const server = createServer((socket) => socket.destroy());
  server.listen(`\0outgrow-driver-${name}`);
  try {
    await once(server, "listening");
  } catch (error) {
    throw new OutgrowError(
      "FILE_UNUSABLE",
      `${folder} cannot be used by a second driver while one has it; stop that one, or name another folder with --data`,
      { cause: error },
    );
  }
  server.unref();
  return { release: () => void server.close() };
}
