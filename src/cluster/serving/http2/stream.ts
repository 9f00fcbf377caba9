/** One request and its answer: a stream of a connection. */
import { StatusError } from "../../api/status-error.ts";
import { brokenOff, overLimit } from "../body-refusals.ts";
import { encodeFields } from "./hpack/index.ts";
import { CODE } from "./protocol.ts";
import type { RequestHead } from "./request-head.ts";

/** What a stream needs of its connection. */
export interface StreamHost {
  /** Sends the head of an answer, which is all of it when it is `whole`. */
  sendHead(stream: ServerStream, block: Buffer, whole: boolean): void;
  /** Sends this much of a body, if all of it may be sent at once. */
  sendNow(stream: ServerStream, bytes: Buffer): boolean;
  /** There is something to send of the body, or its end. */
  sendBody(stream: ServerStream): void;
  /** Tells the client that the stream is over, and why. */
  reset(stream: ServerStream, code: number): void;
  /** Resolves when the connection has got rid of what was written; undefined when it has. */
  sent(): Promise<void> | undefined;
  /** So many bytes more wait to be sent; or less. */
  queued(bytes: number): void;
  /** So many bytes of a body are no longer held: the client may send more. */
  taken(bytes: number): void;
}

const CONTINUE = encodeFields([[":status", "100"]]);

export class ServerStream {
  readonly id: number;
  #head: RequestHead;
  /** When the head was there. */
  readonly since: number;
  readonly #host: StreamHost;

  /** How much the client lets us send. */
  window: number;
  /** How much we let the client send. */
  receiveWindow: number;
  /** What waits to be sent. */
  readonly #queue: Buffer[] = [];
  queuedBytes = 0;
  /** When it had to begin to wait with what it has to send, or last could send a good deal of it. */
  progressAt = 0;
  /** What it could send since then. */
  progressBytes = 0;
  #room: PromiseWithResolvers<void> | undefined;
  #state: "waiting" | "begun" | "ending" | "ended" = "waiting";
  #code = 200;
  #gone = false;
  #onGone: (() => void) | undefined;

  /** The body, as far as it is there. */
  #chunks: Buffer[] = [];
  received = 0;
  /** So much of it nobody has asked for yet. */
  #unasked = 0;
  #isRefused = false;
  #isWhole: boolean;
  #reader: BodyReader | undefined;

  constructor(host: StreamHost, id: number, head: RequestHead, start: StreamStart) {
    this.#host = host;
    this.id = id;
    this.#head = head;
    this.since = start.now;
    this.window = start.window;
    this.receiveWindow = start.receiveWindow;
    this.#isWhole = start.isWhole;
  }

  get head(): RequestHead {
    return this.#head;
  }

  /** Nobody looks at the headers any more. They are most of what a stream takes that is open for an hour. */
  forgetHeaders(): void {
    this.#head = { ...this.#head, headers: {}, fields: [] };
  }

  /** All of the request is there. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** The answer has begun, or there is nobody to answer. */
  get isBegun(): boolean {
    return this.#state !== "waiting" || this.#gone;
  }

  /** All of the answer is on its way. */
  get isAnswered(): boolean {
    return this.#state === "ended";
  }

  /** Nobody is at the other end any more. */
  get isGone(): boolean {
    return this.#gone;
  }

  /** What was answered. */
  get code(): number {
    return this.#code;
  }

  /** Calls once when the client goes before it has all of the answer; at once when it has gone. */
  onGone(listener: () => void): void {
    if (this.#gone) listener();
    else this.#onGone = listener;
  }

  // The request.

  /** The body as it was sent. Rejects with a `StatusError` beyond `limit` bytes, and when it is broken off. To be asked for once. */
  readBody(limit: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#reader = { limit, resolve, reject };
      this.#takeUnasked();
      if (this.#gone) this.#fail(brokenOff());
      else this.#settleBody();
    });
  }

  /** More of the body. */
  receive(bytes: Buffer): void {
    this.received += bytes.length;
    if (this.#isRefused) {
      this.#host.taken(bytes.length);
      return;
    }
    this.#chunks.push(bytes);
    this.#unasked += bytes.length;
    if (this.#reader === undefined) return;
    this.#takeUnasked();
    this.#settleBody();
  }

  #takeUnasked(): void {
    this.#host.taken(this.#unasked);
    this.#unasked = 0;
  }

  /** That was all of it. */
  receivedAll(): void {
    this.#isWhole = true;
    this.#settleBody();
  }

  /** The rest of the body did not come in time. */
  late(): void {
    if (!this.#isWhole) this.#fail(new StatusError(408, "Timeout", "the request did not arrive in time"));
  }

  #settleBody(): void {
    if (this.#reader === undefined) return;
    const { limit, resolve } = this.#reader;
    if (this.received > limit) this.#fail(overLimit(limit));
    else if (this.#isWhole) {
      resolve(
        this.#chunks.length === 1 && this.#chunks[0] !== undefined ? this.#chunks[0] : Buffer.concat(this.#chunks),
      );
      this.#chunks = [];
    }
  }

  #fail(error: StatusError): void {
    this.#reader?.reject(error);
    this.#isRefused = true;
    this.#chunks = [];
  }

  // The answer.

  /** Has the client send its body, if it waits for that. */
  goOn(): void {
    if (!this.isBegun) this.#host.sendHead(this, CONTINUE, false);
  }

  /** Sends the head; `whole` when nothing else comes. */
  begin(code: number, block: Buffer, whole = false): void {
    if (this.isBegun) return;
    this.#code = code;
    this.#state = whole ? "ended" : "begun";
    this.#host.sendHead(this, block, whole);
  }

  /** Adds to the body. False when there is nobody to send it to. */
  write(bytes: Buffer): boolean {
    if (this.#gone || this.#state !== "begun") return false;
    if (this.queuedBytes === 0 && this.#host.sendNow(this, bytes)) return true;
    this.#enqueue(bytes);
    this.#host.sendBody(this);
    return !this.#gone;
  }

  /** That was the body, with these bytes as the last of it. */
  end(bytes?: Buffer): void {
    if (this.#gone || this.#state !== "begun") return;
    this.#state = "ending";
    if (bytes !== undefined) this.#enqueue(bytes);
    this.#host.sendBody(this);
  }

  #enqueue(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#queue.push(bytes);
    this.queuedBytes += bytes.length;
    this.#host.queued(bytes.length);
  }

  /** Nothing waits to be sent, except perhaps the end. */
  get isEnding(): boolean {
    return this.#state === "ending";
  }

  /** Takes at most so many bytes off what waits. */
  take(limit: number): Buffer {
    const [first] = this.#queue;
    if (first === undefined) throw new TypeError("nothing waits to be sent");
    const part = first.length > limit ? first.subarray(0, limit) : first;
    if (part === first) this.#queue.shift();
    else this.#queue[0] = first.subarray(limit);
    this.queuedBytes -= part.length;
    this.#host.queued(-part.length);
    if (this.queuedBytes === 0) {
      this.#room?.resolve();
      this.#room = undefined;
    }
    return part;
  }

  /** The last of the answer is on its way. */
  sentAll(): void {
    this.#state = "ended";
  }

  /** Resolves when all that was written is on its way, or the client has gone; undefined when nothing waits. */
  drained(): Promise<void> | undefined {
    if (this.queuedBytes === 0 || this.#gone) return undefined;
    this.#room ??= Promise.withResolvers();
    return this.#room.promise;
  }

  /** The same for who has much to write, and need not be ahead of the system: also what others wrote has left it then. */
  async sent(): Promise<void> {
    await this.drained();
    if (!this.#gone) await this.#host.sent();
  }

  /** Breaks off an answer that cannot be finished. */
  cut(code: number = CODE.INTERNAL_ERROR): void {
    if (!this.#gone) this.#host.reset(this, code);
  }

  /** The stream is over, as far as the client is concerned. */
  close(): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#queue.length = 0;
    this.#host.queued(-this.queuedBytes);
    this.queuedBytes = 0;
    this.#room?.resolve();
    this.#takeUnasked();
    if (!this.#isWhole) this.#fail(brokenOff());
    if (this.#state !== "ended") this.#onGone?.();
    this.#onGone = undefined;
  }
}

export interface StreamStart {
  readonly now: number;
  readonly window: number;
  readonly receiveWindow: number;
  /** The request has no body. */
  readonly isWhole: boolean;
}

interface BodyReader {
  readonly limit: number;
  readonly resolve: (body: Buffer) => void;
  readonly reject: (error: StatusError) => void;
}
