/**
 * The gates of the sidecar: those of csi-resizer by their names, and ours. AnnotateFsResize is off unless asked for, as
 * in csi-resizer 2.2.1, the newest release; its development branch turns it on.
 */
import { OutgrowError } from "../../core/errors.ts";
import { parseGates } from "../../core/gates.ts";

export interface SidecarGates {
  readonly recovery: boolean;
  readonly annotate: boolean;
  /** Asked for: modification of volumes, which is not here. */
  readonly modifyAskedFor: boolean;
}

/** Gates that only the sidecar has, with what they do here. */
const OWN = ["AnnotateFsResize", "ReleaseLeaderElectionOnExit", "VolumeAttributesClass"];

/** Throws `GATE_UNKNOWN` or `GATE_MALFORMED`. */
export function parseSidecarGates(text: string): SidecarGates {
  const entries = text.split(",").map((entry) => entry.trim());
  const isOwn = (entry: string): boolean => OWN.includes(entry.split("=")[0]?.trim() ?? "");
  const gates = parseShared(entries.filter((entry) => !isOwn(entry)).join(","));
  const own = new Map(entries.filter(isOwn).map((entry) => [entry.split("=")[0]?.trim(), readValue(entry)]));
  return {
    recovery: gates.RecoverExpansionFailure,
    annotate: own.get("AnnotateFsResize") ?? false,
    modifyAskedFor: own.get("VolumeAttributesClass") ?? false,
  };
}

function parseShared(text: string): ReturnType<typeof parseGates> {
  try {
    return parseGates(text);
  } catch (error) {
    if (!(error instanceof OutgrowError) || error.code !== "GATE_UNKNOWN") throw error;
    throw new OutgrowError("GATE_UNKNOWN", `${error.message}, ${OWN.join(", ")}`, { cause: error });
  }
}

/** The value, by the rules that hold for every gate. */
function readValue(entry: string): boolean {
  const [, ...value] = entry.split("=");
  return parseGates(`RecoverExpansionFailure=${value.join("=")}`).RecoverExpansionFailure;
}
