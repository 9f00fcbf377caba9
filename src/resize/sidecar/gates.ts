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
  /** What was given and does nothing here, as `NAME=value`. */
  readonly withoutEffect: readonly string[];
}

/** Gates that only the sidecar has. */
const OWN = ["AnnotateFsResize", "ReleaseLeaderElectionOnExit", "VolumeAttributesClass"];

/** Throws `GATE_UNKNOWN` or `GATE_MALFORMED`. */
export function parseSidecarGates(text: string): SidecarGates {
  const entries = text.split(",").map((entry) => entry.trim());
  const isOwn = (entry: string): boolean => OWN.includes(nameOf(entry));
  const gates = parseShared(entries.filter((entry) => !isOwn(entry)).join(","));
  const own = new Map(entries.filter(isOwn).map((entry) => [nameOf(entry), readValue(entry)]));
  return {
    recovery: gates.RecoverExpansionFailure,
    annotate: own.get("AnnotateFsResize") ?? false,
    modifyAskedFor: own.get("VolumeAttributesClass") ?? false,
    withoutEffect: entries.filter((entry) => {
      const name = nameOf(entry);
      // The lease is always given up at the end: there is nothing to be said for keeping it.
      if (name === "ReleaseLeaderElectionOnExit") return own.get(name) === false;
      return name === "StatefulSetVolumeExpansion";
    }),
  };
}

function nameOf(entry: string): string {
  return entry.split("=")[0]?.trim() ?? "";
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
  try {
    return parseGates(`RecoverExpansionFailure=${value.join("=")}`).RecoverExpansionFailure;
  } catch (cause) {
    const message = `${JSON.stringify(entry)} is not a feature gate; write NAME=true or NAME=false`;
    throw new OutgrowError("GATE_MALFORMED", message, { cause });
  }
}
