/**
 * One connection to one CSI driver, over its unix socket.
 *
 * It connects with the first call, and from then on by itself: when the driver goes away it is tried again after 100 ms,
 * 160 ms, … at most 1 s, until `close`. Calls made meanwhile fail at once with `Unavailable`; nothing is sent twice.
 */
import {
  create,
  type DescMessage,
  type DescMethodUnary,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import {
  Client,
  type ClientUnaryCall,
  connectivityState,
  credentials,
  Metadata,
  type MethodDefinition,
} from "@grpc/grpc-js";
import { methodDefinition } from "./adapter.ts";
import { CsiError } from "./error.ts";
import { canceled, csiErrorFrom } from "./failure.ts";
import type { ObservedCall } from "./observer.ts";

export interface ConnectionOptions {
  readonly socketPath: string;
  /** Called after each call, whatever its end. */
  readonly onCall: (call: Omit<ObservedCall, "driverName">) => void;
  /** Called each time a connection that stood is gone. */
  readonly onLost: () => void;
}

export interface Connection {
  /**
   * Makes one call. Gives the driver's answer, or throws a `CsiError`: `DeadlineExceeded` after `timeoutMs`, `Canceled`
   * when the signal is aborted, `Unavailable` when the driver cannot be reached or broke off.
   */
  call<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<MessageShape<O>>;
  /** How often the connection was lost so far: what was learnt under another count may no longer hold. */
  losses(): number;
  /** Ends the calls under way with `Canceled`, and every later one. May be called twice. */
  close(): void;
}

const CHANNEL_OPTIONS = {
  // The peer is a process next door: waiting long between attempts wins nothing.
  "grpc.initial_reconnect_backoff_ms": 100,
  "grpc.max_reconnect_backoff_ms": 1000,
  // Otherwise grpc-js drops an idle connection after half an hour, which would look like a lost driver.
  "grpc.client_idle_timeout_ms": 2 ** 31 - 1,
  // Two clients of one driver must not share a connection, nor each other's losses.
  "grpc.use_local_subchannel_pool": 1,
  "grpc.enable_retries": 0,
  "grpc.enable_http_proxy": 0,
  // The whole list of a driver's volumes may well be more than the 4 MiB that are usual.
  "grpc.max_receive_message_length": -1,
};

export function openConnection({ socketPath, onCall, onLost }: ConnectionOptions): Connection {
  const client = new Client(`unix:${socketPath}`, credentials.createInsecure(), CHANNEL_OPTIONS);
  const channel = client.getChannel();
  const underWay = new Set<ClientUnaryCall>();
  let losses = 0;
  let closed = false;

  const watch = (before: connectivityState): void => {
    channel.watchConnectivityState(before, Number.POSITIVE_INFINITY, () => {
      if (closed) return;
      if (before === connectivityState.READY) {
        losses++;
        queueMicrotask(onLost);
      }
      // Asking with `true` starts the next attempt where grpc-js would wait for a call.
      watch(channel.getConnectivityState(true));
    });
  };
  watch(channel.getConnectivityState(false));

  const send = <I extends object, O>(
    { path, requestSerialize, responseDeserialize }: MethodDefinition<I, O>,
    request: I,
    secrets: readonly string[],
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<O> =>
    new Promise((resolve, reject) => {
      const call = client.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        request,
        new Metadata(),
        { deadline: Date.now() + timeoutMs },
        (error, response) => {
          underWay.delete(call);
          signal?.removeEventListener("abort", cancel);
          if (error === null) resolve(response as O);
          else reject(csiErrorFrom(error, { socketPath, secrets, signal }));
        },
      );
      const cancel = (): void => call.cancel();
      underWay.add(call);
      signal?.addEventListener("abort", cancel, { once: true });
    });

  return {
    async call(method, request, timeoutMs, signal) {
      const definition = methodDefinition(method);
      const started = performance.now();
      const observe = (code: ObservedCall["code"]): void =>
        onCall({ method: definition.path, code, seconds: (performance.now() - started) / 1000 });
      try {
        if (closed) throw new CsiError("Canceled", `the connection to ${socketPath} is closed`);
        if (signal?.aborted === true) throw canceled(signal);
        const message = create(method.input, request);
        const answer = await send(definition, message, secretsIn(method.input, message), timeoutMs, signal);
        observe("OK");
        return answer;
      } catch (error) {
        observe(error instanceof CsiError ? error.code : "Unknown");
        throw error;
      }
    },

    losses: () => losses,

    close() {
      if (closed) return;
      closed = true;
      for (const call of underWay) call.cancel();
      client.close();
    },
  };
}

/** The values of the fields that the proto marks with `debug_redact`. */
function secretsIn<I extends DescMessage>(schema: I, message: MessageShape<I>): string[] {
  const fields: Readonly<Record<string, unknown>> = message;
  return schema.fields
    .filter((field) => field.proto.options?.debugRedact === true)
    .flatMap((field) => Object.values((fields[field.localName] ?? {}) as Record<string, string>));
}
