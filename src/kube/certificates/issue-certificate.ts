/** Making certificates (RFC 5280). Node reads them and makes none. */
import { Buffer } from "node:buffer";
import { createHash, createPublicKey, type KeyObject, randomBytes, sign, X509Certificate } from "node:crypto";
import { addressBytes } from "./address-bytes.ts";
import * as der from "./der.ts";

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

const OID = {
  commonName: "2.5.4.3",
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
  subjectKeyIdentifier: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAltName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  authorityKeyIdentifier: "2.5.29.35",
  extendedKeyUsage: "2.5.29.37",
  serverAuth: "1.3.6.1.5.5.7.3.1",
} as const;

const SIGNATURE = der.sequence(der.oid(OID.ecdsaWithSha256));
const VERSION_3 = der.tagged(0, true, der.integer(Buffer.from([2])));
/** Uses of a key, bit 0 first: digitalSignature; keyCertSign (5) and cRLSign (6). */
const MAY_SIGN_DATA = der.bits(Buffer.from([0b1000_0000]), 7);
const MAY_SIGN_CERTIFICATES = der.bits(Buffer.from([0b0000_0110]), 1);

/**
 * A certificate of a P-256 key for itself, in PEM. Made anew from the same key under the same name it vouches for what the old one
 * vouched for: those who trust the old one need not be told.
 */
export function issueAuthority(commonName: string, key: KeyObject, validity: Validity): string {
  const name = nameOf(commonName);
  const extensions = [
    critical(OID.basicConstraints, der.sequence(der.yes(), der.integer(Buffer.from([0])))),
    critical(OID.keyUsage, MAY_SIGN_CERTIFICATES),
    extension(OID.subjectKeyIdentifier, der.octets(identifierOf(key))),
  ];
  return issue({ issuer: name, subject: name, key, validity, extensions }, key);
}

/** A certificate for a server under these names, in PEM, signed by an authority. Both keys are P-256. */
export function issueServer(names: ServerNames, key: KeyObject, authority: Authority, validity: Validity): string {
  const alternatives = [
    ...names.dns.map((name) => der.tagged(2, false, Buffer.from(name))),
    ...names.ip.map((address) => der.tagged(7, false, addressBytes(address))),
  ];
  const extensions = [
    critical(OID.basicConstraints, der.sequence()),
    critical(OID.keyUsage, MAY_SIGN_DATA),
    extension(OID.extendedKeyUsage, der.sequence(der.oid(OID.serverAuth))),
    extension(OID.subjectAltName, der.sequence(...alternatives)),
    // The key alone, not the authority's serial number, which changes when its certificate is made anew.
    extension(OID.authorityKeyIdentifier, der.sequence(der.tagged(0, false, identifierOf(authority.key)))),
    extension(OID.subjectKeyIdentifier, der.octets(identifierOf(key))),
  ];
  const issuer = subjectOf(authority.certificate);
  return issue({ issuer, subject: nameOf(names.commonName), key, validity, extensions }, authority.key);
}

interface Contents {
  readonly issuer: Uint8Array;
  readonly subject: Uint8Array;
  /** Whose public half is certified. */
  readonly key: KeyObject;
  readonly validity: Validity;
  readonly extensions: readonly Uint8Array[];
}

function issue({ issuer, subject, key, validity, extensions }: Contents, signingKey: KeyObject): string {
  const contents = der.sequence(
    VERSION_3,
    der.integer(randomBytes(16)),
    SIGNATURE,
    issuer,
    der.sequence(der.moment(validity.notBefore), der.moment(validity.notAfter)),
    subject,
    publicKeyOf(key),
    der.tagged(3, true, der.sequence(...extensions)),
  );
  const certificate = der.sequence(contents, SIGNATURE, der.bits(sign("sha256", contents, signingKey)));
  const lines = certificate.toString("base64").replaceAll(/.{64}(?=.)/g, "$&\n");
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

function nameOf(commonName: string): Buffer {
  return der.sequence(der.set(der.sequence(der.oid(OID.commonName), der.text(commonName))));
}

/** Byte by byte as it stands there: a name is compared that way. */
function subjectOf(certificate: string): Uint8Array {
  const [contents] = der.elementsIn(der.contentOf(new X509Certificate(certificate).raw));
  const fields = contents === undefined ? [] : der.elementsIn(der.contentOf(contents));
  // version, serial number, signature, issuer, validity, subject: a certificate that Node has read has them all.
  const subject = fields[5];
  if (subject === undefined) throw new RangeError("the authority's certificate has no subject");
  return subject;
}

function publicKeyOf(key: KeyObject): Buffer {
  return createPublicKey(key).export({ type: "spki", format: "der" });
}

/** What a key is called in certificates: a digest of its bits (RFC 5280, 4.2.1.2). */
function identifierOf(key: KeyObject): Buffer {
  const [, keyBits] = der.elementsIn(der.contentOf(publicKeyOf(key)));
  if (keyBits === undefined) throw new RangeError("the key has no bits");
  // The first byte of the content counts bits that are not used.
  return createHash("sha1").update(der.contentOf(keyBits).subarray(1)).digest();
}

function extension(id: string, value: Uint8Array): Buffer {
  return der.sequence(der.oid(id), der.octets(value));
}

/** Who does not know it must refuse the certificate. */
function critical(id: string, value: Uint8Array): Buffer {
  return der.sequence(der.oid(id), der.yes(), der.octets(value));
}
