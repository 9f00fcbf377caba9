/** How long a request may take, as its client says it: `?timeout=30s` (upstream endpoints/filters/request_deadline.go). */
import { goQuote } from "../decode/go-quote.ts";
import { badRequest } from "../status-error.ts";

const UNITS: ReadonlySet<string> = new Set(["ns", "us", "µs", "μs", "ms", "s", "m", "h"]);
const LONGEST_NS = 2n ** 63n;

/** Throws 400 for what is no duration. Nothing here takes so long that one would have to be kept to. */
export function checkTimeout(query: URLSearchParams): void {
  const text = query.get("timeout") ?? "";
  if (text === "") return;
  const problem = durationProblem(text);
  if (problem !== undefined) throw badRequest(`invalid timeout specified in the request URL - time: ${problem}`);
}

/** What Go's `time.ParseDuration` has against a text; undefined for a duration. */
export function durationProblem(text: string): string | undefined {
  const shown = goQuote(text);
  const invalid = `invalid duration ${shown}`;
  let rest = text.replace(/^[-+]/, "");
  if (rest === "0") return undefined;
  if (rest === "") return invalid;
  while (rest !== "") {
    const [number = "", whole = "", fraction = ""] = /^(\d*)(?:\.(\d*))?/.exec(rest) ?? [];
    if (whole === "" && fraction === "") return invalid;
    if (whole !== "" && BigInt(whole) > LONGEST_NS) return invalid;
    rest = rest.slice(number.length);
    const unit = /^[^\d.]*/.exec(rest)?.[0] ?? "";
    if (unit === "") return `missing unit in duration ${shown}`;
    if (!UNITS.has(unit)) return `unknown unit ${goQuote(unit)} in duration ${shown}`;
    rest = rest.slice(unit.length);
  }
  return undefined;
}
