/** A volume as a driver remembers it, also across its own restart. */

export interface VolumeRecord {
  readonly id: string;
  /** What the one who created it calls it: the same name gives the same volume. */
  readonly name: string;
  readonly access: "mount" | "block";
  /** What file system it has, or will have; of no meaning for a raw block volume. */
  readonly fsType: string;
  /** As they were given, checked. They travel with the volume as its context. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The size that the controller half has promised. */
  readonly capacityBytes: bigint;
  /** The size of the storage itself: the same, unless the node has yet to keep that promise. */
  readonly storageBytes: bigint;
  /** How much of it the node half has made usable; 0 until the volume was first staged. */
  readonly nodeBytes: bigint;
  /** Where it is staged, as far as this driver did it. */
  readonly staged: readonly Stage[];
  readonly published: readonly Publication[];
}

export interface Stage {
  readonly path: string;
  readonly readOnly: boolean;
  readonly mountFlags: readonly string[];
}

export interface Publication {
  readonly path: string;
  readonly stagedAt: string;
  readonly readOnly: boolean;
}

/** Sizes are written as text: JSON has no integers of 64 bits. */
export function toText(volume: VolumeRecord): string {
  return `${JSON.stringify(volume, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value), 2)}\n`;
}

/** Throws a `SyntaxError` for what `toText` has not written. */
export function fromText(text: string): VolumeRecord {
  const written = JSON.parse(text) as Record<keyof VolumeRecord, unknown>;
  if (typeof written.id !== "string") throw new SyntaxError("it is no record of a volume");
  return {
    ...(written as object as VolumeRecord),
    capacityBytes: size(written.capacityBytes),
    storageBytes: size(written.storageBytes),
    nodeBytes: size(written.nodeBytes),
  };
}

function size(written: unknown): bigint {
  if (typeof written === "string" && /^\d+$/.test(written)) return BigInt(written);
  throw new SyntaxError(`${JSON.stringify(written)} is no size`);
}
