/** The file that a unix socket leaves in its folder, also after its process is gone. */
import { lstat, rm } from "node:fs/promises";
import { connect } from "node:net";
import { OutgrowError } from "../core/errors.ts";

/**
 * Makes room for a new socket at this path: removes one that nobody listens at any more.
 * Throws `CSI_ADDRESS_IN_USE` when somebody does, or when something else than a socket lies there.
 */
export async function clearTheWay(path: string): Promise<void> {
  const there = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (there === undefined) return;
  if (!there.isSocket()) {
    throw new OutgrowError("CSI_ADDRESS_IN_USE", `${path} is there and is no socket; move it away, or serve elsewhere`);
  }
  if (await answers(path)) {
    throw new OutgrowError("CSI_ADDRESS_IN_USE", `a process listens at ${path} already; stop it, or serve elsewhere`);
  }
  await rm(path, { force: true });
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const settle = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once("connect", () => settle(true));
    socket.once("error", () => settle(false));
  });
}
