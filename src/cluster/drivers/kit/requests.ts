/** What a call must bring along, and what it says of the volume's use. */
import { CsiError, VolumeCapability_AccessMode_Mode as Mode, type VolumeCapability } from "../../../csi/index.ts";
import type { VolumeRecord } from "./volume.ts";

/** Throws `InvalidArgument` for a field that is empty. */
export function required(field: string, value: string): string {
  if (value === "") throw new CsiError("InvalidArgument", `${field} is missing`);
  return value;
}

export interface Use {
  readonly access: VolumeRecord["access"];
  /** Empty where the caller leaves it to the driver. */
  readonly fsType: string;
  readonly mountFlags: readonly string[];
  readonly readOnly: boolean;
}

/** Throws `InvalidArgument` where the capability is missing, or does not say block or mount, or how many may use it. */
export function useOf(capability: VolumeCapability | undefined): Use {
  if (capability === undefined) throw new CsiError("InvalidArgument", "volume_capability is missing");
  const { accessType, accessMode } = capability;
  const mode = accessMode?.mode ?? Mode.UNKNOWN;
  if (accessType.case === undefined)
    throw new CsiError("InvalidArgument", "volume_capability is neither block nor mount");
  if (mode === Mode.UNKNOWN) throw new CsiError("InvalidArgument", "volume_capability has no access mode");
  return {
    access: accessType.case,
    fsType: accessType.case === "mount" ? accessType.value.fsType : "",
    mountFlags: accessType.case === "mount" ? accessType.value.mountFlags : [],
    readOnly: mode === Mode.SINGLE_NODE_READER_ONLY || mode === Mode.MULTI_NODE_READER_ONLY,
  };
}

/** All capabilities of one volume together: it is block or mount, never both. */
export function useOfAll(capabilities: readonly VolumeCapability[]): Use {
  if (capabilities.length === 0) throw new CsiError("InvalidArgument", "volume_capabilities are missing");
  const uses = capabilities.map(useOf);
  const [first = useOf(undefined)] = uses;
  if (uses.some(({ access }) => access !== first.access)) {
    throw new CsiError("InvalidArgument", "a volume is block or mount, not both");
  }
  return first;
}

/** Throws `InvalidArgument` where a volume is to be used as what it is not. */
export function mustFit(volume: VolumeRecord, use: Use): void {
  if (use.access === volume.access) return;
  throw new CsiError("InvalidArgument", `volume ${volume.id} is a ${volume.access} volume, not ${use.access}`);
}
