import { X509Certificate } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createKey } from "../../kube/certificates/keys.ts";
import { type Certificates, ensureGood, webhookNames } from "./certificates.ts";

const DAY = 24 * 3_600_000;
const NOW = Date.UTC(2026, 0, 1);
const NAMES = webhookNames("outgrow-system");
const first = ensureGood(undefined, NAMES, NOW);

const signs = (ca: string, cert: string) => new X509Certificate(cert).verify(new X509Certificate(ca).publicKey);

test("the certificate is for the Service, and for this machine", () => {
  const certificate = new X509Certificate(first.cert);
  expect(certificate.checkHost("outgrow-webhook.outgrow-system.svc", { subject: "never" })).toBeDefined();
  expect(certificate.checkIP("127.0.0.1")).toBeDefined();
  expect(certificate.checkHost("outgrow-webhook.other.svc", { subject: "never" })).toBeUndefined();
  expect(signs(first.ca, first.cert)).toBe(true);
});

test("what will do is left as it is", () => {
  expect(ensureGood(first, NAMES, NOW + 59 * DAY)).toBe(first);
});

test("thirty days before it ends the certificate is made anew, and the authority stays", () => {
  const next = ensureGood(first, NAMES, NOW + 61 * DAY);
  expect(next.cert).not.toBe(first.cert);
  expect([next.ca, next.caKey]).toEqual([first.ca, first.caKey]);
});

test("before the authority ends it is made anew from its key: who trusts the old one trusts the new certificate", () => {
  const next = ensureGood(first, NAMES, NOW + 3_630 * DAY);
  expect(next.ca).not.toBe(first.ca);
  expect(next.caKey).toBe(first.caKey);
  expect(signs(first.ca, next.cert)).toBe(true);
});

test("in another namespace it is another certificate", () => {
  const next = ensureGood(first, webhookNames("other"), NOW);
  expect(next.cert).not.toBe(first.cert);
  expect(next.ca).toBe(first.ca);
});

describe("what is damaged is replaced", () => {
  test.each<[string, Partial<Certificates>, boolean]>([
    ["a certificate", { cert: "" }, true],
    ["a key", { key: "garbled" }, true],
    ["a key of somebody else", { key: createKey() }, true],
    ["the authority's certificate", { ca: "" }, true],
    ["the authority's key", { caKey: "garbled" }, false],
    ["an authority of another key", { caKey: createKey() }, false],
  ])("%s", (_, damage, sameAuthority) => {
    const damaged = { ...first, ...damage };
    const mended = ensureGood(damaged, NAMES, NOW);
    expect(ensureGood(mended, NAMES, NOW)).toBe(mended);
    expect(signs(mended.ca, mended.cert)).toBe(true);
    expect(signs(first.ca, mended.cert)).toBe(sameAuthority);
  });
});
