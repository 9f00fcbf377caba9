/** The one address of a service in the cluster's network. */
import { type FieldError, invalid } from "../../../admission/verdict.ts";
import { type DeskWords, type NumberDesk, unavailable } from "./number-desk.ts";
import { hasAddress, isHeadless, type ServiceSpec } from "./service-spec.ts";

/** 10.96.0.0/16, as kubeadm has it. */
const NETWORK = 0x0a_60_00_00;
const SIZE = 0x1_00_00;

/** All but the first, which is the network's name, and the last. The lower part is for those who choose. */
export const ADDRESSES = { first: NETWORK + 1, last: NETWORK + SIZE - 2, chosenBelow: NETWORK + 0x1_00 };

export const ADDRESS_WORDS: DeskWords = {
  outside: "the provided network does not match the current range",
  taken: "provided IP is already allocated",
};

/**
 * The spec with an address, and what is wrong with the one that it asks for. A service that has one keeps it, and one that has
 * decided to have none stays so: whether an update may say otherwise is asked in validation. Throws 500 when there is none left.
 */
export function withAddress(
  spec: ServiceSpec,
  old: ServiceSpec | undefined,
  name: string,
  desk: NumberDesk,
): { readonly spec: ServiceSpec; readonly errors: readonly FieldError[] } {
  if (!hasAddress(spec) || isHeadless(spec) || (old !== undefined && hasAddress(old))) return { spec, errors: [] };
  const [asked] = addressesOf(spec);
  if (asked !== undefined) {
    const why = desk.obstacle(asked);
    const detail = `failed to allocate IP ${addressText(asked)}: ${why ?? ""}`;
    return { spec, errors: why === undefined ? [] : [invalid("spec.clusterIPs", spec.clusterIPs ?? [], detail)] };
  }
  const number = desk.any();
  if (number === undefined) {
    throw unavailable(`failed to allocate a serviceIP for Service ${JSON.stringify(name)}: range is full`);
  }
  const clusterIP = addressText(number);
  return { spec: { ...spec, clusterIP, clusterIPs: [clusterIP] }, errors: [] };
}

/** The addresses of a service, as numbers. */
export function addressesOf(spec: ServiceSpec): number[] {
  if (!hasAddress(spec) || isHeadless(spec)) return [];
  return (spec.clusterIPs ?? []).map((address) =>
    address.split(".").reduce((number, part) => number * 256 + Number(part), 0),
  );
}

function addressText(number: number): string {
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 0xff).join(".");
}
