/** What clients do to an API server: write claims, list them, watch them. */
import { type Dispatcher, Pool } from "undici";
import type { Access } from "./contender.ts";

const NAMESPACE = "bench";
const CLAIMS = `/api/v1/namespaces/${NAMESPACE}/persistentvolumeclaims`;

export interface Load {
  /** Makes a place for the claims. */
  begin(): Promise<void>;
  /** Claims per second that are created, so many at a time, for so long. */
  create(connections: number, seconds: number): Promise<number>;
  /** Creates claims until there are so many. */
  fillTo(count: number): Promise<void>;
  /** Milliseconds for one list of everything, and its bytes. */
  list(): Promise<{ readonly ms: number; readonly bytes: number }>;
  /** Milliseconds from a write until the last of so many watchers has its event. */
  fanOut(watchers: number): Promise<number>;
  close(): Promise<void>;
}

export function createLoad({ url, ca, token }: Access): Load {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const pool = (connections: number): Pool =>
    new Pool(url, { connect: { ca, timeout: 60_000 }, connections, pipelining: 1, bodyTimeout: 0, headersTimeout: 0 });
  const main = pool(32);
  let serial = 0;

  async function send(to: Pool, method: Dispatcher.HttpMethod, path: string, body?: object): Promise<string> {
    const answer = await to.request({
      method,
      path,
      headers: method === "PATCH" ? { ...headers, "content-type": "application/merge-patch+json" } : headers,
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 300)}`);
    return text;
  }
  const createOne = (to: Pool): Promise<string> => send(to, "POST", CLAIMS, claim(`data-${serial++}`));

  async function together(to: Pool, connections: number, goOn: () => boolean): Promise<number> {
    let done = 0;
    const worker = async (): Promise<void> => {
      while (goOn()) {
        await createOne(to);
        done++;
      }
    };
    await Promise.all(Array.from({ length: connections }, worker));
    return done;
  }

  /** Tells when the watch has begun, and when its object was modified. */
  function watch(to: Pool, path: string): { readonly begun: Promise<void>; readonly modified: Promise<number> } {
    const begun = Promise.withResolvers<void>();
    const modified = Promise.withResolvers<number>();
    const failed = (error: unknown): void => {
      begun.reject(error);
      modified.reject(error);
    };
    const read = async (): Promise<void> => {
      const { body } = await to.request({ method: "GET", path, headers });
      let text = "";
      // Not as an iterator: what it takes a thousand watchers to read must not be most of what is measured.
      body.on("data", (chunk: Buffer) => {
        text += chunk.toString("latin1");
        if (text.includes('"ADDED"')) begun.resolve();
        if (text.includes('"MODIFIED"')) modified.resolve(performance.now());
      });
      body.once("error", failed).once("end", () => failed(new Error("a watch has ended before its time")));
    };
    read().catch(failed);
    modified.promise.catch(() => {});
    return { begun: begun.promise, modified: modified.promise };
  }

  return {
    async begin() {
      await send(main, "POST", "/api/v1/namespaces", { metadata: { name: NAMESPACE } });
    },
    async create(connections, seconds) {
      const to = pool(connections);
      await together(to, connections, () => serial % 50 !== 49);
      const start = performance.now();
      const done = await together(to, connections, () => performance.now() - start < seconds * 1000);
      const rate = done / ((performance.now() - start) / 1000);
      await to.close();
      return rate;
    },
    async fillTo(count) {
      await together(main, 32, () => serial < count);
    },
    async list() {
      const start = performance.now();
      const text = await send(main, "GET", CLAIMS);
      return { ms: performance.now() - start, bytes: text.length };
    },
    async fanOut(watchers) {
      const many = pool(watchers);
      const name = `seen-${serial++}`;
      await send(main, "POST", CLAIMS, claim(name));
      const path = `${CLAIMS}?watch=true&fieldSelector=metadata.name%3D${name}`;
      const seen: Promise<number>[] = [];
      while (seen.length < watchers) {
        const batch = Array.from({ length: Math.min(50, watchers - seen.length) }, () => watch(many, path));
        await Promise.all(batch.map(({ begun }) => begun));
        seen.push(...batch.map(({ modified }) => modified));
      }
      const start = performance.now();
      await send(main, "PATCH", `${CLAIMS}/${name}`, { metadata: { labels: { seen: "yes" } } });
      const times = await Promise.all(seen);
      await many.destroy();
      return Math.max(...times) - start;
    },
    close: () => main.destroy(),
  };
}

function claim(name: string): object {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name, namespace: NAMESPACE, labels: { app: "db", "app.kubernetes.io/instance": "bench" } },
    spec: {
      accessModes: ["ReadWriteOnce"],
      storageClassName: "",
      volumeName: `pv-${name}`,
      resources: { requests: { storage: "10Gi" } },
    },
  };
}
