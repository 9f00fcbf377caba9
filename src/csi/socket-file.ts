/** The file that a unix socket leaves in its folder, also after its process is gone. */
import type { Stats } from "node:fs";
import { lstat, rm } from "node:fs/promises";
import { connect } from "node:net";
import { dirname } from "node:path";
import { OutgrowError } from "../core/errors.ts";

/**
 * Makes room for a new socket at this path: removes one that nobody listens at any more.
 * Throws `CSI_ADDRESS_IN_USE` when somebody does, or when something else than a socket lies there; `CSI_ADDRESS_INVALID`
 * when there is no folder for it (the kernel's own answer would be "permission denied").
 */
export async function clearTheWay(path: string): Promise<void> {
  const folder = dirname(path);
  if ((await statIfThere(folder)) === undefined) {
    throw new OutgrowError(
      "CSI_ADDRESS_INVALID",
      `cannot serve at ${path}: there is no folder ${folder}; make it first`,
    );
  }
  const there = await statIfThere(path);
  if (there === undefined) return;
  if (!there.isSocket()) {
    throw new OutgrowError("CSI_ADDRESS_IN_USE", `${path} is there and is no socket; move it away, or serve elsewhere`);
  }
  if (await answers(path)) {
    throw new OutgrowError("CSI_ADDRESS_IN_USE", `a process listens at ${path} already; stop it, or serve elsewhere`);
  }
  await rm(path, { force: true });
}

async function statIfThere(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
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
