/**
 * A network that exists in virtual time only: requests take their time, answers arrive in pieces, connections break. The
 * same seed gives the same history, to the millisecond.
 */
import { errorFromStatus, type Status, unreachable } from "../kube-error.ts";
import { sleep, type Timers } from "../timers.ts";
import { readValues } from "../transport/lines.ts";
import type { KubeRequest, Transport } from "../transport/transport.ts";
import type { Answer, ApiCore } from "./api-core.ts";
import type { Seeded } from "./seeded.ts";

export interface VirtualTransport extends Transport {
  /** Streams that are open now. */
  readonly streams: number;
  /** Breaks all streams, as a crash of the server does. */
  disconnect(): void;
}

interface Open {
  readonly chunks: Buffer[];
  ended: boolean;
  broken: Error | undefined;
  /** Something has arrived. */
  wake: () => void;
}

/** After this long without an answer a client gives up. */
const ANSWER_TIMEOUT = 65_000;

/** `userAgent`: by which the server may know who asks. */
export function createVirtualTransport(
  core: ApiCore,
  timers: Timers,
  seeded: Seeded,
  userAgent = "virtual",
): VirtualTransport {
  const open = new Set<Open>();
  const delay = (signal: AbortSignal | undefined): Promise<void> => sleep(timers, seeded.below(30), signal);

  async function ask(request: KubeRequest, signal: AbortSignal | undefined): Promise<Answer> {
    await delay(signal);
    const [path = "", query] = request.path.split("?");
    // A second look at the same objects must not see later changes: what is sent is a copy, as on a wire.
    const copy = <T>(value: T): T => (value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T));
    const { method, body } = request;
    const answer = core.handle({
      method,
      path,
      query: new URLSearchParams(query),
      headers: { "user-agent": userAgent },
      body: copy(body),
    });
    const sent = answer.kind === "json" ? { ...answer, body: copy(answer.body) } : answer;
    await delay(signal);
    if (sent.kind === "json" && sent.delay !== undefined) await sleep(timers, sent.delay, signal);
    return sent;
  }

  /** The body of a good answer; throws what the client would throw for any other. */
  async function expectJson<T>(answer: Answer, what: string, signal: AbortSignal | undefined): Promise<T> {
    switch (answer.kind) {
      case "silence":
        await sleep(timers, ANSWER_TIMEOUT, signal);
        throw unreachable(what, new Error("no answer"));
      case "drop":
      case "watch":
        throw unreachable(what, new Error("the connection broke"));
      case "json": {
        if (answer.cut === true) throw unreachable(what, new Error("the connection broke within the answer"));
        const wait = answer.retryAfter === undefined ? undefined : answer.retryAfter * 1000;
        if (answer.status >= 300) throw errorFromStatus(answer.body as Status, answer.status, what, wait);
        return answer.body as T;
      }
    }
  }

  async function* read(stream: Open, closed: () => void, signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
    const aborted = (): void => stream.wake();
    signal?.addEventListener("abort", aborted, { once: true });
    open.add(stream);
    try {
      for (;;) {
        signal?.throwIfAborted();
        const chunk = stream.chunks.shift();
        if (chunk !== undefined) yield chunk;
        else if (stream.broken !== undefined) throw stream.broken;
        else if (stream.ended) return;
        else await new Promise<void>((resolve) => (stream.wake = resolve));
      }
    } finally {
      signal?.removeEventListener("abort", aborted);
      open.delete(stream);
      closed();
    }
  }

  /** Pieces of what is written, cut anywhere, each after a while, in order. */
  function deliver(stream: Open, text: string): void {
    for (let rest = Buffer.from(text); rest.length > 0; ) {
      const size = 1 + seeded.below(rest.length);
      stream.chunks.push(rest.subarray(0, size));
      rest = rest.subarray(size);
    }
    timers.after(seeded.below(10), () => stream.wake());
  }

  return {
    get streams() {
      return open.size;
    },
    json: async (request, signal) => expectJson(await ask(request, signal), request.what ?? "", signal),
    async stream(request, signal) {
      const answer = await ask(request, signal);
      if (answer.kind !== "watch") return expectJson(answer, request.what ?? "", signal);
      const stream: Open = { chunks: [], ended: false, broken: undefined, wake() {} };
      const closed = answer.serve({
        write: (text) => deliver(stream, text),
        end() {
          stream.ended = true;
          stream.wake();
        },
        cut() {
          stream.broken = new Error("the connection broke");
          stream.wake();
        },
      });
      return readValues(read(stream, closed, signal), request.what ?? "");
    },
    disconnect() {
      for (const stream of open) {
        // What is under way may arrive or not, but never without what was sent before it.
        stream.chunks.length = seeded.below(stream.chunks.length + 1);
        stream.broken = new Error("the server crashed");
        stream.wake();
      }
    },
    close: async () => {},
  };
}
