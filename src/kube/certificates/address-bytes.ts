/** An IP address as its bytes: four or sixteen. */
import { Buffer } from "node:buffer";
import { isIPv4, isIPv6 } from "node:net";

/** Throws a `RangeError` for what is no address. */
export function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split(".").map(Number));
  if (!isIPv6(address) || address.includes("%")) throw new RangeError(`${JSON.stringify(address)} is no IP address`);
  // The URL parser writes it in one form: groups of hexadecimal digits, the longest run of zeros as "::".
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const left = groupsOf(head);
  const right = groupsOf(tail ?? "");
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => 0);
  return Buffer.from([...left, ...zeros, ...right].flatMap((group) => [group >> 8, group & 0xff]));
}

function groupsOf(text: string): number[] {
  return text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
}
