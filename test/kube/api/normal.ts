/** What two servers can never agree on, taken out: uids, versions, moments, and names by chance. */

const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const BY_NAME: Readonly<Record<string, string>> = {
  resourceVersion: "<version>",
  continue: "<continue>",
  serverAddress: "<address>",
  hash: "<hash>",
};

export function normal(value: unknown, key = ""): unknown {
  if (typeof value === "string") return normalText(value, key);
  if (Array.isArray(value) && key === "managedFields") return value.map((item) => normal(item)).toSorted(byManager);
  if (Array.isArray(value)) return value.map((item) => normal(item, key === "cells" ? "cell" : ""));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, item]) => [normalText(name, ""), normal(item, name)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Entries are in the order of their times, which is one of chance where a second has passed between two requests. */
function byManager(a: unknown, b: unknown): number {
  const rank = (entry: unknown): string => {
    const { operation, manager, subresource } = entry as Record<string, unknown>;
    return JSON.stringify([operation, manager, subresource]);
  };
  return rank(a) < rank(b) ? -1 : 1;
}

function normalText(text: string, key: string): string {
  // What a column says about itself is prose, which our tables have none of.
  if (key === "description") return "<prose>";
  if (key === "cell" && /^\d+s$/.test(text)) return "<age>";
  if (Object.hasOwn(BY_NAME, key) && text !== "" && text !== "0") return BY_NAME[key] ?? text;
  return (
    text
      // A patched object that cannot be read is quoted whole; the order of its fields says nothing.
      .replace(/Invalid value: "\{.*\}"(?=: )/s, 'Invalid value: "<object>"')
      .replace(UID, "<uid>")
      .replace(TIME, "<time>")
      // Names that end in five letters by chance.
      .replace(/\b(gen-)[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, "$1<chance>")
      // Addresses of services, from a range that each server has of its own.
      .replace(/\b10\.(?:96\.\d+|0\.0)\.\d+\b/g, "<address>")
      .replace(/kube-api-access-[a-z0-9]{5}/g, "kube-api-access-<chance>")
      .replace(/(resource version: )\d+( \(\d+\)|, current: \d+)?/g, "$1<version>")
      .replace(/(ResourceVersion in (?:precondition|record|object meta): )\d+/g, "$1<version>")
      .replace(/(ResourceVersion (?:in the precondition|in record) \()\d+\)/g, "$1<version>)")
  );
}

/** The places in which two values differ, as paths, with what each has there. */
export function differences(ours: unknown, theirs: unknown, path = ""): string[] {
  if (Object.is(ours, theirs)) return [];
  if (Array.isArray(ours) && Array.isArray(theirs) && ours.length === theirs.length) {
    return ours.flatMap((item, index) => differences(item, theirs[index], `${path}[${index}]`));
  }
  if (isPlain(ours) && isPlain(theirs)) {
    const keys = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].toSorted();
    return keys.flatMap((key) => differences(ours[key], theirs[key], path === "" ? key : `${path}.${key}`));
  }
  return [`${path}: ours ${shown(ours)}, theirs ${shown(theirs)}`];
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}
