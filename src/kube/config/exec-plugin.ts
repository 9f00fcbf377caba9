/**
 * Credentials from a program (`users[].user.exec`): aws, gke-gcloud-auth-plugin, kubelogin and the like. It is run when
 * there is no credential, when the one it gave has expired, and when the server refuses it; never twice at the same
 * time. Follows k8s.io/client-go/plugin/pkg/client/auth/exec.
 */
import { spawn } from "node:child_process";
import { fromTimestamp } from "../../core/clock.ts";
import { messageOf } from "../../core/errors.ts";
import type { Timers } from "../timers.ts";
import type { Credential, Credentials } from "./credentials.ts";
import { asFields, at, invalid, type Place, text } from "./fields.ts";
import type { ClusterEntry, ExecEntry } from "./kubeconfig.ts";

export interface ExecOptions {
  readonly timers: Timers;
  /** The environment that the plugin inherits. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Somebody sits at a terminal and can answer the plugin's questions. */
  readonly interactive: boolean;
  /** What `provideClusterInfo` tells the plugin. */
  readonly cluster: Pick<ClusterEntry, "tlsServerName" | "insecure" | "proxyUrl" | "execConfig"> & {
    readonly server: string;
    readonly caData: Buffer | undefined;
  };
}

interface Held {
  readonly credential: Credential;
  /** Milliseconds since the epoch; undefined: until it is refused. */
  readonly expires: number | undefined;
}

export function execCredentials(exec: ExecEntry, place: Place, options: ExecOptions): Credentials {
  let held: Held | undefined;
  let running: Promise<Held> | undefined;

  async function renew(): Promise<Held> {
    try {
      held = readAnswer(await run(exec, place, options), exec, place);
      return held;
    } finally {
      running = undefined;
    }
  }

  return {
    async current(signal) {
      if (held !== undefined && (held.expires === undefined || held.expires > options.timers.now())) {
        return held.credential;
      }
      running ??= renew();
      return (await abortable(running, signal)).credential;
    },
    refused(credential) {
      // A later request may have brought a new one already; that one was not refused.
      if (held?.credential === credential) held = undefined;
      return true;
    },
  };
}

/** One waiter that gives up does not take the plugin away from the others. */
function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const aborted = (): void => reject(signal.reason);
    if (signal.aborted) aborted();
    signal.addEventListener("abort", aborted, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", aborted));
  });
}

function run(exec: ExecEntry, place: Place, options: ExecOptions): Promise<string> {
  const interactive = options.interactive && exec.interactiveMode !== "Never";
  if (exec.interactiveMode === "Always" && !interactive) {
    throw invalid(
      place,
      `the plugin ${exec.command} wants to ask at a terminal (interactiveMode: Always); there is none`,
    );
  }
  const info = {
    apiVersion: exec.apiVersion,
    kind: "ExecCredential",
    spec: { interactive, ...(exec.provideClusterInfo ? { cluster: clusterInfo(options) } : {}) },
  };
  const env = {
    ...options.env,
    ...Object.fromEntries(exec.env.map(({ name, value }) => [name, value])),
    KUBERNETES_EXEC_INFO: JSON.stringify(info),
  };
  return new Promise((resolve, reject) => {
    const child = spawn(exec.command, exec.args, {
      env,
      stdio: [interactive ? "inherit" : "ignore", "pipe", "inherit"],
    });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.on("error", (error) => reject(failed(exec, place, `cannot be run: ${messageOf(error)}`, error)));
    child.on("close", (code, killed) => {
      if (code === 0) resolve(Buffer.concat(chunks).toString("utf8"));
      else reject(failed(exec, place, killed === null ? `ended with exit code ${code}` : `was ended by ${killed}`));
    });
  });
}

function failed(exec: ExecEntry, place: Place, what: string, cause?: unknown): Error {
  const hint = exec.installHint === undefined ? "" : `\n${exec.installHint}`;
  return invalid(place, `the credential plugin ${exec.command} ${what}${hint}`, cause);
}

function clusterInfo({ cluster }: ExecOptions): Record<string, unknown> {
  return {
    server: cluster.server,
    ...(cluster.tlsServerName === undefined ? {} : { "tls-server-name": cluster.tlsServerName }),
    ...(cluster.insecure ? { "insecure-skip-tls-verify": true } : {}),
    ...(cluster.caData === undefined ? {} : { "certificate-authority-data": cluster.caData.toString("base64") }),
    ...(cluster.proxyUrl === undefined ? {} : { "proxy-url": cluster.proxyUrl }),
    ...(cluster.execConfig === undefined ? {} : { config: cluster.execConfig }),
  };
}

function readAnswer(output: string, exec: ExecEntry, place: Place): Held {
  const here = { file: place.file, path: `${place.path} (answer of ${exec.command})` };
  let answer: unknown;
  try {
    answer = JSON.parse(output);
  } catch (error) {
    throw invalid(here, "not readable as JSON", error);
  }
  const fields = asFields(answer, here);
  const apiVersion = text(fields, "apiVersion", here);
  if (apiVersion !== exec.apiVersion) {
    throw invalid(at(here, "apiVersion"), `expected ${exec.apiVersion}, found ${apiVersion ?? "nothing"}`);
  }
  const status = asFields(fields["status"], at(here, "status"));
  const token = text(status, "token", at(here, "status"));
  const cert = text(status, "clientCertificateData", at(here, "status"));
  const key = text(status, "clientKeyData", at(here, "status"));
  if ((cert === undefined) !== (key === undefined)) {
    throw invalid(at(here, "status"), "clientCertificateData and clientKeyData must come together");
  }
  if (token === undefined && cert === undefined) throw invalid(at(here, "status"), "neither a token nor a certificate");
  return {
    credential: {
      authorization: token === undefined ? undefined : `Bearer ${token}`,
      certificate:
        cert === undefined || key === undefined ? undefined : { cert: Buffer.from(cert), key: Buffer.from(key) },
    },
    expires: fromTimestamp(text(status, "expirationTimestamp", at(here, "status"))),
  };
}
