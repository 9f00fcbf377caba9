/** The connections of a server: those that break the protocol, and the end of all. */
import type { ServerResponse } from "node:http";
import type { Server } from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { explainClientError, refusalText } from "./refusal.ts";

/** How long somebody who is refused in mid-sentence may go on talking. Closing at once could take the answer back (TCP reset). */
const LINGER_MS = 500;

export interface Connections {
  readonly count: number;
  /** To be told of every request, when it begins. */
  answering(response: ServerResponse): void;
  /** Takes no more; closes each when its request is done, and all after this many milliseconds. Resolves when none is left. */
  close(graceMs: number): Promise<void>;
}

/** Begins to look after a server's connections; `onRefused` is told the status that a malformed request was answered with. */
export function trackConnections(server: Server, onRefused: (code: number) => void): Connections {
  const sockets = new Set<Socket>();
  const secured = new WeakSet<Duplex>();
  const answers = new WeakMap<Duplex, ServerResponse>();
  let closing = false;

  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("secureConnection", (socket) => {
    secured.add(socket);
    if (closing) socket.destroy();
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    const answer = answers.get(socket);
    const answered = answer?.headersSent === true && !answer.writableFinished;
    // Without a handshake there is no way to say anything, and in the middle of an answer no place.
    if (!secured.has(socket) || !socket.writable || answered || error.code === "ECONNRESET") {
      socket.destroy();
      return;
    }
    const refusal = explainClientError(error);
    onRefused(refusal.code);
    sayFarewell(socket, refusalText(refusal));
  });

  return {
    get count() {
      return sockets.size;
    },
    answering(response) {
      if (response.socket !== null) answers.set(response.socket, response);
      // Node closes what is idle when a server begins to close; what becomes idle later is left to us.
      response.once("close", () => {
        if (closing) server.closeIdleConnections();
      });
    },
    async close(graceMs) {
      closing = true;
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      const end = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, graceMs);
      await closed;
      clearTimeout(end);
    },
  };
}

function sayFarewell(socket: Duplex, text: string): void {
  const end = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(end));
  // Whatever else comes is thrown away, by nobody that would look into it.
  socket.removeAllListeners("data").on("data", () => {});
  socket.end(text);
}
