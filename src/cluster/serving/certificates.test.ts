import { spawnSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createKey } from "../../kube/certificates/keys.ts";
import { hasOpenssl } from "../../kube/testing/certificates.ts";
import { type TemporaryFolder, temporaryFolder } from "../store/testing/temporary-folder.ts";
import { ensureCertificates, SERVER_NAMES, type ServerCertificate } from "./certificates.ts";
import { type DataFolder, openDataFolder } from "./data-folder.ts";

const DAY = 24 * 3_600_000;
const NOW = Date.UTC(2026, 0, 1);

interface Made extends Disposable {
  readonly folder: DataFolder;
  readonly first: ServerCertificate;
}

function made(): Made {
  const temporary: TemporaryFolder = temporaryFolder();
  const folder = openDataFolder(temporary.path);
  return { folder, first: ensureCertificates(folder, NOW), [Symbol.dispose]: temporary[Symbol.dispose] };
}

test("a second start finds what the first has made", () => {
  using cluster = made();
  expect(ensureCertificates(cluster.folder, NOW)).toEqual(cluster.first);
});

test("the authority vouches for itself, for ten years", () => {
  using cluster = made();
  const authority = new X509Certificate(cluster.first.ca);
  expect(authority.ca).toBe(true);
  expect(authority.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: "prime256v1" });
  expect(authority.validToDate.getTime() - NOW).toBe(3650 * DAY);
  expect(authority.verify(authority.publicKey)).toBe(true);
});

test("the server's certificate is for every name under which it is known", () => {
  using cluster = made();
  const server = new X509Certificate(cluster.first.cert);
  expect(server.ca).toBe(false);
  expect(server.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
  for (const name of SERVER_NAMES.dns) expect(server.checkHost(name)).toBe(name);
  for (const address of SERVER_NAMES.ip) expect(server.checkIP(address)).toBe(address);
  expect(server.checkHost("example.com")).toBeUndefined();
});

test.runIf(hasOpenssl)("openssl takes the chain, at its strictest", () => {
  using cluster = made();
  const { caCertificate, serverCertificate } = cluster.folder;
  const at = ["-attime", String(NOW / 1000), "-purpose", "sslserver", "-x509_strict", "-verify_hostname", "localhost"];
  const { stdout, stderr } = spawnSync("openssl", ["verify", ...at, "-CAfile", caCertificate, serverCertificate], {
    encoding: "utf8",
  });
  expect(stdout + stderr).toBe(`${serverCertificate}: OK\n`);
});

describe("the server's certificate is made anew by the same authority", () => {
  test.each([
    ["29 days before it ends", NOW + 336 * DAY, () => {}],
    ["when the clock says that it has not begun", NOW - DAY, () => {}],
    ["when it is gone", NOW, ({ serverCertificate }: DataFolder) => rmSync(serverCertificate)],
    ["when its key is gone", NOW, ({ serverKey }: DataFolder) => rmSync(serverKey)],
    ["when it is cut short", NOW, ({ serverCertificate }: DataFolder) => truncateSync(serverCertificate, 100)],
    ["when its key is cut short", NOW, ({ serverKey }: DataFolder) => truncateSync(serverKey, 100)],
    ["when its key is another", NOW, ({ serverKey }: DataFolder) => writeFileSync(serverKey, createKey())],
    [
      "when it is somebody else's",
      NOW,
      ({ serverCertificate, caCertificate }: DataFolder) =>
        writeFileSync(serverCertificate, readFileSync(caCertificate)),
    ],
  ])("%s", (_, now, damage) => {
    using cluster = made();
    const { folder, first } = cluster;
    damage(folder);
    const second = ensureCertificates(folder, now);
    expect(second.cert).not.toBe(first.cert);
    const server = new X509Certificate(second.cert);
    expect(server.verify(new X509Certificate(first.ca).publicKey)).toBe(true);
    expect(server.checkIssued(new X509Certificate(first.ca))).toBe(true);
    expect(server.validFromDate.getTime()).toBeLessThanOrEqual(now);
    expect(ensureCertificates(folder, now)).toEqual(second);
  });

  test("but not 31 days before", () => {
    using cluster = made();
    expect(ensureCertificates(cluster.folder, NOW + 334 * DAY)).toEqual(cluster.first);
  });

  test("when it is of another authority", () => {
    using cluster = made();
    using other = made();
    writeFileSync(cluster.folder.serverCertificate, other.first.cert);
    writeFileSync(cluster.folder.serverKey, other.first.key);
    const second = ensureCertificates(cluster.folder, NOW);
    expect(second.ca).toBe(cluster.first.ca);
    expect(new X509Certificate(second.cert).verify(new X509Certificate(cluster.first.ca).publicKey)).toBe(true);
  });

  test("and never outlives it", () => {
    using cluster = made();
    const late = NOW + 3500 * DAY;
    const { ca, cert } = ensureCertificates(cluster.folder, late);
    expect(ca).toBe(cluster.first.ca);
    expect(new X509Certificate(cert).validToDate).toEqual(new X509Certificate(ca).validToDate);
  });
});

describe("an authority keeps its key for life", () => {
  test.each([
    ["its certificate is gone", NOW, ({ caCertificate }: DataFolder) => rmSync(caCertificate)],
    ["its certificate is about to end", NOW + 3640 * DAY, () => {}],
  ])("when %s, those who trust the old one go on", (_, now, damage) => {
    using cluster = made();
    damage(cluster.folder);
    const second = ensureCertificates(cluster.folder, now);
    expect(second.ca).not.toBe(cluster.first.ca);
    const trusted = new X509Certificate(cluster.first.ca);
    const server = new X509Certificate(second.cert);
    expect(server.checkIssued(trusted) && server.verify(trusted.publicKey)).toBe(true);
  });

  test.each([
    ["caKey", "is gone", (file: string) => rmSync(file)],
    ["caKey", "is cut short", (file: string) => truncateSync(file, 100)],
    ["caKey", "is empty", (file: string) => truncateSync(file, 0)],
    ["caCertificate", "is cut short", (file: string) => truncateSync(file, 100)],
    ["caCertificate", "is empty", (file: string) => truncateSync(file, 0)],
  ] as const)("%s that %s is named, and nothing is replaced", (name, _, damage) => {
    using cluster = made();
    const { folder } = cluster;
    damage(folder[name]);
    const files = [folder.caCertificate, folder.serverCertificate, folder.serverKey];
    const before = files.map((file) => readFileSync(file, "utf8"));
    expect(() => ensureCertificates(folder, NOW)).toThrow(
      expect.objectContaining({
        code: "CREDENTIALS_DAMAGED",
        message: expect.stringContaining(folder[name]) as string,
      }),
    );
    expect(files.map((file) => readFileSync(file, "utf8"))).toEqual(before);
  });

  test("a certificate of another is not taken for its own", () => {
    using cluster = made();
    using other = made();
    writeFileSync(cluster.folder.caCertificate, other.first.ca);
    expect(() => ensureCertificates(cluster.folder, NOW)).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(/ca\.crt is not the authority of .*ca\.key/) as string,
      }),
    );
  });
});
