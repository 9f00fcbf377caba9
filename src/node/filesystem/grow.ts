/** Growing what is on a device to the size of the device: the one place that knows which tool, and when (KEP-284). */
import type { FileSystemAbilities } from "./abilities.ts";
import { runProgram, WHILE_IT_CHANGES_A_FILE_SYSTEM } from "./command.ts";
import { detectContent } from "./detect.ts";
import { FILE_SYSTEMS, isFileSystemType } from "./kinds.ts";

export interface GrowRequest {
  readonly device: string;
  /** Where it is mounted; left out when it is mounted nowhere. */
  readonly mountPath?: string;
  /** The mount is read-only: nothing is grown through it. */
  readonly readOnly?: boolean;
  /**
   * A program to run instead of the tools we know (KEP-284, "reduce coupling"). It is called with the type of the file
   * system, the device and the mount path (empty when not mounted), and answers with its exit code: 0 is grown.
   */
  readonly resizeTool?: string;
}

export type Growth =
  /** It is as large as its device now; it may have been before. */
  | { readonly kind: "grown" }
  | { readonly kind: "read-only" }
  /** Nothing is there to grow: the mount makes a file system of the full size. */
  | { readonly kind: "no-file-system" }
  /** This one grows only while it is mounted. */
  | { readonly kind: "mount-first" }
  /** This one cannot be grown here while it is mounted. */
  | { readonly kind: "unmount-first"; readonly why: string }
  /** What is there is nothing that we can grow. */
  | { readonly kind: "unsupported"; readonly content: string };

/** Throws `TOOL_MISSING` or `TOOL_FAILED`; the file system is then as it was, or grown in part, and can be grown again. */
export async function growFileSystem(request: GrowRequest, abilities: FileSystemAbilities): Promise<Growth> {
  const { device, mountPath, readOnly = false, resizeTool } = request;
  if (readOnly) return { kind: "read-only" };
  const content = await detectContent(device);
  if (content.kind === "nothing") return { kind: "no-file-system" };
  if (content.kind === "something-else") return { kind: "unsupported", content: content.description };
  const { type } = content;

  if (resizeTool !== undefined) {
    await runProgram(resizeTool, [type, device, mountPath ?? ""], WHILE_IT_CHANGES_A_FILE_SYSTEM);
    return { kind: "grown" };
  }
  if (!isFileSystemType(type)) return { kind: "unsupported", content: type };
  const kind = FILE_SYSTEMS[type];
  if (mountPath === undefined) {
    if (kind.growUnmounted === undefined) return { kind: "mount-first" };
    await kind.growUnmounted(device);
  } else {
    const { online, why = "" } = abilities[type];
    if (!online) return { kind: "unmount-first", why };
    await kind.growMounted(device, mountPath);
  }
  return { kind: "grown" };
}
