/**
 * Which parts of an object are worth keeping. A cluster's pods are megabytes of containers that no rule about volumes
 * reads; what is not kept is skipped while it is read, so it costs neither time nor memory.
 */

/** `true`: all of it. A table: these keys only, each by its own rule; in a list, the same rule for every entry. */
export type Keep = true | { readonly [key: string]: Keep };

/** The value with only what is to be kept. What is kept whole is not copied. */
export function prune(value: unknown, keep: Keep): unknown {
  if (keep === true || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => prune(entry, keep));
  const kept: Record<string, unknown> = {};
  for (const [key, part] of Object.entries(value)) {
    const rule = ruleFor(keep, key);
    if (rule !== undefined) kept[key] = prune(part, rule);
  }
  return kept;
}

/** The rule for a key; undefined when it is not kept. */
export function ruleFor(keep: Keep, key: string): Keep | undefined {
  if (keep === true) return true;
  return Object.hasOwn(keep, key) ? keep[key] : undefined;
}
