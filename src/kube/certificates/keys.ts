/** Private keys: ECDSA over P-256, as PEM. */
import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { OutgrowError } from "../../core/errors.ts";

/** A new key, in PEM. */
export function createKey(): string {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

/** Reads what `createKey` made; `file` is where it came from. Throws `CREDENTIALS_DAMAGED`. */
export function readKey(file: string, pem: string): KeyObject {
  const key = tryReadKey(pem);
  if (key !== undefined) return key;
  throw new OutgrowError(
    "CREDENTIALS_DAMAGED",
    `${file} is no ECDSA key over P-256; restore it from a copy, or move it away to have a new one made`,
  );
}

/** Like `readKey`, for those who can do without: undefined for what is no such key. */
export function tryReadKey(pem: string): KeyObject | undefined {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyDetails?.namedCurve === "prime256v1" ? key : undefined;
  } catch {
    return undefined;
  }
}
