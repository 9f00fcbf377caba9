/**
 * Requests to one API server, and what is common to all of them: credentials, connections, limits, retries, errors.
 * The client speaks in objects; this speaks in paths and JSON.
 */
import type { ClusterConfig } from "../config/cluster-config.ts";
import { errorFromStatus, isTooManyRequests, KubeError, type Status, unreachable } from "../kube-error.ts";
import { type Logger, silentLogger } from "../logger.ts";
import { sleep, systemTimers, type Timers } from "../timers.ts";
import type { Answer } from "./connection.ts";
import { readRetryAfter, readWarnings } from "./headers.ts";
import { openHttpConnection } from "./http-connection.ts";
import { createRateLimit } from "./rate-limit.ts";

export interface KubeRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** From the server's root, with the query: `/api/v1/pods?limit=500`. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** @default application/json */
  readonly contentType?: string;
  /** Another form of the answer than plain JSON: a Table, for example. It is JSON all the same. @default application/json */
  readonly accept?: string;
  /** What is being done, for messages: `patch persistentvolumeclaims prod/data-db-0`. @default method and path */
  readonly what?: string;
  /** Doing it twice is as good as doing it once. @default true, except for POST */
  readonly idempotent?: boolean;
  /** Wait and try again where the server asks for that. False: what it says is the answer (a budget that is used up). @default true */
  readonly patient?: boolean;
}

/**
 * All methods reject with a `KubeError`, or with the signal's reason.
 *
 * Tried again, at most `maxRetries` times: what is answered with 429, and idempotent requests answered with 5xx, after
 * the time that the server asks for in Retry-After. Tried again once: idempotent requests whose connection broke, and
 * requests answered with 401 when the credentials can be renewed.
 */
export interface Transport {
  /** The answer's JSON, taken as the caller says. */
  json<T>(request: KubeRequest, signal?: AbortSignal): Promise<T>;
  /**
   * The values of JSON in the answer, one to a line, as they come, without a limit in time. Ends when the server ends it,
   * throws when the connection breaks, and is cut when the reader stops or the signal is aborted. It has to be read: else it
   * stays open. Others may be reading the same values: whoever changes one copies it.
   */
  stream(request: KubeRequest, signal?: AbortSignal): Promise<AsyncIterable<unknown>>;
  /** Cuts everything that is under way. May be called twice. */
  close(): Promise<void>;
}

export interface RequestInfo {
  readonly method: KubeRequest["method"];
  readonly watch: boolean;
  /** The HTTP status; 0 where no answer came. */
  readonly status: number;
  /** Until the answer began (watches) or was complete. */
  readonly seconds: number;
}

export interface TransportOptions {
  readonly timers?: Timers;
  readonly logger?: Logger;
  /** @default outgrow */
  readonly userAgent?: string;
  /** Requests per second, and at once. @default no limit: the server's own (priority and fairness) is honoured */
  readonly limit?: { readonly qps: number; readonly burst: number } | undefined;
  /** Connections for requests at the same time; more requests wait their turn. @default 64 */
  readonly connections?: number;
  /** @default 8 */
  readonly maxRetries?: number;
  /** Called for each warning that the server sends along. @default logged */
  readonly onWarning?: (text: string) => void;
  /** Called after each attempt. */
  readonly onRequest?: (info: RequestInfo) => void;
}

/** What has been tried already. */
interface Attempts {
  retries: number;
  reconnected: boolean;
  renewed: boolean;
}

/** Where the server asks for patience without saying how much. */
const DEFAULT_WAIT = 1_000;

export function createTransport(config: ClusterConfig, options: TransportOptions = {}): Transport {
  const {
    timers = systemTimers,
    logger = silentLogger,
    userAgent = "outgrow",
    connections = 64,
    maxRetries = 8,
  } = options;
  const onWarning = options.onWarning ?? ((text: string) => logger.warn({ warning: text }, "the API server warns"));
  const limit = options.limit && createRateLimit(options.limit.qps, options.limit.burst, timers);
  const connection = config.connect?.() ?? openHttpConnection(config, connections);

  /** Sends once and again, until there is a good answer that `read` can read. */
  async function send<T>(
    request: KubeRequest,
    watch: boolean,
    read: (answer: Answer) => Promise<T> | T,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const { method, path, idempotent = method !== "POST" } = request;
    const what = whatOf(request);
    const body = request.body === undefined ? null : JSON.stringify(request.body);
    const attempts: Attempts = { retries: 0, reconnected: false, renewed: false };
    for (;;) {
      signal?.throwIfAborted();
      await limit?.take(signal);
      const credential = await config.credentials.current(signal);
      const started = timers.elapsed();
      let status = 0;
      let failure: KubeError;
      try {
        const headers = headersFor(request, credential.authorization, body);
        const answer = await connection.request({ method, path, headers, body, credential, endless: watch }, signal);
        status = answer.status;
        for (const warning of readWarnings(answer.headers["warning"])) onWarning(warning);
        if (status < 300) return await read(answer);
        failure = await readFailure(answer, what);
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof KubeError) throw error;
        failure = unreachable(what, error);
        status = 0;
      } finally {
        options.onRequest?.({ method, watch, status, seconds: (timers.elapsed() - started) / 1000 });
      }

      if (failure.reason === "Unreachable") {
        if (!idempotent || attempts.reconnected || !brokeMidway(failure.cause)) throw failure;
        attempts.reconnected = true;
      } else if (failure.status === 401) {
        if (attempts.renewed || !config.credentials.refused(credential)) throw failure;
        attempts.renewed = true;
      } else {
        const wait = request.patient === false ? undefined : patience(failure, idempotent);
        if (wait === undefined || attempts.retries >= maxRetries) throw failure;
        attempts.retries++;
        logger.debug({ what, wait, status }, "the API server asks to wait");
        await sleep(timers, wait, signal);
      }
    }
  }

  function headersFor(
    { contentType = "application/json", accept = "application/json" }: KubeRequest,
    authorization: string | undefined,
    body: string | null,
  ): Record<string, string | string[]> {
    return {
      ...config.headers,
      accept,
      "user-agent": userAgent,
      ...(authorization === undefined ? {} : { authorization }),
      ...(body === null ? {} : { "content-type": contentType }),
    };
  }

  async function readFailure(answer: Answer, what: string): Promise<KubeError> {
    const text = await answer.text();
    const retryAfter = readRetryAfter(answer.headers["retry-after"], timers.now());
    return errorFromStatus(parseStatus(text), answer.status, what, retryAfter);
  }

  return {
    json<T>(request: KubeRequest, signal?: AbortSignal) {
      const parse = async (answer: Answer): Promise<T> => {
        const text = await answer.text();
        try {
          return JSON.parse(text) as T;
        } catch (cause) {
          throw new KubeError("BadResponse", `${whatOf(request)}: the answer is not JSON: ${excerpt(text)}`, {
            status: answer.status,
            cause,
          });
        }
      };
      return send(request, false, parse, signal);
    },
    stream: (request, signal) => send(request, true, (answer) => readStream(answer, request, signal), signal),
    close: () => connection.close(),
  };
}

/** The values, with the errors of this boundary. */
async function* readStream(
  answer: Answer,
  request: KubeRequest,
  signal: AbortSignal | undefined,
): AsyncGenerator<unknown, void, undefined> {
  const what = whatOf(request);
  try {
    yield* answer.values(what);
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof KubeError ? error : unreachable(what, error);
  }
}

function whatOf({ method, path, what }: KubeRequest): string {
  return what ?? `${method} ${path}`;
}

/** How long to wait before sending the same again; undefined: it would be wrong, or useless. */
function patience(failure: KubeError, idempotent: boolean): number | undefined {
  if (isTooManyRequests(failure)) return failure.retryAfter ?? DEFAULT_WAIT;
  return idempotent && failure.status >= 500 ? failure.retryAfter : undefined;
}

/**
 * Whether a connection broke that had been there: the server restarted, or closed it for idleness just as we sent. Then
 * a new one is worth trying at once. A server that cannot be reached at all is the caller's to wait for.
 */
function brokeMidway(error: unknown): boolean {
  const code = (error as { code?: unknown } | undefined)?.code;
  return code === "UND_ERR_SOCKET" || code === "ECONNRESET" || code === "EPIPE";
}

/** A Status, or what a proxy in between says in its own words. */
function parseStatus(text: string): Status {
  try {
    const status = JSON.parse(text) as Status | null;
    if (typeof status === "object" && status?.kind === "Status") return status;
  } catch {
    // Not JSON: the text itself is the message.
  }
  return text.trim() === "" ? {} : { message: excerpt(text) };
}

function excerpt(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, " ");
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
