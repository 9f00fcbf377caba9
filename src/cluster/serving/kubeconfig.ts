/**
 * How clients are told of the cluster: a kubeconfig of its own, and on request three entries in the user's. All are named
 * `outgrow`.
 */
import { closeSync, mkdirSync, openSync, realpathSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { stringify } from "yaml";
import { OutgrowError } from "../../core/errors.ts";
import { isSystemError, naming, readIfThere, replaceFile } from "./files.ts";
import { type Entries, mergeEntries } from "./kubeconfig-merge.ts";

export const ENTRY_NAME = "outgrow";

/** What a client needs to reach the cluster. */
export interface Access {
  /** `https://127.0.0.1:6443` */
  readonly server: string;
  /** Certificate of the authority that vouches for the server, in PEM. */
  readonly ca: string;
  readonly token: string;
}

/** Writes a whole kubeconfig, over whatever is there; only its owner may read it. Throws `FILE_UNUSABLE`. */
export function writeKubeconfig(file: string, access: Access): void {
  replaceFile(file, freshKubeconfig(access));
}

export interface MergeOptions {
  /** Whether kubectl should talk to this cluster from now on, without being told. */
  readonly makeCurrent: boolean;
}

/**
 * Puts the three entries into a kubeconfig that may have others, which stay as they are, with their comments; so does the current
 * context, unless told. A missing file is made. Throws `INPUT_UNREADABLE` for a file that is no kubeconfig and `FILE_UNUSABLE`
 * when it cannot be written; it is untouched then.
 */
export function mergeKubeconfig(file: string, access: Access, options: MergeOptions): void {
  const target = naming(file, "made", () => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    return followLinks(file);
  });
  whileLocked(target, () => {
    const text = readIfThere(target);
    if (text === undefined || text.trim() === "") {
      replaceFile(target, freshKubeconfig(access, options.makeCurrent));
      return;
    }
    // Under sudo the file stays the user's.
    const { uid, gid } = statSync(target);
    replaceFile(target, mergeEntries(file, text, entriesFor(access), options.makeCurrent), { uid, gid });
  });
}

function freshKubeconfig(access: Access, makeCurrent = true): string {
  const { clusters, users, contexts } = entriesFor(access);
  const current = makeCurrent ? { "current-context": ENTRY_NAME } : {};
  const config = { clusters: [clusters], users: [users], contexts: [contexts], ...current };
  return stringify({ apiVersion: "v1", kind: "Config", ...config }, { lineWidth: 0 });
}

function entriesFor({ server, ca, token }: Access): Entries {
  const data = Buffer.from(ca).toString("base64");
  return {
    clusters: { name: ENTRY_NAME, cluster: { server, "certificate-authority-data": data } },
    users: { name: ENTRY_NAME, user: { token } },
    contexts: { name: ENTRY_NAME, context: { cluster: ENTRY_NAME, user: ENTRY_NAME } },
  };
}

/** Many keep their kubeconfig elsewhere and have a link to it: the link stays one. */
function followLinks(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return file;
    throw error;
  }
}

/** With the lock that `kubectl config` takes (client-go/tools/clientcmd/loader.go): no change of somebody else's gets lost. */
function whileLocked(file: string, work: () => void): void {
  const lock = `${file}.lock`;
  naming(lock, "made", () => {
    try {
      closeSync(openSync(lock, "wx", 0o600));
    } catch (error) {
      if (!isSystemError(error, "EEXIST")) throw error;
      throw new OutgrowError(
        "INPUT_UNREADABLE",
        `${file} is being changed by another program, which has ${lock}; try again, or remove that if there is none`,
      );
    }
  });
  try {
    work();
  } finally {
    rmSync(lock, { force: true });
  }
}
