/**
 * Making certificates. This file is imported at run time, only when one has to be made: what it stands on takes longer to load
 * than everything else that a server needs to start.
 */
import "reflect-metadata"; // First: the next one looks for it while it is loaded.
import { createPublicKey, type KeyObject, type webcrypto } from "node:crypto";
import * as x509 from "@peculiar/x509";

const CURVE = { name: "ECDSA", namedCurve: "P-256" };
const SIGNATURE = { name: "ECDSA", hash: "SHA-256" };

export interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

export interface Authority {
  /** In PEM. */
  readonly certificate: string;
  readonly key: KeyObject;
}

export interface ServerNames {
  /** Whose certificate it is, for people. */
  readonly commonName: string;
  readonly dns: readonly string[];
  readonly ip: readonly string[];
}

/**
 * A certificate of a P-256 key for itself, in PEM. Made anew from the same key under the same name it vouches for what the old one
 * vouched for: those who trust the old one need not be told.
 */
export async function issueAuthority(commonName: string, key: KeyObject, validity: Validity): Promise<string> {
  const keys = { privateKey: toPrivate(key), publicKey: toPublic(key) };
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [commonName] }],
    ...validity,
    keys,
    signingAlgorithm: SIGNATURE,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return `${certificate.toString("pem")}\n`;
}

/** A certificate for a server under these names, in PEM, signed by an authority. Both keys are P-256. */
export async function issueServer(
  names: ServerNames,
  key: KeyObject,
  authority: Authority,
  validity: Validity,
): Promise<string> {
  const publicKey = toPublic(key);
  const certificate = await x509.X509CertificateGenerator.create({
    subject: [{ CN: [names.commonName] }],
    issuer: new x509.X509Certificate(authority.certificate).subjectName,
    ...validity,
    publicKey,
    signingKey: toPrivate(authority.key),
    signingAlgorithm: SIGNATURE,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([
        ...names.dns.map((value) => ({ type: "dns" as const, value })),
        ...names.ip.map((value) => ({ type: "ip" as const, value })),
      ]),
      // The key alone, not the authority's serial number, which changes when its certificate is made anew.
      await x509.AuthorityKeyIdentifierExtension.create(toPublic(authority.key)),
      await x509.SubjectKeyIdentifierExtension.create(publicKey),
    ],
  });
  return `${certificate.toString("pem")}\n`;
}

function toPrivate(key: KeyObject): webcrypto.CryptoKey {
  return key.toCryptoKey(CURVE, false, ["sign"]);
}

function toPublic(key: KeyObject): webcrypto.CryptoKey {
  return createPublicKey(key).toCryptoKey(CURVE, true, ["verify"]);
}
