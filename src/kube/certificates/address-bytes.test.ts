import { expect, test } from "vitest";
import { addressBytes } from "./address-bytes.ts";

test.each([
  ["127.0.0.1", "7f000001"],
  ["10.96.0.1", "0a600001"],
  ["::1", "00000000000000000000000000000001"],
  ["::", "00000000000000000000000000000000"],
  ["2001:DB8::8:800:200C:417A", "20010db80000000000080800200c417a"],
  ["1:2:3:4:5:6:7:8", "00010002000300040005000600070008"],
  ["fe80::", "fe800000000000000000000000000000"],
  ["::ffff:10.0.0.1", "00000000000000000000ffff0a000001"],
])("%s", (address, expected) => {
  expect(addressBytes(address).toString("hex")).toBe(expected);
});

test.each(["", "localhost", "1.2.3", "256.1.1.1", "fe80::1%eth0", ":::"])("%j is no address", (address) => {
  expect(() => addressBytes(address)).toThrow(`${JSON.stringify(address)} is no IP address`);
});
