/**
 * A wire between a client and our server that can be cut. Our server answers to no port but its own, so the wire begins at the
 * same port of another loopback address.
 */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface Wire {
  /** What the client is to use; the certificate is still that of 127.0.0.1. */
  readonly url: string;
  /** Cuts all connections, in the middle of whatever they carry. New ones can be made at once. */
  cut(): void;
  stop(): Promise<void>;
}

const ADDRESS = "127.0.0.2";

export async function startWire(port: number): Promise<Wire> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket
        .on("error", () => {})
        .on("close", () => {
          sockets.delete(socket);
          other.destroy();
        });
      socket.pipe(other);
    }
  });
  server.listen(port, ADDRESS);
  await once(server, "listening");
  const cut = () => sockets.forEach((socket) => socket.destroy());
  return {
    url: `https://${ADDRESS}:${port}`,
    cut,
    async stop() {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}
