/** HTTP/2, as client-go speaks it: watches share connections, as many on each as the server allows. */
import type { Client, Send } from "../client.ts";
import type { Access } from "../contender.ts";
import { isRefusal, refusal } from "../requests.ts";
import { Http2Connection } from "./connection.ts";

/** Of a server that names no number. */
const MAX_STREAMS = 1000;

export function createHttp2Client(access: Access): Client {
  return {
    async open(count) {
      const connections = await Promise.all(Array.from({ length: count }, () => Http2Connection.open(access)));
      return {
        senders: connections.map(senderOver),
        async [Symbol.asyncDispose]() {
          for (const connection of connections) connection.close();
        },
      };
    },
    watchers() {
      const connections: Promise<Http2Connection>[] = [];
      let begun = 0;
      /** The one that the next watch goes to; they do not end, so that a full one stays full. */
      const next = async (): Promise<Http2Connection> => {
        const first = await (connections[0] ??= Http2Connection.open(access));
        const at = Math.floor(begun++ / Math.min(first.maxStreams, MAX_STREAMS));
        return (connections[at] ??= Http2Connection.open(access));
      };
      return {
        watch(path, onData, onEnd) {
          next().then((connection) => {
            connection.request("GET", path, undefined, {
              onStatus: (status) => {
                if (isRefusal(status)) onEnd(new Error(`GET ${path}: ${status}`));
              },
              onData,
              onEnd: (error = new Error("a watch has ended before its time")) => onEnd(error),
            });
          }, onEnd);
        },
        async [Symbol.asyncDispose]() {
          // One that could not be opened has told its watches so.
          for (const opening of connections) (await opening.catch(() => undefined))?.close();
        },
      };
    },
  };
}

function senderOver(connection: Http2Connection): Send {
  return (method, path, body, onData) =>
    new Promise((resolve, reject) => {
      let status = 0;
      let bytes = 0;
      let words = "";
      connection.request(method, path, body === undefined ? undefined : JSON.stringify(body), {
        onStatus: (it) => {
          status = it;
        },
        onData: (piece) => {
          bytes += piece.length;
          if (isRefusal(status)) words += piece.toString();
          onData?.(piece);
        },
        onEnd: (error) => {
          if (error !== undefined) reject(error);
          else if (isRefusal(status)) reject(refusal(method, path, status, words));
          else resolve(bytes);
        },
      });
    });
}
