import { describe, expect, test } from "vitest";
import { postFailed, replyFailed } from "./go-words.ts";

const url = new URL("https://127.0.0.1:9443/check?timeout=10s");
const call = { url, shown: url.href, body: "", ca: undefined };
const failed = (details: object) => Object.assign(new Error("as Node says it"), details);

describe("a call that failed", () => {
  test.each([
    [{ code: "ECONNREFUSED" }, "dial tcp 127.0.0.1:9443: connect: connection refused"],
    [{ code: "ENOTFOUND" }, "dial tcp: lookup 127.0.0.1: no such host"],
    [{ name: "TimeoutError" }, "context deadline exceeded"],
    [{ code: "UND_ERR_SOCKET" }, "EOF"],
    [
      { code: "SELF_SIGNED_CERT_IN_CHAIN" },
      "tls: failed to verify certificate: x509: certificate signed by unknown authority",
    ],
    [
      { code: "ERR_TLS_CERT_ALTNAME_INVALID", cert: { subjectaltname: "DNS:a, IP Address:127.0.0.2" } },
      "tls: failed to verify certificate: x509: certificate is valid for 127.0.0.2, not 127.0.0.1",
    ],
    [
      { code: "ERR_TLS_CERT_ALTNAME_INVALID", cert: { subjectaltname: "DNS:a" } },
      "tls: failed to verify certificate: x509: cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs",
    ],
    [{ code: "ERR_SSL_WRONG_VERSION_NUMBER" }, "http: server gave HTTP response to HTTPS client"],
    [{ code: "EUNHEARDOF" }, "as Node says it"],
  ])("%j", (details, expected) => {
    expect(postFailed(call, failed(details))).toBe(`Post "https://127.0.0.1:9443/check?timeout=10s": ${expected}`);
  });

  test("on the way to a Service names where it was", () => {
    const service = new URL("https://hook.prod.svc/check");
    const reached = { ...call, url: service, shown: service.href, address: { host: "10.0.0.7", port: 8443 } };
    expect(postFailed(reached, failed({ code: "ECONNREFUSED" }))).toContain("dial tcp 10.0.0.7:8443: connect:");
  });
});

describe("a reply", () => {
  test.each([
    [200, "application/json", "{}", undefined],
    [200, "", "", "0-length response with status code: 200 and content type: application/json"],
    [404, "text/plain", "x", "the server could not find the requested resource"],
    [500, "text/plain", " it broke\n", 'an error on the server ("it broke") has prevented the request from succeeding'],
    [500, "application/json", "{}", 'an error on the server ("unknown") has prevented the request from succeeding'],
    [403, "text/html", "no entry", "no entry"],
    [418, "", "x", "the server responded with the status code 418 but did not return more information"],
  ])("%i %s %j", (status, contentType, body, expected) => {
    expect(replyFailed({ status, contentType, body })).toBe(expected);
  });
});
