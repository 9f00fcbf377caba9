/** The storage behind a scripted driver: sizes that only grow, and one operation at a time per volume. */
import { CsiError } from "../error.ts";
import type { ScriptedVolume } from "./script.ts";

export interface Backend {
  get(volumeId: string): ScriptedVolume | undefined;
  /** The volume, or `NotFound`. */
  need(volumeId: string): ScriptedVolume;
  all(): ReadonlyMap<string, ScriptedVolume>;
  /** Puts a volume there, or changes what is given of one. Throws where that would shrink it. */
  set(volumeId: string, change: Partial<ScriptedVolume>): void;
  /** Grows to at least this; a volume that is larger stays as it is. */
  grow(volumeId: string, size: "backendBytes" | "fileSystemBytes", toBytes: bigint): ScriptedVolume;
  delete(volumeId: string): void;
  /** Runs one operation on a volume; `Aborted` while another is under way, as CSI demands. */
  exclusively<T>(volumeId: string, operation: () => Promise<T>): Promise<T>;
}

const NEW: ScriptedVolume = { backendBytes: 0n, fileSystemBytes: 0n, inUse: false };

export function createBackend(
  initial: Readonly<Record<string, Partial<ScriptedVolume>>>,
  adoptUnknown: boolean,
): Backend {
  const volumes = new Map<string, ScriptedVolume>();
  const busy = new Set<string>();

  const need = (volumeId: string): ScriptedVolume => {
    const volume = volumes.get(volumeId) ?? (adoptUnknown ? NEW : undefined);
    if (volume === undefined) throw new CsiError("NotFound", `volume ${volumeId} is not there`);
    return volume;
  };
  const set = (volumeId: string, change: Partial<ScriptedVolume>): void => {
    const before = volumes.get(volumeId) ?? NEW;
    const after = { ...before, ...change };
    if (after.backendBytes < before.backendBytes || after.fileSystemBytes < before.fileSystemBytes) {
      throw new RangeError(
        `volume ${volumeId} would shrink from ${before.backendBytes} to ${after.backendBytes} bytes`,
      );
    }
    volumes.set(volumeId, after);
  };
  for (const [volumeId, volume] of Object.entries(initial)) set(volumeId, volume);

  return {
    get: (volumeId) => volumes.get(volumeId),
    need,
    all: () => volumes,
    set,
    grow(volumeId, size, toBytes) {
      const before = need(volumeId);
      const after = { ...before, [size]: toBytes > before[size] ? toBytes : before[size] };
      volumes.set(volumeId, after);
      return after;
    },
    delete: (volumeId) => void volumes.delete(volumeId),
    async exclusively(volumeId, operation) {
      if (busy.has(volumeId)) {
        throw new CsiError("Aborted", `an operation on volume ${volumeId} is under way already`);
      }
      busy.add(volumeId);
      try {
        return await operation();
      } finally {
        busy.delete(volumeId);
      }
    },
  };
}
