/**
 * Time, as something that is handed in. Rules take a moment (milliseconds since the epoch) as a plain value;
 * controllers take a `Clock`, so that tests can move time by hand.
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The form in which Kubernetes writes a moment: whole seconds, UTC. */
export function toTimestamp(moment: number): string {
  const second = Math.floor(moment / 1000);
  if (second !== last.second) last = { second, text: `${new Date(second * 1000).toISOString().slice(0, 19)}Z` };
  return last.text;
}

/** Most moments that are written down are the present one. */
let last = { second: 0, text: "1970-01-01T00:00:00Z" };

/** RFC 3339, the one form that the API uses. Without its zone a moment would depend on where it is read. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Reads a Kubernetes timestamp; undefined where there is none or it makes no sense. */
export function fromTimestamp(text: string | null | undefined): number | undefined {
  if (text === null || text === undefined || !TIMESTAMP.test(text)) return undefined;
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? undefined : moment;
}
