/**
 * Where the drivers of a cluster have their sockets: in a short path, since the system allows no long ones. A link in the
 * data folder says where, so that what a killed process has left is removed by the next one.
 */
import { mkdir, mkdtemp, readlink, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

export interface SocketFolder {
  readonly path: string;
  remove(): Promise<void>;
}

const NAME = /^outgrow-\w{6}$/;

/** `folder` belongs to one process at a time; made when it is not there. */
export async function openSocketFolder(folder: string): Promise<SocketFolder> {
  await mkdir(folder, { recursive: true });
  const link = join(folder, "sockets");
  const remove = async (): Promise<void> => {
    const path = await readlink(link).catch(() => "");
    if (NAME.test(basename(path))) await rm(path, { recursive: true, force: true });
    await rm(link, { force: true });
  };
  await remove();
  const path = await mkdtemp(join(tmpdir(), "outgrow-"));
  await symlink(path, link);
  return { path, remove };
}
