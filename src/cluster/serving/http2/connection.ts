/**
 * One connection that speaks HTTP/2 (RFC 9113), from the server's side. Written for what Kubernetes' clients do with it: many watches on
 * one connection that all are told the same, and short requests between them. There is no push, no priorities, and no tunnels.
 */
import type { Duplex } from "node:stream";
import { StatusError } from "../../api/status-error.ts";
import { type ListenerLimits, STALLED_MS } from "../limits.ts";
import { createEndedStreams } from "./ended-streams.ts";
import { createFewPerTurn } from "./few-per-turn.ts";
import { createFrameReader, type Frame } from "./frame-reader.ts";
import { createHeaderBlocks, type HeaderBlock } from "./header-blocks.ts";
import type { Field } from "./hpack/index.ts";
import { createOutput } from "./output.ts";
import { defaultPeerSettings, takeSettings } from "./peer-settings.ts";
import * as protocol from "./protocol.ts";
import { CODE, ConnectionError, FLAG, FRAME, SETTING, StreamError } from "./protocol.ts";
import { createReceiveWindow } from "./receive-window.ts";
import { type RequestHead, readHead } from "./request-head.ts";
import { createSender } from "./sender.ts";
import { ServerStream, type StreamHost } from "./stream.ts";
import { unpadded } from "./unpadded.ts";

export interface Http2Options {
  readonly limits: ListenerLimits;
  /** Answers a request, or says what there is against it. Resolves when nothing more is done about it. Never rejects. */
  readonly take: (stream: ServerStream, objection?: StatusError) => Promise<void>;
  /** Called for each stream that was cut because its client did not read. */
  readonly onSlowReader: () => void;
  /** @default 60 s */
  readonly stalledMs?: number;
}

export interface Http2Connection {
  /** Looks for what is late. To be called now and then. */
  check(now: number): void;
  /** Takes no more requests; closes when those under way are answered. */
  goAway(): void;
}

/** A request can send so much of its body unasked: more than any may have. */
const STREAM_WINDOW = 4 * 2 ** 20;
/** All requests of a connection together, while nobody has asked for it. */
const CONNECTION_WINDOW = 8 * 2 ** 20;
/** Frames that ask for work and bring nothing, between two looks. */
const MAX_NUISANCES = 10_000;
/** How long somebody whom we do not understand may go on talking. Closing at once could take the last words back (TCP reset). */
const LINGER_MS = 500;

const TOO_LARGE = new StatusError(431, "BadRequest", "the headers of the request are too large");
const NO_HEAD: RequestHead = { method: "GET", url: "/", headers: {}, fields: [], contentLength: undefined };

export function serveHttp2(socket: Duplex, options: Http2Options): Http2Connection {
  const { limits, stalledMs = STALLED_MS } = options;
  const peer = defaultPeerSettings();
  const streams = new Map<number, ServerStream>();
  const blocks = createHeaderBlocks(limits.headerBytes);
  const openedAt = performance.now();
  let greeted = false;
  let lastStream = 0;
  let underWay = 0;
  let nuisances = 0;
  let idleSince = openedAt;
  let state: "open" | "closing" | "closed" = "open";

  const output = createOutput(socket, () => sender.resumeAll());
  const ended = createEndedStreams(output);
  const begin = createFewPerTurn();
  const receiveWindow = createReceiveWindow(output, CONNECTION_WINDOW);
  const sender = createSender({
    output,
    peer,
    onSentAll: sentAll,
    onSlowReader: options.onSlowReader,
    cutAll: () => cutSlowReader(),
  });
  const cutSlowReader = (): void => {
    options.onSlowReader();
    socket.destroy();
  };
  const host: StreamHost = {
    sendHead(stream, block, whole) {
      sender.sendHead(stream.id, block, whole);
      if (whole) forget(stream);
    },
    sendNow: (stream, bytes) => sender.sendNow(stream, bytes),
    sendBody: (stream) => sender.sendBody(stream),
    sent: () => output.sent(),
    queued: (bytes) => sender.queued(bytes),
    reset(stream, code) {
      output.reset(stream.id, code);
      if (!stream.isWhole) ended.cut(stream.id);
      forget(stream);
    },
    taken: (bytes) => receiveWindow.taken(bytes),
  };

  // Sending.

  function sentAll(stream: ServerStream): void {
    stream.sentAll();
    forget(stream);
  }

  /** Nothing more is sent on it. */
  function forget(stream: ServerStream): void {
    if (stream.isAnswered && !stream.isWhole) ended.answered(stream.id, performance.now());
    streams.delete(stream.id);
    sender.forget(stream);
    stream.close();
    if (streams.size > 0) return;
    idleSince = performance.now();
    if (state === "closing") finish();
  }

  // Receiving.

  function take(frame: Frame): void {
    if (!greeted && frame.type !== FRAME.SETTINGS) {
      throw new ConnectionError(CODE.PROTOCOL_ERROR, "SETTINGS do not come first");
    }
    const block = blocks.take(frame);
    switch (frame.type) {
      case FRAME.DATA:
        takeData(frame);
        break;
      case FRAME.HEADERS:
      case FRAME.CONTINUATION:
        if (frame.stream % 2 === 0) throw new ConnectionError(CODE.PROTOCOL_ERROR, "not a stream of a client");
        if (block !== undefined) takeHead(block);
        break;
      case FRAME.PRIORITY:
        beWary();
        if (frame.stream === 0) throw new ConnectionError(CODE.PROTOCOL_ERROR, "PRIORITY of no stream");
        if (frame.payload.length !== 5)
          throw new StreamError(frame.stream, CODE.FRAME_SIZE_ERROR, "PRIORITY of odd length");
        if ((frame.payload.readUInt32BE(0) & 0x7fff_ffff) === frame.stream) {
          throw new StreamError(frame.stream, CODE.PROTOCOL_ERROR, "a stream that depends on itself");
        }
        break;
      case FRAME.RST_STREAM:
        takeReset(frame);
        break;
      case FRAME.SETTINGS:
        takeNewSettings(frame);
        break;
      case FRAME.PUSH_PROMISE:
        throw new ConnectionError(CODE.PROTOCOL_ERROR, "clients do not push");
      case FRAME.PING:
        beWary();
        ofTheConnection(frame, 8);
        if ((frame.flags & FLAG.ACK) === 0) output.frame(FRAME.PING, FLAG.ACK, 0, frame.payload);
        break;
      case FRAME.GOAWAY:
        if (frame.stream !== 0) throw new ConnectionError(CODE.PROTOCOL_ERROR, "GOAWAY on a stream");
        goAway();
        break;
      case FRAME.WINDOW_UPDATE:
        takeWindowUpdate(frame);
        break;
      default: // There are others, and there may be more.
        beWary();
    }
  }

  function ofTheConnection({ stream, payload }: Frame, length: number): void {
    if (stream !== 0) throw new ConnectionError(CODE.PROTOCOL_ERROR, "a frame of the connection on a stream");
    if (payload.length !== length) throw new ConnectionError(CODE.FRAME_SIZE_ERROR, "a frame of the wrong length");
  }

  /** Who keeps us busy with nothing is cut off. */
  function beWary(): void {
    if (++nuisances > MAX_NUISANCES) throw new ConnectionError(CODE.ENHANCE_YOUR_CALM, "too many frames for nothing");
  }

  function takeHead({ stream: id, fields, tooLarge, endStream }: HeaderBlock): void {
    const known = streams.get(id);
    if (known !== undefined) {
      takeTrailers(known, fields, endStream);
      return;
    }
    if (id <= lastStream) {
      if (endStream) ended.heardAll(id);
      if (ended.has(id)) return;
      throw new ConnectionError(CODE.STREAM_CLOSED, `a head on stream ${id}, which is closed`);
    }
    // Who was told to go asks again elsewhere.
    if (state !== "open") return;
    lastStream = id;
    if (underWay >= 2 * limits.streams)
      throw new ConnectionError(CODE.ENHANCE_YOUR_CALM, "too many requests at a time");
    if (streams.size >= limits.streams) {
      ended.cut(id);
      output.reset(id, CODE.REFUSED_STREAM);
      return;
    }
    const head = tooLarge ? NO_HEAD : readHead(fields);
    if (typeof head === "string") throw new StreamError(id, CODE.PROTOCOL_ERROR, head);
    if (endStream && (head.contentLength ?? 0) > 0)
      throw new StreamError(id, CODE.PROTOCOL_ERROR, "the body is missing");
    const start = { now: performance.now(), window: peer.window, receiveWindow: STREAM_WINDOW, isWhole: endStream };
    const stream = new ServerStream(host, id, head, start);
    streams.set(id, stream);
    underWay++;
    begin(() => {
      // Who opens streams only to reset them has no work done for it.
      if (stream.isGone) underWay--;
      else void options.take(stream, tooLarge ? TOO_LARGE : undefined).then(() => underWay--);
    });
  }

  /** What they say is of no interest. */
  function takeTrailers(stream: ServerStream, fields: readonly Field[], endStream: boolean): void {
    if (stream.isWhole) throw new StreamError(stream.id, CODE.STREAM_CLOSED, "the request was over");
    if (!endStream || fields.some(([name]) => name.startsWith(":"))) {
      throw new StreamError(stream.id, CODE.PROTOCOL_ERROR, "a second head");
    }
    receivedAll(stream);
  }

  function takeData(frame: Frame): void {
    const { stream: id, flags, payload } = frame;
    if (id === 0) throw new ConnectionError(CODE.PROTOCOL_ERROR, "DATA of no stream");
    receiveWindow.received(payload.length);
    const bytes = unpadded(frame);
    const stream = streams.get(id);
    receiveWindow.taken(stream === undefined ? payload.length : payload.length - bytes.length);
    const endStream = (flags & FLAG.END_STREAM) !== 0;
    if (stream === undefined) {
      if (endStream) ended.heardAll(id);
      if (isUnheard(id) || ended.has(id)) return;
      throw new StreamError(id, CODE.STREAM_CLOSED, "the stream is closed");
    }
    if (stream.isWhole) throw new StreamError(id, CODE.STREAM_CLOSED, "the request was over");
    stream.receiveWindow -= payload.length;
    if (stream.receiveWindow < 0) throw new StreamError(id, CODE.FLOW_CONTROL_ERROR, "more than the stream may send");
    if (bytes.length === 0 && !endStream) beWary();
    const { contentLength = Number.POSITIVE_INFINITY } = stream.head;
    if (stream.received + bytes.length > contentLength) {
      throw new StreamError(id, CODE.PROTOCOL_ERROR, "more than content-length says");
    }
    stream.receive(bytes);
    if (endStream) receivedAll(stream);
  }

  /** Whether it is a stream that came when no more were taken. Throws for one that was never begun. */
  function isUnheard(stream: number): boolean {
    if (stream <= lastStream) return false;
    if (state !== "open") return true;
    throw new ConnectionError(CODE.PROTOCOL_ERROR, "something on a stream that is not open");
  }

  function receivedAll(stream: ServerStream): void {
    const { contentLength } = stream.head;
    if (contentLength !== undefined && contentLength !== stream.received) {
      throw new StreamError(stream.id, CODE.PROTOCOL_ERROR, "less than content-length says");
    }
    stream.receivedAll();
  }

  function takeReset({ stream: id, payload }: Frame): void {
    beWary();
    if (payload.length !== 4) throw new ConnectionError(CODE.FRAME_SIZE_ERROR, "RST_STREAM of odd length");
    if (id === 0) throw new ConnectionError(CODE.PROTOCOL_ERROR, "RST_STREAM of no stream");
    if (isUnheard(id)) return;
    ended.heardAll(id);
    const stream = streams.get(id);
    if (stream !== undefined) gone(stream);
  }

  /** The client does not want it any more. */
  function gone(stream: ServerStream): void {
    stream.close();
    forget(stream);
  }

  function takeNewSettings(frame: Frame): void {
    beWary();
    if ((frame.flags & FLAG.ACK) !== 0) {
      ofTheConnection(frame, 0);
      if (!greeted) throw new ConnectionError(CODE.PROTOCOL_ERROR, "SETTINGS do not come first");
      return;
    }
    ofTheConnection(frame, frame.payload.length);
    greeted = true;
    const before = peer.window;
    takeSettings(peer, frame.payload);
    for (const stream of streams.values()) {
      stream.window += peer.window - before;
      if (stream.window > protocol.MAX_WINDOW) throw new ConnectionError(CODE.FLOW_CONTROL_ERROR, "a window too large");
    }
    output.frame(FRAME.SETTINGS, FLAG.ACK, 0);
    if (peer.window > before) sender.resumeAll();
  }

  function takeWindowUpdate({ stream: id, payload }: Frame): void {
    if (payload.length !== 4) throw new ConnectionError(CODE.FRAME_SIZE_ERROR, "WINDOW_UPDATE of odd length");
    const more = payload.readUInt32BE(0) & 0x7fff_ffff;
    if (id === 0) {
      if (more === 0) throw new ConnectionError(CODE.PROTOCOL_ERROR, "WINDOW_UPDATE of nothing");
      sender.grow(more);
      return;
    }
    if (isUnheard(id)) return;
    const stream = streams.get(id);
    if (more === 0) throw new StreamError(id, CODE.PROTOCOL_ERROR, "WINDOW_UPDATE of nothing");
    if (stream === undefined) return;
    stream.window += more;
    if (stream.window > protocol.MAX_WINDOW) throw new StreamError(id, CODE.FLOW_CONTROL_ERROR, "a window too large");
    sender.resume(stream);
  }

  // The end.

  function goAway(): void {
    if (state !== "open") return;
    state = "closing";
    output.goAway(lastStream, CODE.NO_ERROR, "");
    if (streams.size === 0) finish();
  }

  function finish(): void {
    if (state === "closed") return;
    state = "closed";
    output.end();
    linger();
  }

  function linger(): void {
    const end = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once("close", () => clearTimeout(end));
  }

  function fail({ code, message }: ConnectionError): void {
    if (state === "closed") return;
    output.goAway(lastStream, code, message);
    finish();
    abandon();
  }

  function abandon(): void {
    const all = [...streams.values()];
    streams.clear();
    for (const stream of all) {
      sender.forget(stream);
      stream.close();
    }
  }

  const read = createFrameReader(protocol.DEFAULT_FRAME_BYTES, (frame) => {
    try {
      if (state !== "closed") take(frame);
    } catch (error) {
      if (!(error instanceof StreamError)) throw error;
      const stream = streams.get(error.stream);
      ended.cut(error.stream);
      if (stream === undefined) output.reset(error.stream, error.code);
      else stream.cut(error.code);
    }
  });
  socket.on("data", (chunk: Buffer) => {
    if (state === "closed") return;
    try {
      read(chunk);
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      fail(error);
    }
  });
  // What is wrong with the socket ends it, and that is all there is to say.
  socket.on("error", () => {});
  socket.once("close", () => {
    state = "closed";
    abandon();
  });
  output.settings([
    [SETTING.MAX_CONCURRENT_STREAMS, limits.streams],
    [SETTING.INITIAL_WINDOW_SIZE, STREAM_WINDOW],
    [SETTING.MAX_HEADER_LIST_SIZE, limits.headerBytes],
  ]);
  receiveWindow.open();

  return {
    goAway,
    check(now) {
      if (state === "closed" || socket.destroyed) return;
      nuisances = 0;
      const headSince = greeted ? blocks.since : openedAt;
      if (headSince !== undefined && now - headSince > limits.headersMs) {
        fail(new ConnectionError(CODE.ENHANCE_YOUR_CALM, "the request did not arrive in time"));
        return;
      }
      ended.check(now);
      for (const stream of streams.values()) if (now - stream.since > limits.requestMs) stream.late();
      sender.cutStalled(now - stalledMs);
      if (output.unsentSince !== undefined && now - output.unsentSince > stalledMs) cutSlowReader();
      if (streams.size === 0 && now - idleSince > limits.idleMs) goAway();
    },
  };
}
