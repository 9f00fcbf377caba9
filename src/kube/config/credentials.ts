/**
 * Who we are to the API server, now. Credentials change while we run: token files are rotated, plugins give tokens that
 * expire, certificates are renewed. So they are asked for before every request, and told when one was refused.
 */
import { readFile } from "node:fs/promises";
import { messageOf } from "../../core/errors.ts";
import { KubeError } from "../kube-error.ts";
import type { Timers } from "../timers.ts";

export interface Credential {
  /** The value of the Authorization header. */
  readonly authorization: string | undefined;
  /** A client certificate in PEM. Two credentials with an equal pair share connections. */
  readonly certificate: Certificate | undefined;
}

export interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

export interface Credentials {
  /** What to send with the next request. Throws `ConfigInvalid` when there is nothing usable. */
  current(signal?: AbortSignal): Promise<Credential>;
  /**
   * The server answered 401 to this one. True when the next `current` may bring something else, so that the request is
   * worth one more attempt.
   */
  refused(credential: Credential): boolean;
}

/** The same for as long as we run. */
export function fixedCredentials(credential: Partial<Credential> = {}): Credentials {
  const fixed: Credential = { authorization: credential.authorization, certificate: credential.certificate };
  return { current: async () => fixed, refused: () => false };
}

export function basicAuthorization(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

/** How long what was read from a file is taken as it was: kubelet rotates tokens long before they expire. */
const FILE_CACHE = 60_000;

export interface CredentialFiles {
  readonly tokenFile?: string | undefined;
  readonly certificateFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

/**
 * Reads the files again once a minute, and at once when the server refuses what they held. A file that cannot be read
 * later leaves the last contents in use; the first reading must succeed.
 */
export function fileCredentials(files: CredentialFiles, fallback: Credential, timers: Timers): Credentials {
  let cached: Credential | undefined;
  let readAt = Number.NEGATIVE_INFINITY;

  async function read(): Promise<Credential> {
    const { tokenFile, certificateFile, keyFile } = files;
    const token = tokenFile === undefined ? undefined : (await readOrExplain(tokenFile)).toString("utf8").trim();
    if (token === "") throw new KubeError("ConfigInvalid", `${tokenFile}: the token file is empty`);
    let { certificate } = fallback;
    if (certificateFile !== undefined || keyFile !== undefined) {
      certificate = {
        cert:
          certificateFile === undefined ? (certificate?.cert ?? Buffer.alloc(0)) : await readOrExplain(certificateFile),
        key: keyFile === undefined ? (certificate?.key ?? Buffer.alloc(0)) : await readOrExplain(keyFile),
      };
    }
    return { authorization: token === undefined ? fallback.authorization : `Bearer ${token}`, certificate };
  }

  return {
    async current() {
      if (cached !== undefined && timers.elapsed() - readAt < FILE_CACHE) return cached;
      try {
        cached = await read();
      } catch (error) {
        if (cached === undefined) throw error;
      }
      readAt = timers.elapsed();
      return cached;
    },
    refused(credential) {
      if (credential === cached) readAt = Number.NEGATIVE_INFINITY;
      return true;
    },
  };
}

/** The contents of a file that the configuration names. */
export async function readOrExplain(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new KubeError("ConfigInvalid", `${file}: cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
