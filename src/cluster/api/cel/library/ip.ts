/** IP addresses and networks. */
import { type FunctionDeclaration, member, overload } from "../check/declarations.ts";
import { BOOL, INT, opaque, STRING } from "../check/types.ts";
import { type CelError, error, isError, type Opaque, type Value } from "../value/value.ts";
import {
  type Address,
  contains,
  isIn,
  isMapped,
  masked,
  NoAddress,
  type Prefix,
  parseAddress,
  parsePrefix,
  shownAddress,
  shownPrefix,
} from "./go-ip.ts";

export const IP = opaque("net.IP");
export const CIDR = opaque("net.CIDR");

function addressValue(address: Address): Opaque {
  return {
    kind: "opaque",
    type: IP,
    data: address,
    equals: ({ data }) => (data as Address).bits === address.bits && (data as Address).value === address.value,
    size: address.bits / 8,
    text: shownAddress(address),
  };
}

function prefixValue(prefix: Prefix): Opaque {
  return {
    kind: "opaque",
    type: CIDR,
    data: prefix,
    equals: ({ data }) => shownPrefix(data as Prefix) === shownPrefix(prefix),
    size: Math.ceil(prefix.length / 8),
    text: shownPrefix(prefix),
  };
}

const addressOf = (value: Value | undefined) => (value as Opaque).data as Address;
const prefixOf = (value: Value | undefined) => (value as Opaque).data as Prefix;

export const NETWORK: readonly FunctionDeclaration[] = [
  {
    name: "ip",
    overloads: [
      overload("string_to_ip", [STRING], IP, ([text]) => toAddress(text as string)),
      member("cidr_ip", [CIDR], IP, ([prefix]) => addressValue(prefixOf(prefix).address)),
    ],
  },
  { name: "isIP", overloads: [overload("is_ip", [STRING], BOOL, ([text]) => !isError(toAddress(text as string)))] },
  {
    name: "ip.isCanonical",
    overloads: [
      overload("ip_is_canonical", [STRING], BOOL, ([text]) => {
        const address = toAddress(text as string);
        return isError(address) ? address : address.text === text;
      }),
    ],
  },
  { name: "family", overloads: [member("ip_family", [IP], INT, ([ip]) => (addressOf(ip).bits === 32 ? 4n : 6n))] },
  about("isUnspecified", "ip_is_unspecified", ({ value }) => value === 0n),
  about("isLoopback", "ip_is_loopback", (ip) => isIn(ip, [0x7f000000n, 8], [1n, 128])),
  about("isLinkLocalMulticast", "ip_is_link_local_multicast", (ip) =>
    ip.bits === 32 ? isIn(ip, [0xe0000000n, 24], [0n, 0]) : ((ip.value >> 112n) & 0xff0fn) === 0xff02n,
  ),
  about("isLinkLocalUnicast", "ip_is_link_local_unicast", (ip) => isIn(ip, [0xa9fe0000n, 16], [0xfe80n << 112n, 10])),
  about("isGlobalUnicast", "ip_is_global_unicast", isGlobal),
  {
    name: "string",
    overloads: [
      overload("ip_to_string", [IP], STRING, ([ip]) => shownAddress(addressOf(ip))),
      overload("cidr_to_string", [CIDR], STRING, ([prefix]) => shownPrefix(prefixOf(prefix))),
    ],
  },
  { name: "cidr", overloads: [overload("string_to_cidr", [STRING], CIDR, ([text]) => toPrefix(text as string))] },
  { name: "isCIDR", overloads: [overload("is_cidr", [STRING], BOOL, ([text]) => !isError(toPrefix(text as string)))] },
  {
    name: "containsIP",
    overloads: [
      member("cidr_contains_ip_string", [CIDR, STRING], BOOL, ([prefix, text]) => {
        const address = toAddress(text as string);
        return isError(address) ? error("no such overload") : contains(prefixOf(prefix), addressOf(address));
      }),
      member("cidr_contains_ip_ip", [CIDR, IP], BOOL, ([prefix, ip]) => contains(prefixOf(prefix), addressOf(ip))),
    ],
  },
  {
    name: "containsCIDR",
    overloads: [
      member("cidr_contains_cidr_string", [CIDR, STRING], BOOL, ([prefix, text]) => {
        const other = toPrefix(text as string);
        return isError(other) ? other : containsPrefix(prefixOf(prefix), prefixOf(other));
      }),
      member("cidr_contains_cidr", [CIDR, CIDR], BOOL, ([prefix, other]) =>
        containsPrefix(prefixOf(prefix), prefixOf(other)),
      ),
    ],
  },
  {
    name: "prefixLength",
    overloads: [member("cidr_prefix_length", [CIDR], INT, ([prefix]) => BigInt(prefixOf(prefix).length))],
  },
  {
    name: "masked",
    overloads: [member("cidr_masked", [CIDR], CIDR, ([prefix]) => prefixValue(masked(prefixOf(prefix))))],
  },
];

function about(name: string, id: string, holds: (address: Address) => boolean): FunctionDeclaration {
  return { name, overloads: [member(id, [IP], BOOL, ([ip]) => holds(addressOf(ip)))] };
}

function isGlobal(ip: Address): boolean {
  if (ip.bits === 32 && (ip.value === 0n || ip.value === 0xffffffffn)) return false;
  const isMulticast = isIn(ip, [0xe0000000n, 4], [0xff00n << 112n, 8]);
  const isLinkLocal = isIn(ip, [0xa9fe0000n, 16], [0xfe80n << 112n, 10]);
  return ip.value !== 0n && !isIn(ip, [0x7f000000n, 8], [1n, 128]) && !isMulticast && !isLinkLocal;
}

function containsPrefix(prefix: Prefix, other: Prefix): boolean {
  return prefix.length <= other.length && contains(prefix, other.address);
}

function toAddress(text: string): Opaque | CelError {
  try {
    const address = parseAddress(text);
    if (address.zone !== "") return error(`IP address ${JSON.stringify(text)} with zone value is not allowed`);
    if (isMapped(address)) return error(`IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`);
    return addressValue(address);
  } catch (cause) {
    if (!(cause instanceof NoAddress)) throw cause;
    return error(`IP Address ${JSON.stringify(text)} parse error during conversion from string: ${cause.message}`);
  }
}

function toPrefix(text: string): Opaque | CelError {
  const failed = "network address parse error during conversion from string";
  try {
    const prefix = parsePrefix(text);
    if (isMapped(prefix.address))
      return error(`${failed}: IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`);
    return prefixValue(prefix);
  } catch (cause) {
    if (!(cause instanceof NoAddress)) throw cause;
    return error(`${failed}: ${failed}: ${cause.message}`);
  }
}
