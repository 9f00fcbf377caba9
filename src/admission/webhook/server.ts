/** The HTTPS server of the webhook: AdmissionReviews in, AdmissionReviews out, nothing kept in between. */
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { messageOf } from "../../core/errors.ts";
import { type Logger, settlesWithin, type Timers } from "../../kube/index.ts";
import type { Certificates } from "./certificates.ts";
import type { AdmissionRequest, Answer } from "./review.ts";

export interface ReviewServer {
  readonly port: number;
  /** New connections are served with this from now on. Without any, none can be made. */
  use(certificates: Pick<Certificates, "cert" | "key">): void;
  /** Ends it: questions that are being answered still are. May be called twice. */
  stop(): Promise<void>;
}

/** Answers one question. It does not throw: whatever goes wrong, the request goes on. */
export type Reviewer = (request: AdmissionRequest) => Answer | Promise<Answer>;

/** A question holds two objects of at most 3 MiB each, as an API server takes them. */
const MAX_BODY = 8 * 1024 * 1024;
/** An API server that takes longer than this to ask has long gone on without an answer. */
const REQUEST_TIMEOUT = 10_000;
/** Longer than API servers keep a connection without use, so that none is closed while they reach for it. */
const IDLE_TIMEOUT = 120_000;
/** Far more than the API servers of a cluster open, and little enough to hold all their questions at once. */
const MAX_CONNECTIONS = 128;
const STOP_GRACE = 2_000;

/** Serves from when this resolves. Rejects when the address cannot be had. `paths` says who answers where. */
export async function startReviewServer(
  address: { readonly host: string | undefined; readonly port: number },
  paths: Readonly<Record<string, Reviewer>>,
  { timers, logger }: { readonly timers: Timers; readonly logger: Logger },
): Promise<ReviewServer> {
  const server = createServer(
    { requestTimeout: REQUEST_TIMEOUT, headersTimeout: REQUEST_TIMEOUT, keepAliveTimeout: IDLE_TIMEOUT },
    (request, response) => {
      serve(request, response, paths).catch((error: unknown) => {
        logger.warn({ err: error }, "a question to the webhook could not be read");
        refuse(response, 400, messageOf(error));
      });
    },
  );
  // A client that does not trust us, or that we have no certificate for yet, is told so by TLS.
  server.on("tlsClientError", (error) => logger.debug({ err: error }, "a connection to the webhook failed"));
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(address.port, address.host);
  await once(server, "listening");
  let stopped: Promise<unknown> | undefined;
  return {
    port: (server.address() as AddressInfo).port,
    use: ({ cert, key }) => server.setSecureContext({ cert, key, minVersion: "TLSv1.2" }),
    async stop() {
      stopped ??= once(server.close(), "close");
      server.closeIdleConnections();
      await settlesWithin(timers, STOP_GRACE, stopped);
      server.closeAllConnections();
      await stopped;
    },
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  paths: Readonly<Record<string, Reviewer>>,
): Promise<void> {
  const [path = ""] = (request.url ?? "").split("?");
  const answer = Object.hasOwn(paths, path) ? paths[path] : undefined;
  if (answer === undefined) return refuse(response, 404, "not found");
  if (request.method !== "POST") return refuse(response, 405, "method not allowed");
  const review = readReview(await readBody(request));
  const body = JSON.stringify({
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    response: (await answer(review)).response,
  });
  response.writeHead(200, { "content-type": "application/json" }).end(body);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY) throw new Error(`the body is longer than ${MAX_BODY} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function readReview(text: string): AdmissionRequest {
  const { kind, request } = JSON.parse(text) as { kind?: string; request?: Partial<AdmissionRequest> };
  if (kind !== "AdmissionReview" || typeof request?.uid !== "string" || typeof request.kind !== "object") {
    throw new Error("the body is no AdmissionReview");
  }
  return request as AdmissionRequest;
}

function refuse(response: ServerResponse, code: number, message: string): void {
  if (response.headersSent) return;
  response.writeHead(code, { "content-type": "text/plain; charset=utf-8", connection: "close" }).end(`${message}\n`);
}
