/**
 * What an embedded cluster keeps on disk, all in one folder that is its owner's alone:
 *
 *     store.db              every object (the store's own files beside it)
 *     ca.crt, ca.key        who vouches for the server; kubeconfigs trust it
 *     server.crt, server.key
 *     service-account.key   signs the tokens of service accounts
 *     admin.token           whoever has it may do everything
 *     outgrow.kubeconfig    how to reach it, with that token
 */
import { chmodSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { OutgrowError } from "../../core/errors.ts";
import { naming } from "./files.ts";

export interface DataFolder {
  readonly path: string;
  readonly store: string;
  readonly caCertificate: string;
  readonly caKey: string;
  readonly serverCertificate: string;
  readonly serverKey: string;
  readonly serviceAccountKey: string;
  readonly adminToken: string;
  readonly kubeconfig: string;
}

const OWNER_ONLY = 0o700;
const OTHERS = 0o077;
const OTHERS_MAY_WRITE = 0o022;

/** Where the data of a user's programs lies (XDG base directories); undefined where even the home is not known. */
export function defaultDataFolder(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const { XDG_DATA_HOME: data, HOME: home } = env;
  // A relative path there is invalid and to be ignored, says the specification.
  if (data !== undefined && isAbsolute(data)) return join(data, "outgrow");
  return home ? join(home, ".local", "share", "outgrow") : undefined;
}

/**
 * The folder at this path, made when there is none. It becomes its owner's alone if it is new, empty or a data folder already; one
 * that others may write to and that has something else in it is refused, since they could put keys of theirs there. Throws
 * `FILE_UNUSABLE`.
 *
 * Two processes may call this at once. Which of them gets the cluster is decided by the lock of the store: open it first, and
 * read or make the credentials only then.
 */
export function openDataFolder(path: string): DataFolder {
  const folder = layout(resolve(path));
  naming(folder.path, "used as a folder for data", () => {
    mkdirSync(folder.path, { recursive: true, mode: OWNER_ONLY });
    const { mode } = statSync(folder.path);
    if ((mode & OTHERS) === 0) return;
    const names = readdirSync(folder.path);
    if (names.length === 0 || names.includes("store.db")) chmodSync(folder.path, OWNER_ONLY);
    else if ((mode & OTHERS_MAY_WRITE) !== 0) throw openToOthers(folder.path);
  });
  return folder;
}

function layout(path: string): DataFolder {
  return {
    path,
    store: join(path, "store.db"),
    caCertificate: join(path, "ca.crt"),
    caKey: join(path, "ca.key"),
    serverCertificate: join(path, "server.crt"),
    serverKey: join(path, "server.key"),
    serviceAccountKey: join(path, "service-account.key"),
    adminToken: join(path, "admin.token"),
    kubeconfig: join(path, "outgrow.kubeconfig"),
  };
}

function openToOthers(path: string): OutgrowError {
  return new OutgrowError(
    "FILE_UNUSABLE",
    `${path} is no folder of a cluster, and others may write to it; name an empty or a new one, or run chmod go-w on it`,
  );
}
