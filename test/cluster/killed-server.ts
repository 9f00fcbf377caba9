/** `outgrow up --no-controllers` as a process that is killed, and clients that write to it until it is. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Agent, request } from "undici";
import type { Seeded } from "../../src/kube/testing/seeded.ts";
import { type Access, type Answer, type Client, createTestClient, readAccess } from "./target.ts";

const BINARY = join(import.meta.dirname, "../../bin/outgrow");
export const MAPS = "/api/v1/namespaces/default/configmaps";

export interface Server {
  readonly access: Access;
  /** With SIGKILL. Resolves when it is gone. */
  kill(): Promise<void>;
}

/** The process on this folder; resolves when it answers. With `killAfterMs` it is killed then, and none comes back. */
export async function startServer(folder: string): Promise<Server>;
export async function startServer(folder: string, killAfterMs: number): Promise<undefined>;
export async function startServer(folder: string, killAfterMs?: number): Promise<Server | undefined> {
  const kubeconfig = join(folder, "admin.kubeconfig");
  rmSync(kubeconfig, { force: true });
  const words = ["up", "--no-controllers", "--data", join(folder, "data"), "--kubeconfig", kubeconfig];
  const child = spawn(process.execPath, [BINARY, ...words], { stdio: ["ignore", "ignore", "inherit"] });
  const closed = once(child, "close");
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await closed;
  };
  if (killAfterMs !== undefined) {
    await setTimeout(killAfterMs);
    await kill();
    return undefined;
  }
  while (!existsSync(kubeconfig)) {
    if (child.exitCode !== null) throw new Error(`outgrow up ended by itself, with ${child.exitCode}`);
    await setTimeout(2);
  }
  return { access: readAccess(kubeconfig), kill };
}

/** One write, as its client knows it. */
export interface Write {
  readonly kind: "create" | "patch" | "delete";
  /** Undefined for a generated name that nobody has heard of yet. */
  name: string | undefined;
  readonly tag: string | undefined;
  /** What it was acknowledged with; undefined when it was not. 0 for a deletion, whose version nobody is told. */
  version: number | undefined;
}

/** Each of these clients has keys of its own, and at most one write under way. */
export async function writeUntilKilled(
  server: Server,
  seeded: Seeded,
  load: { readonly round: number; readonly clients: number; readonly acknowledgements: number },
  present: ReadonlySet<string>,
): Promise<Write[]> {
  await using client = createTestClient(server.access, load.clients);
  const writes: Write[] = [];
  const there = new Set(present);
  let acknowledged = 0;
  let killed: Promise<void> | undefined;

  const writeForever = async (number: number): Promise<void> => {
    for (let time = 0; killed === undefined; time++) {
      const write = nextWrite(seeded, there, `w${number}`, `${load.round}-${number}-${time}`);
      writes.push(write);
      const answer = await send(client, write);
      if (answer === undefined) return;
      note(write, answer, there);
      if (++acknowledged === load.acknowledgements) killed = server.kill();
    }
  };
  await Promise.all(Array.from({ length: load.clients }, (_, number) => writeForever(number)));
  await (killed ?? server.kill());
  return writes;
}

function nextWrite(seeded: Seeded, there: ReadonlySet<string>, prefix: string, tag: string): Write {
  if (seeded.chance(0.2)) return { kind: "create", name: undefined, tag, version: undefined };
  const name = `${prefix}-k${seeded.below(8)}`;
  if (!there.has(name)) return { kind: "create", name, tag, version: undefined };
  if (seeded.chance(0.3)) return { kind: "delete", name, tag: undefined, version: undefined };
  return { kind: "patch", name, tag, version: undefined };
}

/** The object that was answered; undefined when the server went in the middle. Throws for whatever else is no success. */
async function send(client: Client, write: Write): Promise<Record<string, unknown> | undefined> {
  const answer = await requestOf(client, write).catch(() => undefined);
  if (answer?.json === undefined) return undefined;
  if (answer.code >= 300) throw new Error(`${write.kind} ${write.name}: ${answer.code} ${answer.text}`);
  return answer.json;
}

function requestOf(client: Client, { kind, name, tag }: Write): Promise<Answer> {
  switch (kind) {
    case "create": {
      const metadata = name === undefined ? { generateName: "g-" } : { name };
      return client.send("POST", MAPS, { body: { metadata, data: { tag, fill: "x".repeat(500) } } });
    }
    case "patch":
      return client.send("PATCH", `${MAPS}/${name}`, { type: "application/merge-patch+json", body: { data: { tag } } });
    case "delete":
      return client.send("DELETE", `${MAPS}/${name}`);
  }
}

function note(write: Write, answer: Record<string, unknown>, there: Set<string>): void {
  if (write.kind === "delete") {
    write.version = 0;
    there.delete(write.name ?? "");
    return;
  }
  const { name, resourceVersion } = answer["metadata"] as { name: string; resourceVersion: string };
  write.name = name;
  write.version = Number(resourceVersion);
  there.add(name);
}

export interface Seen {
  readonly type: string;
  readonly name: string;
  readonly tag: string | undefined;
  readonly version: number;
}

/** The events behind a version, until one is of the object `last`, or the server is gone. */
export async function watchFrom({ url, ca, token }: Access, version: number, last?: string): Promise<Seen[]> {
  const dispatcher = new Agent({ connect: { ca } });
  const seen: Seen[] = [];
  try {
    const { body } = await request(`${url}${MAPS}?watch=true&resourceVersion=${version}`, {
      dispatcher,
      headers: { authorization: `Bearer ${token}` },
    });
    let rest = "";
    for await (const chunk of body.setEncoding("utf8") as AsyncIterable<string>) {
      const lines = `${rest}${chunk}`.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const event = JSON.parse(line) as { type: string; object: StoredMap };
        seen.push(seenOf(event.type, event.object));
        if (event.object.metadata.name === last) return seen;
      }
    }
  } catch {
    // The server is gone: what was seen until then is what counts.
  } finally {
    await dispatcher.destroy();
  }
  return seen;
}

export interface StoredMap {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly data?: { readonly tag?: string };
}

export function seenOf(type: string, { metadata, data }: StoredMap): Seen {
  return { type, name: metadata.name, tag: data?.tag, version: Number(metadata.resourceVersion) };
}
