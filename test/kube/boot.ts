/** Brings the programs of a control plane up, in order, each when the one before it is ready. */
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { messageOf } from "../../src/core/errors.ts";
import { type Api, openApi } from "./api.ts";
import { AUDIT_POLICY } from "./audit.ts";
import { makeSigningKey, makeToken, tokenFile, type UserSpec, writeKubeconfig } from "./credentials.ts";
import type { Keeper, Kept } from "./keeper.ts";
import type { ProgramName } from "./kube-module.ts";
import type { ControlPlaneOptions } from "./options.ts";
import { apiserverArgs, controllerManagerArgs, etcdArgs, type Layout } from "./programs.ts";
import { waitFor } from "./wait.ts";

export const ADMIN = "outgrow-test-admin";
const MANAGER = "system:kube-controller-manager";
const READY_TIMEOUT = 180_000;
const PORT_ATTEMPTS = 5;

/** An API server that is ready, and the API as the administrator. */
interface Server {
  readonly url: string;
  readonly ca: string;
  readonly api: Api;
}

export interface Booted extends Server {
  /** Tokens by the name of their user. */
  readonly tokens: ReadonlyMap<string, string>;
  readonly processes: ReadonlyMap<ProgramName, Kept>;
}

type Run = (name: ProgramName, args: readonly string[]) => Promise<Kept>;

/**
 * Starts all programs of `assets` under `keeper`. Throws with the end of the log of the one that failed; the caller then
 * stops the keeper. `pickPort` proposes a port for the API server; one that somebody else took meanwhile is no harm.
 */
export async function boot(
  assets: string,
  files: Layout,
  keeper: Keeper,
  options: ControlPlaneOptions,
  pickPort: () => Promise<number> = freePort,
): Promise<Booted> {
  const processes = new Map<ProgramName, Kept>();
  const run: Run = async (name, args) => {
    const kept = await keeper.start({ command: join(assets, name), args, log: files.log(name) });
    processes.set(name, kept);
    return kept;
  };
  const tokens = await prepareFiles(files, options.users ?? []);

  const etcd = await run("etcd", etcdArgs(files, options));
  await untilReady("etcd", etcd, files, () => existsSync(files.etcdSocket));

  const server = await startApiserver(run, files, options, tokens.get(ADMIN) ?? "", pickPort);

  const controllers = options.controllers ?? ["*"];
  if (controllers.length > 0) {
    const kubeconfig = files.kubeconfig(MANAGER);
    await writeKubeconfig(kubeconfig, server, tokens.get(MANAGER) ?? "");
    await run("kube-controller-manager", controllerManagerArgs(files, kubeconfig, controllers, options));
  }
  return { ...server, tokens, processes };
}

/** Writes what the programs read at their start, and gives back the tokens of all users. */
async function prepareFiles(files: Layout, more: readonly UserSpec[]): Promise<ReadonlyMap<string, string>> {
  const masters = ["system:masters"];
  const users = [{ name: ADMIN, groups: masters }, { name: MANAGER, groups: masters }, ...more];
  const accounts = users.map((user) => ({ ...user, token: makeToken() }));
  const key = makeSigningKey();
  const secret = { mode: 0o600 };
  await writeFile(files.tokens, tokenFile(accounts), secret);
  await writeFile(files.signingKey, key.privateKey, secret);
  await writeFile(files.verifyingKey, key.publicKey);
  await writeFile(files.auditPolicy, AUDIT_POLICY);
  await writeFile(files.auditLog, "");
  return new Map(accounts.map(({ name, token }) => [name, token]));
}

async function startApiserver(
  run: Run,
  files: Layout,
  options: ControlPlaneOptions,
  token: string,
  pickPort: () => Promise<number>,
): Promise<Server> {
  for (let attempt = 1; ; attempt++) {
    const port = await pickPort();
    const url = `https://127.0.0.1:${port}`;
    const apiserver = await run("kube-apiserver", apiserverArgs(files, port, options));
    try {
      return await untilReady("kube-apiserver", apiserver, files, () => connect(url, files, token));
    } catch (error) {
      const lostPort = logTail(files, "kube-apiserver").includes("address already in use");
      if (!lostPort || attempt === PORT_ATTEMPTS) throw error;
    }
  }
}

/** The API once it is ready; undefined before that. Readiness includes the roles that RBAC starts with. */
async function connect(url: string, files: Layout, token: string): Promise<Server | undefined> {
  if (!existsSync(files.certificate)) return undefined;
  const ca = readFileSync(files.certificate, "utf8");
  const api = openApi({ url, ca }, token);
  try {
    await api.text("/readyz");
    return { url, ca, api };
  } catch {
    await api.close();
    return undefined;
  }
}

/** What `probe` finds; an error with the end of the log when the program ends first, or takes too long. */
async function untilReady<T>(
  name: ProgramName,
  kept: Kept,
  files: Layout,
  probe: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  const settled = new AbortController();
  // A race, since a probe may itself be waiting, for whoever holds the port that our server did not get.
  const ended = kept.ended.then((how): never => {
    throw new Error(`${name} ended before it was ready: ${how}`);
  });
  const ready = waitFor(`${name} to be ready`, probe, { timeoutMs: READY_TIMEOUT }, settled.signal);
  try {
    return await Promise.race([ended, ready]);
  } catch (error) {
    throw new Error(`${messageOf(error)}\n${logTail(files, name)}`, { cause: error });
  } finally {
    settled.abort();
  }
}

/** The last lines that a program printed. */
export function logTail(files: Layout, name: ProgramName): string {
  const file = files.log(name);
  return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n").slice(-40).join("\n") : "";
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("the system gave no port");
  return address.port;
}
