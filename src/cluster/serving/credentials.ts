/** The secrets of a data folder that are no certificates: the administrator's token, and the key that signs other tokens. */
import { type KeyObject, randomBytes } from "node:crypto";
import { OutgrowError } from "../../core/errors.ts";
import { createKey, readKey } from "../../kube/certificates/keys.ts";
import type { DataFolder } from "./data-folder.ts";
import { createFile, readPrivate } from "./files.ts";

export interface Credentials {
  /** Whoever has it may do everything. */
  readonly adminToken: string;
  /** Signs the tokens of service accounts: ECDSA over P-256, so ES256. */
  readonly serviceAccountKey: KeyObject;
}

const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

/**
 * The secrets of a data folder, those made first that are missing. Call it with the store open, whose lock keeps others out. Throws
 * `CREDENTIALS_DAMAGED`, naming the file, rather than replace one that tokens in use were made with.
 */
export function ensureCredentials({ adminToken, serviceAccountKey }: DataFolder): Credentials {
  const key = readPrivate(serviceAccountKey) ?? createFile(serviceAccountKey, createKey());
  return {
    adminToken: readToken(adminToken, readPrivate(adminToken) ?? createFile(adminToken, createToken())),
    serviceAccountKey: readKey(serviceAccountKey, key),
  };
}

function createToken(): string {
  return `${randomBytes(TOKEN_BYTES).toString("base64url")}\n`;
}

/** A token that was cut short could be guessed. */
function readToken(file: string, text: string): string {
  const token = text.trim();
  if (TOKEN.test(token)) return token;
  throw new OutgrowError(
    "CREDENTIALS_DAMAGED",
    `${file} is no token of ${TOKEN_BYTES} bytes in base64url; restore it from a copy, or remove it to have a new one made`,
  );
}
