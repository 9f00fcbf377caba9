/** A real webhook on loopback: what it answers is told by the path, and everything that it was asked is kept. */
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { type Authority, createAuthority } from "../../../../kube/testing/certificates.ts";
import type { JsonObject } from "../../json.ts";

export interface Review extends JsonObject {
  readonly request: JsonObject & { readonly uid: string };
}

export interface Reply {
  readonly status?: number;
  readonly contentType?: string;
  readonly body: string;
}

/** What one path answers; `undefined`: nothing, ever. */
export type Behaviour = (review: Review) => Reply | undefined | Promise<Reply | undefined>;

export interface HookServer {
  /** `https://127.0.0.1:PORT` */
  readonly url: string;
  readonly port: number;
  /** Base64 of PEM, as `caBundle` wants it. */
  readonly caBundle: string;
  /** What was asked under a path, oldest first. */
  asked(path: string): readonly Review[];
  /** How many connections were made. */
  readonly connections: number;
  forget(): void;
  stop(): Promise<void>;
}

export async function startHookServer(behaviours: Readonly<Record<string, Behaviour>>): Promise<HookServer> {
  const authority: Authority = createAuthority();
  const { cert, key } = authority.issue("webhook", "IP:127.0.0.1,DNS:hook.default.svc");
  const asked: { path: string; review: Review }[] = [];
  let connections = 0;

  const server: Server = createServer({ cert, key }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const path = (request.url ?? "").replace(/\?.*$/, "");
      const review = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Review;
      asked.push({ path, review });
      void Promise.resolve(behaviours[path]?.(review)).then((reply) => {
        if (reply === undefined) return;
        response.writeHead(reply.status ?? 200, { "content-type": reply.contentType ?? "application/json" });
        response.end(reply.body);
      });
    });
  });
  server.on("secureConnection", () => connections++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    caBundle: authority.ca.toString("base64"),
    asked: (path) => asked.filter((each) => each.path === path).map(({ review }) => review),
    get connections() {
      return connections;
    },
    forget: () => void asked.splice(0),
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      authority[Symbol.dispose]();
    },
  };
}

/** A review with this response; it repeats the uid. */
export function answering(response: JsonObject, envelope: JsonObject = {}): Behaviour {
  return ({ request }) => ({
    body: JSON.stringify({
      apiVersion: "admission.k8s.io/v1",
      kind: "AdmissionReview",
      ...envelope,
      response: { uid: request.uid, ...response },
    }),
  });
}

export const allowing: Behaviour = answering({ allowed: true });

export function patching(...operations: JsonObject[]): Behaviour {
  return answering({ allowed: true, patchType: "JSONPatch", patch: base64(JSON.stringify(operations)) });
}

export function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
