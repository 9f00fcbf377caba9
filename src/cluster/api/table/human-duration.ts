/**
 * How long something took or how old it is, as Kubernetes tells people: two or three significant figures, `90s`, `3h5m`,
 * `5d12h`, `2y3d` (apimachinery, util/duration).
 */
import { fromTimestamp } from "../../../core/clock.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The text of a duration in milliseconds. A clock that is up to two seconds behind counts as now. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / SECOND);
  if (seconds < -1) return "<invalid>";
  if (seconds < 120) return `${Math.max(seconds, 0)}s`;
  const minutes = Math.trunc(milliseconds / MINUTE);
  if (minutes < 10) return pair(minutes, "m", seconds % 60, "s");
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(milliseconds / HOUR);
  if (hours < 8) return pair(hours, "h", minutes % 60, "m");
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  if (days < 8) return pair(days, "d", hours % 24, "h");
  if (days < 365 * 2) return `${days}d`;
  const years = Math.trunc(days / 365);
  return years < 8 ? pair(years, "y", days % 365, "d") : `${years}y`;
}

/** The smaller part is left out where there is nothing of it. */
function pair(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;
}

/** How long ago a timestamp was at the moment `now` (milliseconds since the epoch); `<unknown>` where there is none. */
export function since(timestamp: string | undefined, now: number): string {
  const moment = fromTimestamp(timestamp);
  return moment === undefined ? "<unknown>" : humanDuration(now - moment);
}
