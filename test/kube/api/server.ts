/** A server to talk to, ours or Kubernetes' own, and what it answers, as far as two servers can be compared. */

import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, type Dispatcher } from "undici";
import { parse } from "yaml";
import { startCluster } from "../../../src/cluster/index.ts";
import { DEFAULT_GATES } from "../../../src/core/gates.ts";
import { silentLogger } from "../../../src/kube/logger.ts";
import { startControlPlane } from "../control-plane.ts";
import { readProtobuf, readProtobufEvents } from "./protobuf-answer.ts";

export interface Request {
  readonly method?: Dispatcher.HttpMethod;
  readonly path: string;
  /** Sent as JSON; text is sent as it is. */
  readonly body?: object | string;
  readonly type?: string;
  readonly accept?: string;
  /** Where it must not be the administrator's. */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly warnings: readonly string[];
  /** Whether JSON was laid out for people to read. */
  readonly pretty: boolean;
  /** What JSON, YAML or protobuf says; any other text as it is. */
  readonly body: unknown;
}

export interface Server {
  readonly name: string;
  readonly kubeconfig: string;
  send(request: Request): Promise<Answer>;
  /** How an answer is headed. */
  head(request: Request): Promise<Head>;
  /** What is answered, letter by letter. */
  text(path: string, headers: Request["headers"]): Promise<string>;
  /** The events of a watch, until there are this many. */
  watch(path: string, count: number, accept?: string): Promise<Watching>;
  stop(): Promise<void>;
}

/** Headers by name; undefined for those that are not there. */
export interface Head {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** What follows, in bytes. */
  readonly length: number;
}

export interface Watching {
  /** Resolves when all have come, or the watch has ended. */
  readonly events: Promise<readonly unknown[]>;
}

const PATCHES: Readonly<Record<string, string>> = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
};

export async function startOurs(): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), "outgrow-api-"));
  const cluster = await startCluster({ folder, port: 0, gates: DEFAULT_GATES, logger: silentLogger });
  return connect("ours", cluster.kubeconfig, async () => {
    await cluster.stop();
    await rm(folder, { recursive: true });
  });
}

export async function startTheirs(): Promise<Server> {
  const plane = await startControlPlane({ controllers: [], admission: { enable: ["ServiceAccount"] } });
  return connect("theirs", plane.admin.kubeconfig, () => plane.stop());
}

function connect(name: string, kubeconfig: string, stop: () => Promise<void>): Server {
  const config = parse(readFileSync(kubeconfig, "utf8")) as {
    clusters: { cluster: { server: string; "certificate-authority-data": string } }[];
    users: { user: { token: string } }[];
  };
  const { server, "certificate-authority-data": ca } = config.clusters[0]?.cluster ?? ({} as never);
  const agent = new Agent({ connect: { ca: Buffer.from(ca, "base64").toString() }, bodyTimeout: 0 });
  const admin = config.users[0]?.user.token ?? "";
  const open = ({ method = "GET", path, body, type, accept, token = admin, headers = {} }: Request) =>
    agent.request({
      origin: server,
      method,
      path,
      body: body === undefined ? null : typeof body === "string" ? body : JSON.stringify(body),
      headers: {
        authorization: `Bearer ${token}`,
        "user-agent": "suite/1.0",
        ...(body === undefined ? {} : { "content-type": PATCHES[type ?? ""] ?? type ?? "application/json" }),
        ...(accept === undefined ? {} : { accept }),
        ...headers,
      },
    });
  return {
    name,
    kubeconfig,
    async send(request) {
      const { statusCode, headers, body } = await open(request);
      const bytes = Buffer.from(await body.arrayBuffer());
      const text = bytes.toString();
      const type = String(headers["content-type"] ?? "");
      return {
        status: statusCode,
        type,
        warnings: warningsOf(headers["warning"] ?? []),
        pretty: type.startsWith("application/json") && text.trim().includes("\n"),
        body: bodyOf(type, bytes, text),
      };
    },
    async head(request) {
      const { statusCode: status, headers, body } = await open(request);
      return { status, headers, length: (await body.arrayBuffer()).byteLength };
    },
    async text(path, headers = {}) {
      const { body } = await open({ path, headers });
      return body.text();
    },
    async watch(path, count, accept) {
      const { body } = await open({ path, ...(accept === undefined ? {} : { accept }) });
      const read = async (): Promise<readonly unknown[]> => {
        const events: unknown[] = [];
        let rest = "";
        for await (const chunk of body) {
          rest += String(chunk);
          const lines = rest.split("\n");
          rest = lines.pop() ?? "";
          events.push(...lines.map((line) => asJson(line)));
          if (events.length >= count) break;
        }
        return events.slice(0, count);
      };
      return { events: read() };
    },
    async stop() {
      await agent.destroy();
      await stop();
    },
  };
}

function bodyOf(type: string, bytes: Buffer, text: string): unknown {
  if (type.startsWith("application/yaml")) return parse(text);
  if (!type.startsWith("application/vnd.kubernetes.protobuf")) return asJson(text);
  return type.includes("stream=watch") ? readProtobufEvents(bytes) : readProtobuf(bytes);
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The texts of the header, however it was folded; sorted, since their order says nothing. */
function warningsOf(header: string | readonly string[]): string[] {
  const joined = typeof header === "string" ? header : header.join(", ");
  return [...joined.matchAll(/299 - "((?:[^"\\]|\\.)*)"/gs)].map(([, text = ""]) => text).toSorted();
}
