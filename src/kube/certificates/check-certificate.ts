/** Whether a certificate will still do. */
import { X509Certificate } from "node:crypto";
import type { Authority, ServerNames, Validity } from "./issue-certificate.ts";
import { tryReadKey } from "./keys.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** With less than this left, a certificate is made anew. */
const RENEW_BEFORE = 30 * DAY;

/** The certificate of a PEM text; undefined when it is none. */
export function parseCertificate(text: string): X509Certificate | undefined {
  try {
    return new X509Certificate(text);
  } catch {
    return undefined;
  }
}

/** Valid at this moment (milliseconds since the epoch), and for a good while. */
export function isTimely({ validFromDate, validToDate }: X509Certificate, now: number): boolean {
  return validFromDate.getTime() <= now && now + RENEW_BEFORE < validToDate.getTime();
}

/** A certificate for a server, in PEM. */
export interface ServerPair {
  readonly cert: string;
  readonly key: string;
}

/** Whether a server can go on with what it has: whole, of this authority, for all names, and not about to expire. */
export function isGoodServer({ cert, key }: ServerPair, by: Authority, names: ServerNames, now: number): boolean {
  const certificate = parseCertificate(cert);
  const privateKey = tryReadKey(key);
  return (
    certificate !== undefined &&
    privateKey !== undefined &&
    certificate.checkPrivateKey(privateKey) &&
    isTimely(certificate, now) &&
    isIssuedBy(certificate, new X509Certificate(by.certificate)) &&
    isForAllNames(certificate, names)
  );
}

function isForAllNames(certificate: X509Certificate, names: Pick<ServerNames, "dns" | "ip">): boolean {
  return (
    names.dns.every((name) => certificate.checkHost(name, { subject: "never" }) !== undefined) &&
    names.ip.every((address) => certificate.checkIP(address) !== undefined)
  );
}

/** This authority has signed it. */
function isIssuedBy(certificate: X509Certificate, authority: X509Certificate): boolean {
  return certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
}

/** From now, with an hour of grace for clients whose clock is behind, to this end. */
export function validFrom(now: number, end: number): Validity {
  return { notBefore: new Date(now - HOUR), notAfter: new Date(end) };
}
