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
  return `${new Date(moment).toISOString().slice(0, 19)}Z`;
}

/** RFC 3339, the one form that the API uses. Without its zone a moment would depend on where it is read. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Reads a Kubernetes timestamp; undefined where there is none or it makes no sense. */
export function fromTimestamp(text: string | null | undefined): number | undefined {
  if (text === null || text === undefined || !TIMESTAMP.test(text)) return undefined;
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? undefined : moment;
}
