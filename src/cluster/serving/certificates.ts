/**
 * Who vouches for the server, and the server's own certificate. The authority is made once and stays, because kubeconfigs trust
 * it; the server's certificate is nobody's to keep and is made anew whenever it would not do.
 */
import { X509Certificate } from "node:crypto";
import { OutgrowError } from "../../core/errors.ts";
import {
  isForAllNames,
  isIssuedBy,
  isTimely,
  parseCertificate,
  validFrom,
} from "../../kube/certificates/check-certificate.ts";
import type { Authority, ServerNames } from "../../kube/certificates/issue-certificate.ts";
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

export interface ServerCertificate {
  /** What clients must trust, in PEM. */
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/**
 * The certificates of a data folder, those made first that are missing; `now` is in milliseconds since the epoch. Call it with the
 * store open, whose lock keeps others out. Throws `CREDENTIALS_DAMAGED`, naming the file, when the authority is not whole: nothing is
 * replaced then that a client may trust.
 */
export async function ensureCertificates(folder: DataFolder, now: number): Promise<ServerCertificate> {
  const authority = await ensureAuthority(folder, now);
  const kept = readServer(folder, authority.certificate, now);
  return { ca: authority.certificate, ...(kept ?? (await renewServer(folder, authority, now))) };
}

async function ensureAuthority(folder: DataFolder, now: number): Promise<Authority> {
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
  const certificate = stored ?? createFile(caCertificate, await issueAuthority(key, now));
  if (isTimely(checkAuthority(folder, certificate, key), now)) return { certificate, key };
  const renewed = await issueAuthority(key, now);
  replaceFile(caCertificate, renewed);
  return { certificate: renewed, key };
}

async function issueAuthority(key: Authority["key"], now: number): Promise<string> {
  const issuing = await import("../../kube/certificates/issue-certificate.ts");
  return issuing.issueAuthority(AUTHORITY_NAME, key, validFrom(now, now + AUTHORITY_LIFE));
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

/** The server's certificate and key as they are stored, if they will do: whole, of this authority, for all names, and not about to expire. */
function readServer(folder: DataFolder, ca: string, now: number): Pick<ServerCertificate, "cert" | "key"> | undefined {
  const cert = readIfThere(folder.serverCertificate);
  const keyText = readPrivate(folder.serverKey);
  if (cert === undefined || keyText === undefined) return undefined;
  const certificate = parseCertificate(cert);
  if (certificate === undefined || !isTimely(certificate, now)) return undefined;
  if (!isIssuedBy(certificate, new X509Certificate(ca)) || !isForAllNames(certificate, SERVER_NAMES)) return undefined;
  try {
    return certificate.checkPrivateKey(readKey(folder.serverKey, keyText)) ? { cert, key: keyText } : undefined;
  } catch (error) {
    if (error instanceof OutgrowError) return undefined;
    throw error;
  }
}

async function renewServer(
  folder: DataFolder,
  authority: Authority,
  now: number,
): Promise<Pick<ServerCertificate, "cert" | "key">> {
  const { issueServer } = await import("../../kube/certificates/issue-certificate.ts");
  const key = createKey();
  const end = Math.min(now + SERVER_LIFE, new X509Certificate(authority.certificate).validToDate.getTime());
  const cert = await issueServer(SERVER_NAMES, readKey(folder.serverKey, key), authority, validFrom(now, end));
  replaceFile(folder.serverKey, key);
  replaceFile(folder.serverCertificate, cert);
  return { cert, key };
}
