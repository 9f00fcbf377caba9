/** When a volume came into its phase: the server notes it, unless whoever writes the phase does (upstream's strategy for volumes). */
import { toTimestamp } from "../../../core/clock.ts";
import type { PersistentVolume } from "../../../core/types.ts";
import type { JsonObject } from "../json.ts";
import { type KnownKind, read, write } from "./known-kind.ts";

interface Volume extends PersistentVolume {
  status?: { phase?: string; lastPhaseTransitionTime?: string };
}

const VOLUME: KnownKind<Volume> = { apiVersion: "v1", kind: "PersistentVolume" };

/** The volume with the time of its phase. `old` is undefined for a new one, which has its first phase already. */
export function prepareVolume(old: JsonObject | undefined, next: JsonObject, now: number): JsonObject {
  const volume = read(VOLUME, next);
  const before = old === undefined ? undefined : read(VOLUME, old).status;
  const { phase, lastPhaseTransitionTime: told } = volume.status ?? {};
  const known = before?.lastPhaseTransitionTime;
  const isNewPhase = old === undefined || before?.phase !== phase;
  const time = isNewPhase ? (told === undefined || told === known ? toTimestamp(now) : told) : (told ?? known);
  if (time === undefined || time === told) return next;
  return write({ ...volume, status: { ...volume.status, lastPhaseTransitionTime: time } });
}
