import { X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { isGoodServer } from "./check-certificate.ts";
import { issueAuthority, issueServer } from "./issue-certificate.ts";
import { createKey, readKey } from "./keys.ts";

const VALIDITY = { notBefore: new Date("2026-01-01T00:00:00Z"), notAfter: new Date("2060-01-01T12:34:56Z") };
const NAMES = { commonName: "größe", dns: ["localhost", "a.example"], ip: ["127.0.0.1", "2001:db8::1"] };
const NOON = Date.UTC(2026, 5, 1, 12);

const newKey = () => readKey("a key", createKey());

test("an authority may vouch for servers, and for nobody who vouches for others", () => {
  const key = newKey();
  const certificate = new X509Certificate(issueAuthority("outgrow", key, VALIDITY));
  expect(certificate.ca).toBe(true);
  expect(certificate.subject).toBe("CN=outgrow");
  expect(certificate.checkIssued(certificate)).toBe(true);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(certificate.checkPrivateKey(key)).toBe(true);
  expect([certificate.validFromDate, certificate.validToDate]).toEqual([VALIDITY.notBefore, VALIDITY.notAfter]);
  expect(BigInt(`0x${certificate.serialNumber}`)).toBeGreaterThan(0n);
});

test("a server has all its names, of whatever alphabet, and is of this authority and of no other", () => {
  const [by, other] = [newKey(), newKey()].map((key) => ({
    key,
    certificate: issueAuthority("outgrow", key, VALIDITY),
  }));
  if (by === undefined || other === undefined) throw new Error("there are two");
  const key = createKey();
  const cert = issueServer(NAMES, readKey("a key", key), by, VALIDITY);
  const certificate = new X509Certificate(cert);
  expect(certificate.ca).toBe(false);
  expect(certificate.subject).toBe("CN=größe");
  expect(certificate.subjectAltName).toBe(
    "DNS:localhost, DNS:a.example, IP Address:127.0.0.1, IP Address:2001:DB8:0:0:0:0:0:1",
  );
  expect(certificate.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
  expect(isGoodServer({ cert, key }, by, NAMES, NOON)).toBe(true);
  expect(isGoodServer({ cert, key }, other, NAMES, NOON)).toBe(false);
  expect(isGoodServer({ cert, key: createKey() }, by, NAMES, NOON)).toBe(false);
  expect(isGoodServer({ cert, key }, by, { ...NAMES, dns: ["b.example"] }, NOON)).toBe(false);
  expect(isGoodServer({ cert, key }, by, NAMES, VALIDITY.notAfter.getTime())).toBe(false);
});

test("an authority that is made anew from its key has the very same name, byte by byte", () => {
  const key = newKey();
  const [first, second] = [issueAuthority("outgrow", key, VALIDITY), issueAuthority("outgrow", key, VALIDITY)];
  const server = new X509Certificate(issueServer(NAMES, newKey(), { certificate: second, key }, VALIDITY));
  expect(server.checkIssued(new X509Certificate(first))).toBe(true);
  expect(first).not.toBe(second);
});
