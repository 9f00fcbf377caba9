/** Whether an expansion is refused, and in which words. */
import { CsiError } from "../../../csi/index.ts";
import type { Parameters } from "./parameters.ts";

export interface Expansion {
  readonly volumeId: string;
  readonly half: "controller" | "node";
  readonly toBytes: bigint;
  /** Where the volume is published now. */
  readonly usedAt: readonly string[];
}

/** The error to answer with; undefined when nothing stands in the way. */
export function refusalOf(
  { volumeId, half, toBytes, usedAt }: Expansion,
  parameters: Parameters,
): CsiError | undefined {
  const able = half === "controller" ? parameters.controllerExpansion : parameters.nodeExpansion;
  if (!able) {
    return new CsiError("Unimplemented", `volume ${volumeId} has no ${half} expansion (parameter ${half}Expansion)`);
  }
  if (!parameters.online && usedAt.length > 0) {
    return new CsiError(
      "FailedPrecondition",
      `volume ${volumeId} is in use at ${usedAt.join(", ")} and grows only while it is not (parameter online)`,
    );
  }
  const fault = half === "controller" ? parameters.controllerFault : parameters.nodeFault;
  if (fault !== undefined && toBytes > fault.aboveBytes) {
    const limit = fault.aboveBytes < 0n ? "" : ` above ${fault.aboveBytes} bytes`;
    return new CsiError(
      fault.code,
      `volume ${volumeId} cannot grow to ${toBytes} bytes: its class lets the ${half} half fail${limit}`,
    );
  }
  return undefined;
}
