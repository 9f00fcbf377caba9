/**
 * Feature gates: what the texts promise can be switched off, and on again. Both are on unless somebody says otherwise.
 */
import { OutgrowError } from "./errors.ts";

export interface Gates {
  /** KEP-661: a StatefulSet's template sizes may be edited, and its claims follow. */
  readonly StatefulSetVolumeExpansion: boolean;
  /** KEP-1790: a failed expansion may be recovered from by asking for less. */
  readonly RecoverExpansionFailure: boolean;
}

export type GateName = keyof Gates;

export const DEFAULT_GATES: Gates = { StatefulSetVolumeExpansion: true, RecoverExpansionFailure: true };

/** The name under which Kubernetes shipped the recovery gate. */
const ALIASES: Readonly<Record<string, GateName>> = { RecoverVolumeExpansionFailure: "RecoverExpansionFailure" };

/**
 * Reads `StatefulSetVolumeExpansion=true,RecoverExpansionFailure=false`; what is not named keeps its default. When a
 * gate is named twice the last one counts, as in Kubernetes.
 */
export function parseGates(text: string, defaults: Gates = DEFAULT_GATES): Gates {
  const gates: Record<GateName, boolean> = { ...defaults };
  for (const part of text.split(",")) {
    const entry = part.trim();
    if (entry === "") continue;
    const [name = "", value, ...rest] = entry.split("=").map((piece) => piece.trim());
    const on = value === undefined || rest.length > 0 ? undefined : readBoolean(value);
    if (name === "" || on === undefined) {
      throw new OutgrowError(
        "GATE_MALFORMED",
        `${JSON.stringify(entry)} is not a feature gate; write NAME=true or NAME=false`,
      );
    }
    const gate = Object.hasOwn(ALIASES, name) ? ALIASES[name] : name;
    if (!isGate(gate)) {
      const known = [...Object.keys(DEFAULT_GATES), ...Object.keys(ALIASES)].join(", ");
      throw new OutgrowError(
        "GATE_UNKNOWN",
        `feature gate ${JSON.stringify(name)} is not known; known gates: ${known}`,
      );
    }
    gates[gate] = on;
  }
  return gates;
}

function isGate(name: string | undefined): name is GateName {
  return name !== undefined && Object.hasOwn(DEFAULT_GATES, name);
}

/** The spellings of Go's strconv.ParseBool, which is what people's manifests were written for. */
function readBoolean(text: string): boolean | undefined {
  if (["1", "t", "T", "TRUE", "true", "True"].includes(text)) return true;
  if (["0", "f", "F", "FALSE", "false", "False"].includes(text)) return false;
  return undefined;
}
