import { describe, expect, it } from "vitest";
import { proxyFor } from "./proxy.ts";

const PROXY = "http://proxy.example:3128";

describe("the proxy of the environment", () => {
  it.each([
    ["https://api.example", { HTTPS_PROXY: PROXY }, PROXY],
    ["https://api.example", { https_proxy: PROXY }, PROXY],
    ["https://api.example", { HTTPS_PROXY: "proxy.example:3128" }, PROXY],
    ["https://api.example", { HTTP_PROXY: PROXY }, undefined],
    ["http://api.example", { HTTP_PROXY: PROXY }, PROXY],
    ["https://api.example", {}, undefined],
    ["https://localhost:6443", { HTTPS_PROXY: PROXY }, undefined],
    ["https://127.0.0.1:6443", { HTTPS_PROXY: PROXY }, undefined],
    ["https://[::1]:6443", { HTTPS_PROXY: PROXY }, undefined],
  ])("for %s with %o is %s", (server, env, proxy) => {
    expect(proxyFor(server, env)).toBe(proxy);
  });

  it.each([
    ["*", "https://api.example", true],
    ["example", "https://api.example", true],
    [".example", "https://api.example", true],
    ["*.example", "https://api.example", true],
    [".api.example", "https://api.example", false],
    ["ample", "https://api.example", false],
    ["api.example:6443", "https://api.example:6443", true],
    ["api.example:6443", "https://api.example", false],
    ["api.example:443", "https://api.example", true],
    ["10.0.0.0/8", "https://10.1.2.3", true],
    ["10.0.0.0/8", "https://11.1.2.3", false],
    ["10.0.0.0/99", "https://10.1.2.3", false],
    ["fd00::/8", "https://[fd12::1]:6443", true],
    ["10.1.2.3", "https://10.1.2.3", true],
    [" other , API.example ", "https://api.example", true],
    ["", "https://api.example", false],
  ])("with NO_PROXY %j and server %s: direct is %s", (exceptions, server, direct) => {
    expect(proxyFor(server, { HTTPS_PROXY: PROXY, NO_PROXY: exceptions })).toBe(direct ? undefined : PROXY);
  });
});
