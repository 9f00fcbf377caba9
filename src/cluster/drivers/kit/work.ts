/** What differs from driver to driver: the work itself. The kit around it knows CSI, this knows storage. */
import type { FileSystemUsage } from "../../../node/filesystem/index.ts";
import type { SizeRules } from "./size.ts";
import type { Publication, Stage, VolumeRecord } from "./volume.ts";

/**
 * Each may be called again for what is done already, and for what a crash has left half done; for one volume never two at
 * once. What is thrown goes to the caller: a `CsiError` as it is, the rest as `Internal`.
 */
export interface DriverWork {
  sizeRules(volume: Pick<VolumeRecord, "access" | "fsType">): SizeRules;
  /** Throws `InvalidArgument`, with the reason, for a file system that cannot be had on this machine. */
  checkFileSystem(fsType: string): void;
  /** Makes the storage of a volume, before the volume is recorded. */
  create(volume: VolumeRecord): Promise<void>;
  /** Makes the storage at least this large. */
  growStorage(volume: VolumeRecord, toBytes: bigint): Promise<void>;
  /** Room for more volumes; undefined where there is no end to it. */
  availableBytes(): Promise<bigint | undefined>;
  /**
   * Makes the volume usable on this machine; `mayGrow`: and what is on it as large as its storage. Gives the size of what is
   * on it now (`VolumeRecord.nodeBytes`).
   */
  stage(volume: VolumeRecord, stage: Stage, mayGrow: boolean): Promise<bigint>;
  unstage(volume: VolumeRecord, path: string): Promise<void>;
  publish(volume: VolumeRecord, publication: Publication): Promise<void>;
  unpublish(volume: VolumeRecord, path: string): Promise<void>;
  /**
   * Grows what is on a volume that is staged to the size of its storage, which it gives back. Throws `FailedPrecondition`
   * where that cannot be done while the volume is used as it is.
   */
  growContent(volume: VolumeRecord): Promise<bigint>;
  usage(volume: VolumeRecord, path: string): Promise<FileSystemUsage>;
}
