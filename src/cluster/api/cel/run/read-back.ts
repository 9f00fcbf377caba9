/**
 * An optional that is read from a variable, or that a choice gives, is taken apart by cel-go and made anew from how Go has what is
 * in it. Most values come back as they were; an optional in it loses one shell, a type becomes its name, an object that was
 * built a map, and of Kubernetes' own values there is no way back.
 */
import { mapOfEntries } from "../value/collections.ts";
import { shown } from "../value/show.ts";
import { type CelError, error, isError, isKind, some, type Value } from "../value/value.ts";

/** As Go names what these hold. */
const HELD: Readonly<Record<string, string>> = {
  "kubernetes.Quantity": "*resource.Quantity",
  "kubernetes.Semver": "semver.Version",
  "kubernetes.URL": "*url.URL",
  "net.CIDR": "netip.Prefix",
  "net.IP": "netip.Addr",
};

export function readBack(value: Value | CelError): Value | CelError {
  if (!isKind(value, "optional") || value.value === undefined) return value;
  const inner = madeAnew(value.value);
  return inner === value.value ? value : some(inner);
}

function madeAnew(value: Value | CelError): Value | CelError {
  if (isError(value)) return value;
  if (isKind(value, "optional")) return value.value === undefined ? null : madeAnew(value.value);
  if (isKind(value, "type")) return value.type.name;
  if (isKind(value, "struct"))
    return mapOfEntries(Array.from(value.fields, ([name, field]) => [name, madeAnew(field) as Value]));
  const held = isKind(value, "opaque") ? HELD[value.type.name] : undefined;
  return held === undefined ? value : error(`unsupported conversion to ref.Val: (${held})${shown(value)}`);
}
