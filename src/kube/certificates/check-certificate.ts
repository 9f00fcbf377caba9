/** Whether a certificate will still do. */
import { X509Certificate } from "node:crypto";
import type { ServerNames, Validity } from "./issue-certificate.ts";

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

/** A certificate for a server is good for every one of these names. */
export function isForAllNames(certificate: X509Certificate, names: Pick<ServerNames, "dns" | "ip">): boolean {
  return (
    names.dns.every((name) => certificate.checkHost(name, { subject: "never" }) !== undefined) &&
    names.ip.every((address) => certificate.checkIP(address) !== undefined)
  );
}

/** This authority has signed it. */
export function isIssuedBy(certificate: X509Certificate, authority: X509Certificate): boolean {
  return certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
}

/** From now, with an hour of grace for clients whose clock is behind, to this end. */
export function validFrom(now: number, end: number): Validity {
  return { notBefore: new Date(now - HOUR), notAfter: new Date(end) };
}
