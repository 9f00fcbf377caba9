/**
 * How a volume is used, told to a driver: the access modes of Kubernetes as the single mode that CSI has room for, and block
 * or mount.
 */
import { create } from "@bufbuild/protobuf";
import { OutgrowError } from "../core/errors.ts";
import { type VolumeCapability, VolumeCapability_AccessMode_Mode, VolumeCapabilitySchema } from "./generated/csi_pb.ts";

export interface VolumeUse {
  /** As in `spec.accessModes` of a PersistentVolume. */
  readonly accessModes: readonly string[];
  readonly volumeMode: "Filesystem" | "Block";
  /** As in `spec.csi.fsType`; the driver picks one when it is missing. */
  readonly fsType?: string;
  /** As in `spec.mountOptions`. */
  readonly mountFlags?: readonly string[];
}

/**
 * `singleNodeMultiWriter`: the driver has the capability of that name, and so tells "one pod" from "one node".
 * Throws `ACCESS_MODES_UNSUPPORTED` for modes that CSI cannot be told together.
 */
export function volumeCapability(use: VolumeUse, singleNodeMultiWriter: boolean): VolumeCapability {
  const { fsType = "", mountFlags = [] } = use;
  return create(VolumeCapabilitySchema, {
    accessMode: { mode: accessMode(use.accessModes, singleNodeMultiWriter) },
    accessType:
      use.volumeMode === "Block"
        ? { case: "block", value: {} }
        : { case: "mount", value: { fsType, mountFlags: [...mountFlags] } },
  });
}

/** The order of the questions is csi-lib-utils' (accessmodes): ReadWriteOncePod first, then ReadWriteMany over all others. */
function accessMode(modes: readonly string[], singleNodeMultiWriter: boolean): VolumeCapability_AccessMode_Mode {
  const Mode = VolumeCapability_AccessMode_Mode;
  const has = new Set(modes);
  if (has.has("ReadWriteOncePod")) {
    if (has.size > 1) throw unsupported(modes, "ReadWriteOncePod does not go together with any other");
    return singleNodeMultiWriter ? Mode.SINGLE_NODE_SINGLE_WRITER : Mode.SINGLE_NODE_WRITER;
  }
  if (has.has("ReadWriteMany")) return Mode.MULTI_NODE_MULTI_WRITER;
  if (has.has("ReadOnlyMany") && has.has("ReadWriteOnce")) {
    throw unsupported(modes, "CSI has no mode for ReadOnlyMany together with ReadWriteOnce");
  }
  if (has.has("ReadOnlyMany")) return Mode.MULTI_NODE_READER_ONLY;
  if (has.has("ReadWriteOnce")) return singleNodeMultiWriter ? Mode.SINGLE_NODE_MULTI_WRITER : Mode.SINGLE_NODE_WRITER;
  throw unsupported(modes, "none of them is known");
}

function unsupported(modes: readonly string[], why: string): OutgrowError {
  return new OutgrowError(
    "ACCESS_MODES_UNSUPPORTED",
    `the volume's access modes are [${modes.join(", ")}]: ${why}; make a volume with one of ReadWriteOnce, ` +
      "ReadOnlyMany, ReadWriteMany and ReadWriteOncePod",
  );
}
