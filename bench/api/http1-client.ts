/** HTTP/1.1, by undici: one request at a time on a connection, and a connection for each watch. */
import { finished } from "node:stream/promises";
import { Pool } from "undici";
import type { Client, Send } from "./client.ts";
import type { Access } from "./contender.ts";
import { headersFor, isRefusal, refusal } from "./requests.ts";

export function createHttp1Client({ url, ca, token }: Access): Client {
  const pool = (connections: number): Pool =>
    new Pool(url, {
      connect: { ca, timeout: 60_000 },
      // It would take HTTP/2 where it is offered.
      allowH2: false,
      connections,
      pipelining: 1,
      bodyTimeout: 0,
      headersTimeout: 0,
    });

  return {
    async open(count) {
      const to = pool(count);
      const send: Send = async (method, path, body, onData) => {
        const headers = headersFor(method, token);
        const answer = await to.request({
          method,
          path,
          headers,
          body: body === undefined ? null : JSON.stringify(body),
        });
        if (isRefusal(answer.statusCode)) throw refusal(method, path, answer.statusCode, await answer.body.text());
        let bytes = 0;
        answer.body.on("data", (piece: Buffer) => {
          bytes += piece.length;
          onData?.(piece);
        });
        await finished(answer.body);
        return bytes;
      };
      return { senders: Array.from({ length: count }, () => send), [Symbol.asyncDispose]: () => to.destroy() };
    },
    watchers(count) {
      const to = pool(count);
      let closed = false;
      return {
        watch(path, onData, onEnd) {
          const ended = (error: Error): void => {
            if (!closed) onEnd(error);
          };
          const read = async (): Promise<void> => {
            const { body } = await to.request({ method: "GET", path, headers: headersFor("GET", token) });
            // Not as an iterator: what it takes a thousand watchers to read must not be most of what is measured.
            body.on("data", onData);
            body.once("error", ended).once("end", () => ended(new Error("a watch has ended before its time")));
          };
          read().catch(ended);
        },
        async [Symbol.asyncDispose]() {
          closed = true;
          await to.destroy();
        },
      };
    },
  };
}
