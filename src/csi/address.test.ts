import { describe, expect, test } from "vitest";
import { socketPath } from "./address.ts";

describe("the address of a driver", () => {
  test.each([
    ["/run/csi/socket", "/run/csi/socket"],
    ["csi.sock", "csi.sock"],
    ["unix:///run/csi/socket", "/run/csi/socket"],
    ["unix:/run/csi/socket", "/run/csi/socket"],
    [`/${"x".repeat(106)}`, `/${"x".repeat(106)}`],
  ])("%s is the socket %s", (address, path) => {
    expect(socketPath(address)).toBe(path);
  });

  test.each([
    ["tcp://127.0.0.1:10000", "its scheme is tcp, but CSI is spoken over unix sockets only"],
    ["http://localhost/csi", "its scheme is http, but CSI is spoken over unix sockets only"],
    ["dns:driver:9000", "its scheme is dns, but CSI is spoken over unix sockets only"],
    ["", "it names no path"],
    ["unix://", "it names no path"],
    ["unix:", "it names no path"],
    ["unix://host/socket", "it names no path"],
    [`/${"x".repeat(107)}`, "a unix socket's path has at most 107 bytes, this one 108"],
    [`/${"é".repeat(60)}`, "a unix socket's path has at most 107 bytes, this one 121"],
  ])("%s is refused", (address, why) => {
    expect(() => socketPath(address)).toThrow(
      expect.objectContaining({ code: "CSI_ADDRESS_INVALID", message: expect.stringContaining(why) }),
    );
  });
});
