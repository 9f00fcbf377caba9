/**
 * One connection over HTTP/2, as light as it can be made: what the client takes must not be most of what is measured. A request is one
 * write, and an answer costs a look into a map for each of its frames.
 */
import type { OnReadOpts } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import { createHpackDecoder } from "../../../src/cluster/serving/http2/hpack/index.ts";
import type { Method } from "../client.ts";
import type { Access } from "../contender.ts";
import { FrameReader } from "./frame-reader.ts";
import * as frames from "./frames.ts";
import { RequestFields, TABLE_BYTES } from "./request-fields.ts";

/** Of an answer: as much as a list of everything has, and of all together: as client-go does. */
const STREAM_WINDOW = 16 * 2 ** 20;
const CONNECTION_WINDOW = 2 ** 30;
const READ_BYTES = 2 ** 16;

export interface Exchange {
  onStatus(status: number): void;
  /** The piece is there until the call is over; to keep it is to copy it. */
  onData(piece: Buffer): void;
  /** The answer is whole; or it will never be, and why. Called once. */
  onEnd(error?: Error): void;
}

interface Stream {
  readonly exchange: Exchange;
  /** Bytes since the last time that the server was told to go on. */
  taken: number;
}

export class Http2Connection {
  readonly #socket: TLSSocket;
  readonly #fields: RequestFields;
  readonly #streams = new Map<number, Stream>();
  readonly #decoder = createHpackDecoder({ tableBytes: TABLE_BYTES, maxListBytes: 2 ** 20 });
  readonly #ready = Promise.withResolvers<void>();
  #nextStream = 1;
  #maxStreams = Number.POSITIVE_INFINITY;
  #sendWindow = frames.INITIAL_WINDOW;
  #taken = 0;
  /** The block of an answer that goes on in the next frame. */
  #block: Buffer[] = [];
  #blockEnds = false;
  #failure: Error | undefined;

  /** Resolves when the server has said what it allows. */
  static async open(access: Access): Promise<Http2Connection> {
    const connection = new Http2Connection(access);
    await connection.#ready.promise;
    return connection;
  }

  private constructor({ url, ca, token }: Access) {
    const { hostname, port, host } = new URL(url);
    this.#fields = new RequestFields(host, token);
    const reader = new FrameReader({
      onData: (stream, piece, last) => this.#onData(stream, piece, last),
      onFrame: (type, flags, stream, payload) => this.#onFrame(type, flags, stream, payload),
    });
    const read = (length: number, bytes: Uint8Array): boolean => {
      try {
        reader.read(Buffer.from(bytes.buffer, bytes.byteOffset, length));
      } catch (error) {
        this.#fail(error as Error);
      }
      return true;
    };
    // Always the same memory: a new piece of it for each event, and a stream to hand it on, take longer than the event itself.
    const onread: OnReadOpts = { buffer: Buffer.alloc(READ_BYTES), callback: read };
    const options = { host: hostname, port: Number(port), ca, ALPNProtocols: ["h2", "http/1.1"], onread };
    this.#socket = connect(options);
    this.#socket.setNoDelay(true);
    this.#socket.once("secureConnect", () => {
      const chosen = this.#socket.alpnProtocol || "nothing";
      if (chosen === "h2") this.#socket.write(frames.preface(STREAM_WINDOW, CONNECTION_WINDOW));
      else this.#fail(new Error(`${url} does not speak HTTP/2: asked for h2, it chose ${chosen}`));
    });
    this.#socket.once("error", (error) => this.#fail(error));
    this.#socket.once("close", () => this.#fail(new Error("the server has closed the connection")));
  }

  /** Streams that the server allows, open ones included. */
  get maxStreams(): number {
    return this.#maxStreams;
  }

  request(method: Method, path: string, body: string | undefined, exchange: Exchange): void {
    if (this.#failure !== undefined) return exchange.onEnd(this.#failure);
    if (this.#streams.size >= this.#maxStreams) return exchange.onEnd(new Error("the server allows no more streams"));
    const text = body === undefined ? undefined : Buffer.from(body);
    const block = this.#fields.encode(method, path, text?.length);
    const stream = this.#nextStream;
    this.#nextStream += 2;
    this.#streams.set(stream, { exchange, taken: 0 });
    const flags = text === undefined ? frames.END_HEADERS | frames.END_STREAM : frames.END_HEADERS;
    const parts = [frames.frameHead(block.length, frames.HEADERS, flags, stream), block];
    if (text !== undefined) {
      this.#sendWindow -= text.length;
      if (this.#sendWindow < 0) return this.#fail(new Error("the server does not take more of a body"));
      parts.push(frames.frameHead(text.length, frames.DATA, frames.END_STREAM, stream), text);
    }
    this.#socket.write(Buffer.concat(parts));
  }

  close(): void {
    // Not for those that are still waiting: it is their own side that leaves.
    this.#streams.clear();
    this.#socket.destroy();
  }

  #onData(id: number, piece: Buffer, last: boolean): void {
    this.#taken += piece.length;
    if (this.#taken > CONNECTION_WINDOW / 2) {
      this.#socket.write(frames.windowUpdate(0, this.#taken));
      this.#taken = 0;
    }
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    stream.taken += piece.length;
    if (stream.taken > STREAM_WINDOW / 2 && !last) {
      this.#socket.write(frames.windowUpdate(id, stream.taken));
      stream.taken = 0;
    }
    if (piece.length > 0) stream.exchange.onData(piece);
    if (last) this.#end(id);
  }

  #onFrame(type: number, flags: number, id: number, payload: Buffer): void {
    switch (type) {
      case frames.HEADERS:
        this.#blockEnds = (flags & frames.END_STREAM) !== 0;
        this.#onFields(id, withoutPadding(flags, payload), flags);
        break;
      case frames.CONTINUATION:
        this.#onFields(id, payload, flags);
        break;
      case frames.SETTINGS:
        if ((flags & frames.ACK) === 0) this.#onSettings(payload);
        break;
      case frames.PING:
        if ((flags & frames.ACK) === 0) {
          this.#socket.write(Buffer.concat([frames.frameHead(8, frames.PING, frames.ACK, 0), payload]));
        }
        break;
      case frames.WINDOW_UPDATE:
        if (id === 0) this.#sendWindow += payload.readUInt32BE();
        break;
      case frames.RST_STREAM:
        this.#end(id, new Error(`the server has given up a request (error ${payload.readUInt32BE()})`));
        break;
      case frames.GOAWAY: {
        const why = payload.toString("latin1", 8);
        this.#fail(new Error(`the server has given up the connection (error ${payload.readUInt32BE(4)}) ${why}`));
        break;
      }
      default:
      // Others are to be ignored (RFC 9113, section 4.1).
    }
  }

  #onFields(id: number, fragment: Buffer, flags: number): void {
    if ((flags & frames.END_HEADERS) === 0) {
      this.#block.push(Buffer.from(fragment));
      return;
    }
    const { fields } = this.#decoder.decode(
      this.#block.length === 0 ? fragment : Buffer.concat([...this.#block, fragment]),
    );
    this.#block = [];
    // What comes after the body has none.
    const [name, status] = fields[0] ?? [];
    if (name === ":status" && Number(status) >= 200) this.#streams.get(id)?.exchange.onStatus(Number(status));
    if (this.#blockEnds) this.#end(id);
  }

  #onSettings(payload: Buffer): void {
    for (const [setting, value] of frames.readSettings(payload)) {
      if (setting === frames.MAX_CONCURRENT_STREAMS) this.#maxStreams = value;
      if (setting === frames.HEADER_TABLE_SIZE && value < TABLE_BYTES)
        throw new Error(
          `the server has a table of ${value} octets for header fields, and this client needs ${TABLE_BYTES}`,
        );
    }
    this.#socket.write(frames.frameHead(0, frames.SETTINGS, frames.ACK, 0));
    this.#ready.resolve();
  }

  #end(id: number, error?: Error): void {
    const stream = this.#streams.get(id);
    this.#streams.delete(id);
    stream?.exchange.onEnd(error);
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#ready.reject(error);
    for (const id of this.#streams.keys()) this.#end(id, error);
    this.#socket.destroy();
  }
}

function withoutPadding(flags: number, payload: Buffer): Buffer {
  const padding = (flags & frames.PADDED) === 0 ? 0 : (payload[0] ?? 0);
  const start = ((flags & frames.PADDED) === 0 ? 0 : 1) + ((flags & frames.PRIORITY) === 0 ? 0 : 5);
  return payload.subarray(start, payload.length - padding);
}
