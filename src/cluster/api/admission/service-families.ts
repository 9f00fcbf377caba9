/**
 * IP families of a service. This cluster has IPv4 alone, so that there is little to choose: what asks for more is refused, as
 * a cluster of one family refuses it. The one exception is upstream's: a service without address and selector, whose
 * endpoints somebody else writes, may have both.
 */
import { isIP } from "node:net";
import { duplicate, type FieldError, invalid, notSupported, required } from "../../../admission/verdict.ts";
import { HEADLESS, hasAddress, isHeadless, type ServiceSpec } from "./service-spec.ts";

const FAMILIES = ["IPv4", "IPv6"];
const POLICIES = ["PreferDualStack", "RequireDualStack", "SingleStack"];

/** The spec with its families and their policy, and what is wrong with those that it has. */
export function withFamilies(
  next: ServiceSpec,
  old: ServiceSpec | undefined,
): { readonly spec: ServiceSpec; readonly errors: readonly FieldError[] } {
  if (!hasAddress(next)) return { spec: next, errors: [] };
  const selfServed = isHeadless(next) && Object.keys(next.selector ?? {}).length === 0;
  const ipFamilyPolicy =
    next.ipFamilyPolicy ?? old?.ipFamilyPolicy ?? (selfServed ? "RequireDualStack" : "SingleStack");
  const asked = { ...next, ipFamilyPolicy };
  const malformed = malformedErrors(asked);
  if (malformed.length > 0) return { spec: asked, errors: malformed };

  const families = asked.ipFamilies ?? [];
  const single = ipFamilyPolicy === "SingleStack";
  if (single && families.length > 1) {
    const detail = "must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified";
    return { spec: asked, errors: [invalid("spec.ipFamilyPolicy", ipFamilyPolicy, detail)] };
  }
  if (selfServed) {
    const first = families[0] ?? "IPv4";
    const second = first === "IPv4" ? "IPv6" : "IPv4";
    return { spec: { ...asked, ipFamilies: single ? [first] : [first, second] }, errors: [] };
  }
  const errors = unconfiguredErrors(asked);
  return { spec: { ...asked, ipFamilies: families.length > 0 ? families : ["IPv4"] }, errors };
}

function unconfiguredErrors({ ipFamilyPolicy, ipFamilies = [], clusterIPs = [] }: ServiceSpec): FieldError[] {
  const foreign = clusterIPs.flatMap((address, index) =>
    isIP(address) === 6 && index >= ipFamilies.length
      ? [invalid(`spec.clusterIPs[${index}]`, clusterIPs, "IPv6 is not configured on this cluster")]
      : [],
  );
  if (foreign.length > 0) return foreign;
  const detail = "this cluster is not configured for dual-stack services";
  return [
    ...(ipFamilyPolicy === "RequireDualStack" ? [invalid("spec.ipFamilyPolicy", ipFamilyPolicy, detail)] : []),
    ...ipFamilies.flatMap((family, index) =>
      family === "IPv4" ? [] : [invalid(`spec.ipFamilies[${index}]`, family, "not configured on this cluster")],
    ),
  ];
}

/** Upstream ValidateServiceClusterIPsRelatedFields. */
function malformedErrors({
  clusterIP = "",
  clusterIPs = [],
  ipFamilies = [],
  ipFamilyPolicy,
}: ServiceSpec): FieldError[] {
  const path = "spec.clusterIPs";
  const errors: FieldError[] = [];
  if (clusterIP !== "" && clusterIPs.length === 0) errors.push(required(path));
  if (clusterIP !== "" && clusterIPs.length > 0 && clusterIPs[0] !== clusterIP) {
    errors.push(invalid(path, clusterIPs, "first value must match `clusterIP`"));
  }
  if (clusterIP === "" && clusterIPs.length > 0) {
    errors.push(invalid(path, clusterIPs, "must be empty when `clusterIP` is not specified"));
  }
  const seen = new Set<string>();
  for (const [index, family] of ipFamilies.entries()) {
    if (!FAMILIES.includes(family)) errors.push(notSupported(`spec.ipFamilies[${index}]`, family, FAMILIES));
    if (seen.has(family)) errors.push(duplicate(`spec.ipFamilies[${index}]`, family));
    seen.add(family);
  }
  if (ipFamilyPolicy !== undefined && !POLICIES.includes(ipFamilyPolicy)) {
    errors.push(notSupported("spec.ipFamilyPolicy", ipFamilyPolicy, POLICIES));
  }
  const unreadable = clusterIPs.flatMap((address, index) => addressErrors(clusterIPs, address, index));
  for (const error of unreadable) errors.push(error);
  if (clusterIPs.length > 2) errors.push(invalid(path, clusterIPs, "may only hold up to 2 values"));
  if (unreadable.length > 0) return errors;
  if (clusterIPs.length > 1 && new Set(clusterIPs.map(isIP)).size < clusterIPs.length) {
    errors.push(invalid(path, clusterIPs, "may specify no more than one IP for each IP family"));
  }
  return clusterIPs[0] === HEADLESS ? errors : [...errors, ...familyErrors(clusterIPs, ipFamilies)];
}

function addressErrors(clusterIPs: readonly string[], address: string, index: number): FieldError[] {
  if (index === 0 && address === HEADLESS) {
    const alone = clusterIPs.length === 1;
    return alone ? [] : [invalid("spec.clusterIPs", clusterIPs, "'None' must be the first and only value")];
  }
  if (isIP(address) !== 0) return [];
  const detail = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
  return [invalid(`spec.clusterIPs[${index}]`, address, detail)];
}

function familyErrors(clusterIPs: readonly string[], ipFamilies: readonly string[]): FieldError[] {
  return clusterIPs.flatMap((address, index) => {
    const family = ipFamilies[index];
    if (family === undefined || family === (isIP(address) === 6 ? "IPv6" : "IPv4")) return [];
    const article = `expected an ${family} value as indicated by \`ipFamilies[${index}]\``;
    return [invalid(`spec.clusterIPs[${index}]`, address, article)];
  });
}
