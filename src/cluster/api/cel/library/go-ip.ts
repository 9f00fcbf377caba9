/** IP addresses and networks as Go's net/netip reads and writes them. */

export interface Address {
  readonly bits: 32 | 128;
  readonly value: bigint;
  readonly zone: string;
}

export interface Prefix {
  readonly address: Address;
  readonly length: number;
}

/** What is no address; the message is Go's. */
export class NoAddress extends Error {}

/** Throws `NoAddress`. */
export function parseAddress(text: string): Address {
  const sign = /[.:%]/.exec(text)?.[0];
  if (sign === ".") return { bits: 32, value: parseFour(text, text), zone: "" };
  if (sign === ":") return parseSix(text);
  throw noAddress(text, sign === "%" ? "missing IPv6 address" : "unable to parse IP");
}

function noAddress(text: string, message: string, at = ""): NoAddress {
  return new NoAddress(
    `ParseAddr(${JSON.stringify(text)}): ${message}${at === "" ? "" : ` (at ${JSON.stringify(at)})`}`,
  );
}

function parseFour(whole: string, text: string): bigint {
  let value = 0n;
  let part = 0;
  let digits = 0;
  let parts = 0;
  for (const [index, character] of Array.from(text).entries()) {
    if (/[0-9]/.test(character)) {
      if (digits === 1 && part === 0) throw noAddress(whole, "IPv4 field has octet with leading zero");
      part = part * 10 + Number(character);
      digits++;
      if (part > 255) throw noAddress(whole, "IPv4 field has value >255");
    } else if (character === ".") {
      if (index === 0 || index === text.length - 1 || text[index - 1] === ".")
        throw noAddress(whole, "IPv4 field must have at least one digit", text.slice(index));
      if (parts === 3) throw noAddress(whole, "IPv4 address too long");
      value = value * 256n + BigInt(part);
      parts++;
      part = 0;
      digits = 0;
    } else throw noAddress(whole, "unexpected character", text.slice(index));
  }
  if (parts < 3) throw noAddress(whole, "IPv4 address too short");
  return value * 256n + BigInt(part);
}

function parseSix(whole: string): Address {
  const [text = "", ...zones] = whole.split("%");
  const zone = zones.join("%");
  if (zones.length > 0 && zone === "") throw noAddress(whole, "zone must be a non-empty string");
  const groups: number[] = [];
  let ellipsis = text.startsWith("::") ? 0 : -1;
  let rest = ellipsis === 0 ? text.slice(2) : text;
  if (ellipsis === 0 && rest === "") return { bits: 128, value: 0n, zone };
  while (groups.length < 8) {
    const [hex = ""] = /^[0-9a-fA-F]*/.exec(rest) ?? [];
    if (hex.length > 4) throw noAddress(whole, "each group must have 4 or less digits", rest);
    if (hex === "") throw noAddress(whole, "each colon-separated field must have at least one digit", rest);
    if (rest[hex.length] === ".") {
      if (ellipsis < 0 && groups.length !== 6)
        throw noAddress(whole, "embedded IPv4 address must replace the final 2 fields of the address", rest);
      if (groups.length > 6)
        throw noAddress(whole, "too many hex fields to fit an embedded IPv4 at the end of the address", rest);
      const four = parseFour(whole, rest);
      groups.push(Number(four >> 16n), Number(four & 0xffffn));
      rest = "";
      break;
    }
    groups.push(Number.parseInt(hex, 16));
    rest = rest.slice(hex.length);
    if (rest === "") break;
    if (!rest.startsWith(":")) throw noAddress(whole, "unexpected character, want colon", rest);
    if (rest.length === 1) throw noAddress(whole, "colon must be followed by more characters", rest);
    rest = rest.slice(1);
    if (!rest.startsWith(":")) continue;
    if (ellipsis >= 0) throw noAddress(whole, "multiple :: in address", rest);
    ellipsis = groups.length;
    rest = rest.slice(1);
    if (rest === "") break;
  }
  if (rest !== "") throw noAddress(whole, "trailing garbage after address", rest);
  if (groups.length < 8 && ellipsis < 0) throw noAddress(whole, "address string too short");
  if (groups.length === 8 && ellipsis >= 0) throw noAddress(whole, "the :: must expand to at least one field of zeros");
  if (ellipsis >= 0) groups.splice(ellipsis, 0, ...Array.from({ length: 8 - groups.length }, () => 0));
  return { bits: 128, value: groups.reduce((sum, group) => sum * 65536n + BigInt(group), 0n), zone };
}

/** Throws `NoAddress`. */
export function parsePrefix(text: string): Prefix {
  const wrong = (message: string) => new NoAddress(`netip.ParsePrefix(${JSON.stringify(text)}): ${message}`);
  const at = text.lastIndexOf("/");
  if (at < 0) throw wrong("no '/'");
  let address: Address;
  try {
    address = parseAddress(text.slice(0, at));
  } catch (error) {
    if (!(error instanceof NoAddress)) throw error;
    throw wrong(error.message);
  }
  if (address.zone !== "") throw wrong("IPv6 zones cannot be present in a prefix");
  const bits = text.slice(at + 1);
  if (!/^(?:0|[1-9][0-9]{0,8})$/.test(bits)) throw wrong(`bad bits after slash: ${JSON.stringify(bits)}`);
  if (Number(bits) > address.bits) throw wrong("prefix length out of range");
  return { address, length: Number(bits) };
}

export function isMapped({ bits, value }: Address): boolean {
  return bits === 128 && value >> 32n === 0xffffn;
}

export function shownAddress({ bits, value }: Address): string {
  if (bits === 32) return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join(".");
  const groups = Array.from({ length: 8 }, (_, index) => Number((value >> BigInt(112 - index * 16)) & 0xffffn));
  if (isMapped({ bits, value, zone: "" }))
    return `::ffff:${shownAddress({ bits: 32, value: value & 0xffffffffn, zone: "" })}`;
  let [best, length] = [-1, 1];
  for (let start = 0; start < 8; start++) {
    let end = start;
    while (end < 8 && groups[end] === 0) end++;
    if (end - start > length) [best, length] = [start, end - start];
  }
  const hex = (part: readonly number[]) => part.map((group) => group.toString(16)).join(":");
  return best < 0 ? hex(groups) : `${hex(groups.slice(0, best))}::${hex(groups.slice(best + length))}`;
}

export function shownPrefix({ address, length }: Prefix): string {
  return `${shownAddress(address)}/${length}`;
}

/** The network itself, without the bits of a host. */
export function masked({ address, length }: Prefix): Prefix {
  const shift = BigInt(address.bits - length);
  return { address: { ...address, value: (address.value >> shift) << shift }, length };
}

export function contains(prefix: Prefix, address: Address): boolean {
  if (prefix.address.bits !== address.bits) return false;
  const shift = BigInt(address.bits - prefix.length);
  return prefix.address.value >> shift === address.value >> shift;
}

/** Between a first and a last address, given as prefix and length. */
export function isIn(
  { bits, value }: Address,
  four: readonly [bigint, number],
  six: readonly [bigint, number],
): boolean {
  const [network, length] = bits === 32 ? four : six;
  const shift = BigInt(bits - length);
  return value >> shift === network >> shift;
}
