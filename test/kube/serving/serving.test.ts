/** The listener beside a real kube-apiserver, and real kubectl with our kubeconfig and our certificates. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { Agent, request } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StatusError } from "../../../src/cluster/api/status-error.ts";
import {
  ensureCertificates,
  ensureCredentials,
  type Listener,
  mergeKubeconfig,
  openDataFolder,
  readBody,
  readStreamBody,
  sendJson,
  sendWhole,
  startListener,
  writeKubeconfig,
} from "../../../src/cluster/serving/index.ts";
import { findAssets } from "../assets.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { type Server, tell } from "./bytes.ts";
import { SHAPES } from "./shapes.ts";

interface Difference {
  readonly what: string;
  readonly kubernetes: number;
  readonly ours: number;
  readonly reason: string;
}

const LARGE = JSON.stringify({ kind: "Large", padding: "x".repeat(300_000) });

const PROTOCOLS = [
  { name: "HTTP/1.1", allowH2: false },
  { name: "HTTP/2", allowH2: true },
];

let folder: string;
let listener: Listener;
let ours: Server;
let real: Server;
let controlPlane: ControlPlane;
/** What ours was asked, with the protocol that the client chose. */
const seen: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "outgrow-serving-"));
  const data = openDataFolder(join(folder, "data"));
  const { ca, cert, key } = ensureCertificates(data, Date.now());
  const { adminToken: token } = ensureCredentials(data);
  const take = ({ method, url, headers }: Pick<IncomingMessage, "method" | "url" | "headers">, version: string) => {
    seen.push(`${method} ${url} HTTP/${version}`);
    if (headers.authorization !== `Bearer ${token}`) throw new StatusError(401, "Unauthorized", "Unauthorized");
  };
  const answerTo = (url: string | undefined): string => (url === "/large" ? LARGE : '{"gitVersion":"v1.36.3"}');
  listener = await startListener({
    tls: { cert, key },
    handle: async (incoming, response) => {
      take(incoming, incoming.httpVersion);
      if (incoming.method === "POST") await readBody(incoming);
      sendJson(incoming, response, 200, answerTo(incoming.url));
    },
    handleStream: async (stream) => {
      take(stream.head, "2");
      if (stream.head.method === "POST") await readStreamBody(stream);
      sendWhole(stream, 200, answerTo(stream.head.url));
    },
  });
  ours = { url: listener.url, ca, token };
  writeKubeconfig(data.kubeconfig, { server: listener.url, ca, token });
  controlPlane = await startControlPlane({ controllers: [] });
  await controlPlane.api.create("/api/v1/namespaces/default/configmaps", {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "large" },
    data: { data: "x".repeat(200_000) },
  });
  real = { url: controlPlane.url, ca: controlPlane.ca, token: controlPlane.admin.token };
});

afterAll(async () => {
  await listener?.stop(0);
  await controlPlane?.stop();
  await rm(folder, { recursive: true, force: true });
});

describe("the same bytes to both servers", () => {
  let listed: Difference[];
  beforeAll(async () => {
    listed = JSON.parse(await readFile(new URL("differences.json", import.meta.url), "utf8")) as Difference[];
  });

  test.each(Object.entries(SHAPES))("%s", async (what, text) => {
    const [theirs, mine] = [await tell(real, text), await tell(ours, text)];
    const { kubernetes, ours: expected } = listed.find((difference) => difference.what === what) ?? {
      kubernetes: theirs.code,
      ours: theirs.code,
    };
    expect({ kubernetes: theirs.code, ours: mine.code }).toEqual({ kubernetes, ours: expected });
    // Kubernetes refuses what is malformed in plain text; clients that expect a Status always get one here.
    expect(mine.status).toBe(mine.code !== 200);
  });

  test("every listed difference is one, with a reason", () => {
    expect(listed.filter(({ what, kubernetes, ours: mine }) => !(what in SHAPES) || kubernetes === mine)).toEqual([]);
    expect(listed.filter(({ reason }) => reason === "")).toEqual([]);
  });
});

test.each(PROTOCOLS)("a body that is too large is refused in the same words, over $name", async ({ allowH2 }) => {
  const refusals = await Promise.all(
    [real, ours].map(async ({ url, ca, token }) => {
      const dispatcher = new Agent({ connect: { ca }, allowH2 });
      const { statusCode, body } = await request(`${url}/api/v1/namespaces`, {
        dispatcher,
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: Buffer.alloc(4 * 2 ** 20, " "),
      });
      const answer = { statusCode, status: await body.json() };
      await dispatcher.close();
      return answer;
    }),
  );
  expect(refusals[0]?.statusCode).toBe(413);
  expect(refusals[1]).toEqual(refusals[0]);
});

test.each(PROTOCOLS)("large answers are compressed alike, with the same headers, over $name", async ({ allowH2 }) => {
  for (const accept of ["gzip", "deflate, gzip", "gzip;q=1.0", "br", "identity"]) {
    const compressed = await Promise.all(
      [`${real.url}/api/v1/namespaces/default/configmaps/large`, `${ours.url}/large`].map(async (url, index) => {
        const { ca, token } = index === 0 ? real : ours;
        const dispatcher = new Agent({ connect: { ca }, allowH2 });
        const headers = { authorization: `Bearer ${token}`, "accept-encoding": accept };
        const answer = await request(url, { dispatcher, headers });
        const bytes = Buffer.from(await answer.body.arrayBuffer());
        await dispatcher.close();
        const { vary, "content-encoding": encoding } = answer.headers;
        if (encoding === "gzip") expect(gunzipSync(bytes).length).toBeGreaterThan(200_000);
        return { vary, encoding };
      }),
    );
    expect({ accept, ...compressed[1] }).toEqual({ accept, ...compressed[0] });
  }
});

describe("real kubectl", () => {
  const run = promisify(execFile);
  const kubectl = async (kubeconfig: string, ...args: string[]): Promise<string> => {
    const env = { HOME: folder, KUBECONFIG: kubeconfig };
    return (await run(join(findAssets(), "kubectl"), args, { env, maxBuffer: 2 ** 24 })).stdout;
  };
  const written = (): string => join(folder, "data", "outgrow.kubeconfig");

  test("reads the kubeconfig, trusts the certificate and sends the token, over HTTP/2", async () => {
    seen.length = 0;
    expect(JSON.parse(await kubectl(written(), "get", "--raw", "/version"))).toEqual({ gitVersion: "v1.36.3" });
    expect(seen).toEqual(["GET /version HTTP/2"]);
  });

  test("reads what was compressed", async () => {
    expect(await kubectl(written(), "get", "--raw", "/large")).toBe(LARGE);
  });

  test("shows the entries", async () => {
    const view = JSON.parse(await kubectl(written(), "config", "view", "--raw", "-o", "json")) as object;
    expect(view).toMatchObject({
      "current-context": "outgrow",
      clusters: [{ name: "outgrow", cluster: { server: ours.url } }],
      users: [{ name: "outgrow", user: { token: ours.token } }],
      contexts: [{ name: "outgrow", context: { cluster: "outgrow", user: "outgrow" } }],
    });
  });

  test("and we write to the same file, in turn", async () => {
    const file = join(folder, "config");
    await writeFile(file, "");
    await kubectl(file, "config", "set-cluster", "prod", "--server=https://prod.example");
    await kubectl(file, "config", "set-context", "prod", "--cluster=prod");
    await kubectl(file, "config", "use-context", "prod");
    mergeKubeconfig(file, { server: ours.url, ca: ours.ca, token: ours.token }, { makeCurrent: false });
    expect(await kubectl(file, "config", "current-context")).toBe("prod\n");
    await kubectl(file, "config", "set-context", "outgrow", "--namespace=mine");
    mergeKubeconfig(file, { server: ours.url, ca: ours.ca, token: ours.token }, { makeCurrent: true });
    expect(await kubectl(file, "get", "--raw", "/version")).toBe('{"gitVersion":"v1.36.3"}');
    const contexts = await kubectl(file, "config", "get-contexts", "--no-headers");
    const rows = contexts.trimEnd().split("\n");
    expect(rows.map((row) => row.trim().split(/\s+/))).toEqual([
      ["*", "outgrow", "outgrow", "outgrow", "mine"],
      ["prod", "prod"],
    ]);
  });
});
