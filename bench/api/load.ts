/** What clients do to an API server: write claims, list them, watch them. */
import { type Dispatcher, Pool } from "undici";
import type { Access } from "./contender.ts";

const NAMESPACE = "default";
const CLAIMS = `/api/v1/namespaces/${NAMESPACE}/persistentvolumeclaims`;

export interface Load {
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
    new Pool(url, { connect: { ca }, connections, pipelining: 1, bodyTimeout: 0, headersTimeout: 0 });
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

  return {
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
      const ready: Promise<void>[] = [];
      const seen: Promise<number>[] = [];
      for (let n = 0; n < watchers; n++) {
        const path = `${CLAIMS}?watch=true&fieldSelector=metadata.name%3D${name}`;
        const answer = many.request({ method: "GET", path, headers });
        const first = Promise.withResolvers<void>();
        const last = Promise.withResolvers<number>();
        ready.push(first.promise);
        seen.push(last.promise);
        void answer.then(async ({ body }) => {
          for await (const chunk of body) {
            const text = String(chunk);
            if (text.includes('"ADDED"')) first.resolve();
            if (text.includes('"MODIFIED"')) {
              last.resolve(performance.now());
              break;
            }
          }
        });
      }
      await Promise.all(ready);
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
