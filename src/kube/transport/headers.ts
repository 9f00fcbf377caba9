/** The two response headers that mean something to us. */

type HeaderValue = string | string[] | undefined;

/** How long to wait, in milliseconds: `Retry-After` gives seconds, or a moment. */
export function readRetryAfter(value: HeaderValue, now: number): number | undefined {
  const text = Array.isArray(value) ? value[0] : value;
  if (text === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(text)) return Number(text) * 1000;
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - now);
}

/** What the server warns of (deprecated versions, unknown fields): the texts of code 299, as Kubernetes writes them. */
export function readWarnings(value: HeaderValue): string[] {
  const text = Array.isArray(value) ? value.join(", ") : (value ?? "");
  return [...text.matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, quoted = ""]) => quoted.replaceAll(/\\(.)/g, "$1"));
}
