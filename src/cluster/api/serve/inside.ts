/**
 * The API for what lives in the same process: the same requests, with the same credentials and the same answers, handed over
 * instead of sent. With a socket in between, most of what the controllers of a cluster cost was reading and writing it.
 */
import { setImmediate } from "node:timers/promises";
import { KubeError } from "../../../kube/kube-error.ts";
import type { Answer, Connection, Question } from "../../../kube/transport/connection.ts";
import type { Text } from "../encode/writer.ts";
import { tooLarge } from "../status-error.ts";
import type { ApiReply, ApiRequest, Handle } from "./exchange.ts";
import { createValueStream } from "./value-stream.ts";

/** Each connection is closed by itself, and takes what is under way on it along. */
export function connectInside(handle: Handle): Connection {
  const underWay = new Set<(reason: KubeError) => void>();
  let closed: KubeError | undefined;

  return {
    async request(question, signal) {
      // What a network would take: nobody inside gets ahead of timers, of the disk, and of who asks from outside.
      await setImmediate();
      if (closed !== undefined) throw closed;
      signal?.throwIfAborted();
      const answer = Promise.withResolvers<Answer>();
      const over = (): void => {
        underWay.delete(cut);
        signal?.removeEventListener("abort", abort);
      };
      const reply = replyInside(answer.resolve, over);
      const cut = (reason: unknown): void => {
        over();
        answer.reject(reason);
        reply.breakOff(reason);
      };
      const abort = (): void => cut(signal?.reason);
      underWay.add(cut);
      signal?.addEventListener("abort", abort, { once: true });
      handle(requestOf(question), reply).catch(cut);
      return answer.promise;
    },
    async close() {
      closed ??= new KubeError("Unreachable", "the client of the embedded cluster was closed");
      for (const cut of underWay) cut(closed);
    },
  };
}

function requestOf({ method, path, headers, body }: Question): ApiRequest {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    method,
    url: path,
    headers: Object.fromEntries(entries),
    get headersDistinct() {
      return Object.fromEntries(entries.map(([name, value]) => [name, typeof value === "string" ? [value] : value]));
    },
    async body(limit) {
      const bytes = Buffer.from(body ?? "");
      if (bytes.length > limit) throw tooLarge(`limit is ${limit}`);
      return bytes;
    },
  };
}

interface InsideReply extends ApiReply {
  breakOff(reason: unknown): void;
}

/** `over`: nothing more comes of it. */
function replyInside(answer: (answer: Answer) => void, over: () => void): InsideReply {
  let code = 200;
  let isBegun = false;
  let stream: ReturnType<typeof createValueStream> | undefined;
  return {
    get isBegun() {
      return isBegun;
    },
    get code() {
      return code;
    },
    send(status, body, headers) {
      [code, isBegun] = [status, true];
      over();
      answer({
        status,
        headers: headers as Answer["headers"],
        text: async () => textOf(body),
        values: () => {
          throw new TypeError("this answer is whole");
        },
      });
    },
    begin() {
      isBegun = true;
      const begun = createValueStream(over);
      stream = begun;
      answer({
        status: code,
        headers: {},
        values: () => begun.values(),
        text: () => Promise.reject(new TypeError("this answer has no end")),
      });
      return begun;
    },
    cut: () => stream?.cut(new Error("the answer was broken off")),
    breakOff(reason) {
      isBegun = true;
      stream?.cut(reason);
    },
  };
}

function textOf(body: Text | Buffer): string {
  if (typeof body === "string") return body;
  return Buffer.isBuffer(body) ? body.toString("utf8") : [...body].join("");
}
