/** One driver per folder: a second one would take the mounts of the first for leftovers. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { OutgrowError } from "../../../core/errors.ts";

export interface Hold {
  /** Lets others have the folder. May be called twice. */
  release(): void;
}

/**
 * Holds the folder (a real path) until released, or until the process ends in whatever way: the hold is a name in the kernel's
 * table of sockets, not a file. Throws `FILE_UNUSABLE` while another process has it.
 */
export async function holdFolder(folder: string): Promise<Hold> {
  const name = createHash("sha256").update(folder).digest("hex").slice(0, 32);
  const server = createServer((socket) => socket.destroy());
  server.listen(`\0outgrow-loop-${name}`);
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
