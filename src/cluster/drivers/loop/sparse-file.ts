/** Files that seem larger than they are. */
import { open, stat, truncate } from "node:fs/promises";
import { CsiError } from "../../../csi/index.ts";

/** Makes an empty file of this size, whatever lay there before. */
export async function makeSparse(file: string, bytes: bigint): Promise<void> {
  const handle = await open(file, "w", 0o600);
  try {
    await handle.truncate(length(bytes));
  } finally {
    await handle.close();
  }
}

/** Makes the file at least this large; one that is larger stays as it is, because behind the end there may be data. */
export async function growSparse(file: string, bytes: bigint): Promise<void> {
  const { size } = await stat(file, { bigint: true });
  if (size < bytes) await truncate(file, length(bytes));
}

function length(bytes: bigint): number {
  if (bytes <= Number.MAX_SAFE_INTEGER) return Number(bytes);
  throw new CsiError("OutOfRange", `${bytes} bytes are more than a file can have here`);
}
