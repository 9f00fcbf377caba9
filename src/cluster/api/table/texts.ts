/** Texts that cells of several kinds are made of, as Kubernetes writes them. */
import { isObject, type Json, type JsonObject } from "../json.ts";
import { items, text, texts } from "./fields.ts";

/** Labels as `a=1,b=2`, by name; `<none>` where there are none. */
export function labels(map: JsonObject): string {
  const pairs = Object.entries(map).map(([name, value]) => `${name}=${typeof value === "string" ? value : ""}`);
  return pairs.sort(compare).join(",") || "<none>";
}

/**
 * A label selector in the form that `kubectl -l` takes, requirements by key; undefined when it cannot be a selector. One
 * that is missing (it selects nothing) and one that is empty (it selects everything) are both the empty text.
 */
export function selector(given: Json | undefined): string | undefined {
  if (!isObject(given)) return "";
  const matchLabels = isObject(given["matchLabels"]) ? given["matchLabels"] : {};
  const requirements = Object.keys(matchLabels).map((key) => ({ key, text: `${key}=${text(matchLabels, key)}` }));
  for (const expression of items(given, "matchExpressions")) {
    const requirement = requirementText(expression);
    if (requirement === undefined) return undefined;
    requirements.push({ key: text(expression, "key"), text: requirement });
  }
  return requirements
    .sort((a, b) => compare(a.key, b.key))
    .map((requirement) => requirement.text)
    .join(",");
}

function requirementText(expression: Json): string | undefined {
  const [key, values] = [text(expression, "key"), [...texts(expression, "values")].sort(compare)];
  switch (text(expression, "operator")) {
    case "In":
      return values.length === 0 ? undefined : `${key} in (${values.join(",")})`;
    case "NotIn":
      return values.length === 0 ? undefined : `${key} notin (${values.join(",")})`;
    case "Exists":
      return values.length === 0 ? key : undefined;
    case "DoesNotExist":
      return values.length === 0 ? `!${key}` : undefined;
    default:
      return undefined;
  }
}

/** A selector as most kinds show it. */
export function selectorCell(given: Json | undefined): string {
  const written = selector(given);
  return written === undefined ? "<error>" : written || "<none>";
}

/** The first few of many: `a,b,c + 2 more...`. */
export function firstOf(all: readonly string[], most: number, separator = ","): string {
  const shown = all.slice(0, most).join(separator);
  return all.length > most ? `${shown} + ${all.length - most} more...` : shown;
}

/** As `net.JoinHostPort` writes it: an IPv6 address in brackets. */
export function hostPort(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Where a load balancer can be reached: addresses before names, each once, in order. */
export function ingressPoints(points: readonly Json[]): string {
  const found = points.map((point) => text(point, "ip") || text(point, "hostname")).filter((point) => point !== "");
  return [...new Set(found)].sort(compare).join(",");
}

/** By code unit, as machines sort; the language of the reader plays no part. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
