/**
 * Growing with a command of the operator's own instead of the driver's node half (`--resize-tool`; KEP-284 keeps the tools
 * of file systems apart from Kubernetes). The command gets the type of the file system, its device and where it is mounted.
 */
import { messageOf } from "../../core/errors.ts";
import type { PersistentVolume } from "../../core/types.ts";
import type { NodeAnswer } from "../decide/answer.ts";
import { type FileSystemAbilities, type Growth, growFileSystem, mountAt, readMounts } from "../filesystem/index.ts";
import type { Grower } from "./grower.ts";
import type { Place } from "./places.ts";

export function toolGrower(resizeTool: string): Grower {
  return {
    canExpand: () => Promise.resolve(true),
    async expand(volume, _, place) {
      // Whatever uses a raw block volume sees its device, which the controller half has made larger.
      if (volume.spec.volumeMode === "Block") return { kind: "expanded" };
      try {
        return answerOf(volume, await grow(resizeTool, place));
      } catch (error) {
        return failed(messageOf(error), false);
      }
    },
  };
}

async function grow(resizeTool: string, { volumePath, readOnly }: Place): Promise<Growth> {
  const mount = mountAt(await readMounts(), volumePath);
  if (mount === undefined) throw new Error(`nothing is mounted at ${volumePath}`);
  return growFileSystem({ device: mount.source, mountPath: volumePath, readOnly, resizeTool }, NONE_OF_OURS);
}

/** The command decides by itself what it can do. */
const NO = { usable: false, online: false };
const NONE_OF_OURS: FileSystemAbilities = { ext4: NO, xfs: NO, btrfs: NO };

function answerOf(volume: PersistentVolume, growth: Growth): NodeAnswer {
  switch (growth.kind) {
    case "grown":
      return { kind: "expanded" };
    case "no-file-system":
      return { kind: "no-file-system" };
    case "read-only":
      return failed("requested read-only file system", false);
    case "mount-first":
      return failed(`volume ${volume.metadata.name} has to be mounted to be grown`, false);
    case "unmount-first":
      return failed(growth.why, true);
    case "unsupported":
      return { kind: "unsupported", message: `there is ${growth.content} on the device, which cannot be grown` };
  }
}

function failed(message: string, inUse: boolean): NodeAnswer {
  return { kind: "failed", message, final: true, infeasible: false, inUse };
}
