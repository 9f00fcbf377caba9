/**
 * Who vouches for the server, and the server's own certificate. The authority is made once and stays, because kubeconfigs trust
 * it; the server's certificate is nobody's to keep and is made anew whenever it would not do.
 */
import { X509Certificate } from "node:crypto";
import { OutgrowError } from "../../core/errors.ts";
import {
  isGoodServer,
  isTimely,
  parseCertificate,
  type ServerPair,
  validFrom,
} from "../../kube/certificates/check-certificate.ts";
import {
  type Authority,
  issueAuthority,
  issueServer,
  type ServerNames,
} from "../../kube/certificates/issue-certificate.ts";
import { createKey, readKey } from "../../kube/certificates/keys.ts";
import type { DataFolder } from "./data-folder.ts";
import { createFile, readIfThere, readPrivate, replaceFile } from "./files.ts";

/** Names under which clients may know the server; the address is that of the Service `kubernetes`. */
export const SERVER_NAMES: ServerNames = {
  commonName: "kubernetes",
  dns: [
    "localhost",
    "kubernetes",
    "kubernetes.default",
    "kubernetes.default.svc",
    "kubernetes.default.svc.cluster.local",
  ],
  ip: ["127.0.0.1", "::1", "10.96.0.1"],
};

const DAY = 24 * 3_600_000;
const AUTHORITY_LIFE = 10 * 365 * DAY;
const SERVER_LIFE = 365 * DAY;
const AUTHORITY_NAME = "outgrow";

export interface ServerCertificate extends ServerPair {
  /** What clients must trust, in PEM. */
  readonly ca: string;
}

/**
 * The certificates of a data folder, those made first that are missing; `now` is in milliseconds since the epoch. Call it with the
 * store open, whose lock keeps others out. Throws `CREDENTIALS_DAMAGED`, naming the file, when the authority is not whole: nothing is
 * replaced then that a client may trust.
 */
export function ensureCertificates(folder: DataFolder, now: number): ServerCertificate {
  const authority = ensureAuthority(folder, now);
  const kept = readServer(folder, authority, now);
  return { ca: authority.certificate, ...(kept ?? renewServer(folder, authority, now)) };
}

function ensureAuthority(folder: DataFolder, now: number): Authority {
  const { caKey, caCertificate } = folder;
  const stored = readIfThere(caCertificate);
  const keyText = readPrivate(caKey);
  if (keyText === undefined && stored !== undefined) {
    throw new OutgrowError(
      "CREDENTIALS_DAMAGED",
      `${caKey} is missing, though ${caCertificate} is there; restore it, or move ${caCertificate} away to begin with a new authority, which every kubeconfig must then be told`,
    );
  }
  const key = readKey(caKey, keyText ?? createFile(caKey, createKey()));
  const certificate = stored ?? createFile(caCertificate, newAuthority(key, now));
  if (isTimely(checkAuthority(folder, certificate, key), now)) return { certificate, key };
  const renewed = newAuthority(key, now);
  replaceFile(caCertificate, renewed);
  return { certificate: renewed, key };
}

function newAuthority(key: Authority["key"], now: number): string {
  return issueAuthority(AUTHORITY_NAME, key, validFrom(now, now + AUTHORITY_LIFE));
}

function checkAuthority({ caKey, caCertificate }: DataFolder, text: string, key: Authority["key"]): X509Certificate {
  const certificate = parseCertificate(text);
  const wayOut = `restore it, or remove it: it is made anew from ${caKey}, and kubeconfigs stay good`;
  if (certificate === undefined) {
    throw new OutgrowError("CREDENTIALS_DAMAGED", `${caCertificate} is no certificate; ${wayOut}`);
  }
  if (!certificate.ca || !certificate.checkPrivateKey(key)) {
    throw new OutgrowError("CREDENTIALS_DAMAGED", `${caCertificate} is not the authority of ${caKey}; ${wayOut}`);
  }
  return certificate;
}

/** The server's certificate and key as they are stored, if they will do. */
function readServer(folder: DataFolder, authority: Authority, now: number): ServerPair | undefined {
  const cert = readIfThere(folder.serverCertificate);
  const key = readPrivate(folder.serverKey);
  if (cert === undefined || key === undefined) return undefined;
  return isGoodServer({ cert, key }, authority, SERVER_NAMES, now) ? { cert, key } : undefined;
}

function renewServer(folder: DataFolder, authority: Authority, now: number): ServerPair {
  const key = createKey();
  const end = Math.min(now + SERVER_LIFE, new X509Certificate(authority.certificate).validToDate.getTime());
  const cert = issueServer(SERVER_NAMES, readKey(folder.serverKey, key), authority, validFrom(now, end));
  replaceFile(folder.serverKey, key);
  replaceFile(folder.serverCertificate, cert);
  return { cert, key };
}
