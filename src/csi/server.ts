/**
 * The kit that drivers are built with: a CSI server on a unix socket, with handlers that take and give plain messages.
 */
import { chmod } from "node:fs/promises";
import {
  create,
  type DescMethodUnary,
  type DescService,
  type Message,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import {
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type StatusObject,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { messageOf } from "../core/errors.ts";
import { methodPath, serviceDefinition, unaryMethods } from "./adapter.ts";
import { socketPath } from "./address.ts";
import { CsiError } from "./error.ts";
import { Controller, Identity, Node } from "./generated/csi_pb.ts";
import { clearTheWay } from "./socket-file.ts";

/** One call, as the driver sees it. */
export interface ServerCall {
  /** The full name, `/csi.v1.Controller/ControllerExpandVolume`. */
  readonly method: string;
  /** Aborted when the caller gave up: its deadline passed, it cancelled, or it is gone. */
  readonly signal: AbortSignal;
}

/**
 * What a driver does for each method of a service. It gives the answer, or throws: a `CsiError` goes to the caller as it
 * is, anything else as `Unknown` with its message, as Go drivers do. A method that is not there is `Unimplemented`.
 */
export type Handlers<S extends { readonly method: object }> = {
  readonly [K in keyof S["method"]]?: S["method"][K] extends {
    readonly input: infer I extends DescMethodUnary["input"];
    readonly output: infer O extends DescMethodUnary["output"];
  }
    ? (request: MessageShape<I>, call: ServerCall) => MessageInitShape<O> | Promise<MessageInitShape<O>>
    : never;
};

export type IdentityHandlers = Handlers<typeof Identity>;
export type ControllerHandlers = Handlers<typeof Controller>;
export type NodeHandlers = Handlers<typeof Node>;

/** Stands around every handler: may look, wait, throw instead, or throw after the work was done. */
export type Interceptor = (
  call: ServerCall & { readonly request: Message },
  next: () => Promise<unknown>,
) => Promise<unknown>;

export interface CsiServerOptions {
  /** The socket to serve on: a path, or `unix://` and a path. Its folder must be there. */
  readonly address: string;
  readonly identity: IdentityHandlers;
  /** Left out by drivers that have no controller half. */
  readonly controller?: ControllerHandlers;
  /** Left out by drivers that have no node half. */
  readonly node?: NodeHandlers;
  /** The first is the outermost. */
  readonly interceptors?: readonly Interceptor[];
}

export interface CsiServer {
  readonly socketPath: string;
  /**
   * Takes no more calls, lets those under way finish for at most this long (0: not at all), then cuts them off; the socket
   * is gone afterwards. May be called twice.
   */
  stop(graceMs?: number): Promise<void>;
}

/**
 * Serves until stopped. Only the own user can connect (mode 0600). A socket that a dead process left behind is replaced;
 * throws `CSI_ADDRESS_IN_USE` where somebody answers or something else than a socket lies, and `CSI_ADDRESS_INVALID`.
 */
export async function serveCsi(options: CsiServerOptions): Promise<CsiServer> {
  const path = socketPath(options.address);
  await clearTheWay(path);

  const server = new Server({ "grpc.max_receive_message_length": -1 });
  const add = (service: DescService, handlers: object | undefined): void => {
    if (handlers !== undefined) {
      server.addService(serviceDefinition(service), implementation(service, handlers, options.interceptors ?? []));
    }
  };
  add(Identity, options.identity);
  add(Controller, options.controller);
  add(Node, options.node);

  await new Promise<void>((resolve, reject) => {
    server.bindAsync(`unix:${path}`, ServerCredentials.createInsecure(), (error) =>
      error === null ? resolve() : reject(error),
    );
  });
  await chmod(path, 0o600);

  let stopped: Promise<void> | undefined;
  return {
    socketPath: path,
    stop(graceMs = 0) {
      stopped ??= shutDown(server, graceMs);
      return stopped;
    },
  };
}

type AnyHandler = (request: Message, call: ServerCall) => unknown;

function implementation(
  service: DescService,
  handlers: object,
  interceptors: readonly Interceptor[],
): UntypedServiceImplementation {
  const served: UntypedServiceImplementation = {};
  for (const method of unaryMethods(service)) {
    const handler = (handlers as Record<string, AnyHandler | undefined>)[method.localName];
    if (handler !== undefined) served[method.localName] = serveUnary(method, handler, interceptors);
  }
  return served;
}

function serveUnary(
  method: DescMethodUnary,
  handler: AnyHandler,
  interceptors: readonly Interceptor[],
): handleUnaryCall<Message, Message> {
  const path = methodPath(method);
  return (grpcCall, callback) => {
    const { request } = grpcCall;
    const call = { method: path, request, signal: signalOf(grpcCall) };
    const handle = async (): Promise<unknown> => handler(request, call);
    const run = interceptors.reduceRight<() => Promise<unknown>>((next, around) => () => around(call, next), handle);
    const respond = async (): Promise<void> => {
      try {
        const answer = await run();
        callback(null, create(method.output, answer as MessageInitShape<typeof method.output>));
      } catch (error) {
        callback(statusOf(error));
      }
    };
    void respond();
  };
}

function statusOf(error: unknown): Partial<StatusObject> {
  const { number, description } = error instanceof CsiError ? error : new CsiError("Unknown", messageOf(error));
  // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- grpc-js numbers its enum as the wire does
  return { code: number, details: description };
}

function signalOf(call: ServerUnaryCall<Message, Message>): AbortSignal {
  const controller = new AbortController();
  call.on("cancelled", () => controller.abort());
  return controller.signal;
}

function shutDown(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const force = (): void => {
      server.forceShutdown();
      resolve();
    };
    const timer = graceMs > 0 ? setTimeout(force, graceMs) : undefined;
    server.tryShutdown(() => {
      clearTimeout(timer);
      resolve();
    });
    if (timer === undefined) force();
  });
}
