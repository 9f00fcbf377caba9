/** What is on a device: nothing, a file system, or something that must not be touched. */
import { runTool } from "./command.ts";

export type Content =
  | { readonly kind: "nothing" }
  | { readonly kind: "file-system"; readonly type: string }
  /** A partition table, a member of a volume group, two signatures at once, …: not for us to write over. */
  | { readonly kind: "something-else"; readonly description: string };

/** blkid's exit code for "nothing was found". */
const NOTHING_FOUND = 2;
/** blkid's exit code for "more than one thing was found". */
const AMBIVALENT = 8;

/** Looks at the device itself, never at what somebody remembers of it. */
export async function detectContent(device: string): Promise<Content> {
  const { exitCode, stdout, said } = await runTool("blkid", ["--probe", "--output", "export", device], {
    accept: [0, NOTHING_FOUND, AMBIVALENT],
  });
  return readContent(exitCode, stdout, said);
}

/** What the words of blkid mean. */
export function readContent(exitCode: number, stdout: string, said = ""): Content {
  if (exitCode === NOTHING_FOUND) return { kind: "nothing" };
  const fields = new Map(stdout.split("\n").map((line) => cut(line)));
  const type = fields.get("TYPE");
  if (exitCode === AMBIVALENT) return { kind: "something-else", description: said || "more than one thing" };
  if (type !== undefined && fields.get("USAGE") === "filesystem") return { kind: "file-system", type };
  return { kind: "something-else", description: type ?? fields.get("PTTYPE") ?? "an unknown signature" };
}

function cut(line: string): [string, string] {
  const at = line.indexOf("=");
  return [line.slice(0, at), line.slice(at + 1)];
}
