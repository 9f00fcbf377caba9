/** What tests look for. */
import { expect } from "vitest";
import { listLoops, readMounts } from "../../../node/filesystem/index.ts";
import type { Scene } from "./scene.ts";

/** The devices and mounts that the machine has of this scene. */
export async function held({ folder }: Pick<Scene, "folder">): Promise<string[]> {
  const loops = (await listLoops()).filter(({ file }) => file.startsWith(folder)).map(({ device }) => device);
  const mounts = (await readMounts()).filter(({ path }) => path.startsWith(folder)).map(({ path }) => path);
  return [...loops, ...mounts];
}

/** An error with this code, whose message has these words in it. */
export function failure(code: string, message = ""): Error {
  return expect.objectContaining({ code, message: expect.stringContaining(message) as string }) as Error;
}
