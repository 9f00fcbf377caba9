/**
 * A CSI driver that does what a test tells it to: real gRPC on a real socket, in front of storage that is a table of sizes.
 *
 * Whatever it is told to answer, it is a correct driver underneath: it never shrinks a volume, asking twice is the same as
 * asking once, and while it works on a volume any other call for it is answered with `Aborted`.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { CsiError } from "../error.ts";
import { VolumeCapability_AccessMode_ModeSchema } from "../generated/csi_pb.ts";
import { type CsiServer, serveCsi } from "../server.ts";
import { createBackend } from "./backend.ts";
import { controllerHandlers, identityHandlers, nodeHandlers, type Play, type PlayedCall } from "./handlers.ts";
import { type Answer, type RecordedCall, type Rule, ruleBook, type Script, type ScriptedVolume } from "./script.ts";

export interface ScriptedDriverOptions {
  /** The socket to serve on. */
  readonly address: string;
  readonly script?: Script;
  /** Awaited when a call came in and nothing was done yet. What it throws is what the caller gets. */
  readonly onArrived?: (call: RecordedCall) => void | Promise<void>;
  /** Awaited when the work of a call was done (or left undone, as the rule says) and nothing was answered yet. */
  readonly onWorked?: (call: RecordedCall) => void | Promise<void>;
}

export interface ScriptedDriver {
  readonly socketPath: string;
  /** Every call so far, oldest first; also those under way. */
  calls(): readonly RecordedCall[];
  /** Forgets the calls so far. */
  forgetCalls(): void;
  /** Replaces the rules in force. */
  setRules(rules: readonly Rule[]): void;
  volume(volumeId: string): ScriptedVolume | undefined;
  /** Puts a volume there, or changes what is given of one. Throws where that would shrink it. */
  setVolume(volumeId: string, change: Partial<ScriptedVolume>): void;
  /** Serves again after `stop`, with the same storage and the same calls: a driver that was restarted. */
  start(): Promise<void>;
  /** Cuts off the calls under way and goes away. May be called twice. */
  stop(): Promise<void>;
}

/** The driver serves when this returns. The caller stops it. */
export async function startScriptedDriver(options: ScriptedDriverOptions): Promise<ScriptedDriver> {
  const { address, script = {}, onArrived = () => {}, onWorked = () => {} } = options;
  const backend = createBackend(script.volumes ?? {}, script.adoptUnknown ?? false);
  const calls: Mutable<RecordedCall>[] = [];
  let rules = ruleBook(script.rules ?? []);

  const play: Play = async (about, signal, work) => {
    const record = newRecord(about);
    calls.push(record);
    const end = (outcome: RecordedCall["outcome"]): void => {
      record.endedAt = Date.now();
      record.outcome = signal.aborted ? undefined : outcome;
      record.backendBytes = backend.get(record.volumeId)?.backendBytes;
    };

    const operation = async (): Promise<ReturnType<typeof work>> => {
      await onArrived(record);
      const { delayMs = 0, answer = DONE } = rules.take(record);
      if (delayMs > 0) await sleep(delayMs);
      switch (answer.kind) {
        case "done": {
          const result = work(answer);
          await onWorked(record);
          return result;
        }
        case "error":
          if (answer.worked === true) work({});
          await onWorked(record);
          throw new CsiError(answer.code, answer.message ?? "the script says so");
        case "silence":
          if (answer.worked === true) work({});
          await onWorked(record);
          await aborted(signal);
          throw new CsiError("Canceled", "the caller gave up");
      }
    };
    try {
      const result = await (record.volumeId === "" ? operation() : backend.exclusively(record.volumeId, operation));
      end("OK");
      return result;
    } catch (error) {
      end(error instanceof CsiError ? error.code : "Unknown");
      throw error;
    }
  };

  const serve = (): Promise<CsiServer> =>
    serveCsi({
      address,
      identity: identityHandlers(script, play),
      controller: controllerHandlers(script, backend, play),
      node: nodeHandlers(script, backend, play),
    });
  let server: CsiServer | undefined = await serve();
  const { socketPath } = server;

  return {
    socketPath,
    calls: () => calls.map((call) => ({ ...call })),
    forgetCalls: () => void calls.splice(0),
    setRules: (next) => {
      rules = ruleBook(next);
    },
    volume: (volumeId) => backend.get(volumeId),
    setVolume: (volumeId, change) => backend.set(volumeId, change),
    async start() {
      server ??= await serve();
    },
    async stop() {
      const stopping = server;
      server = undefined;
      await stopping?.stop();
    },
  };
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const DONE: Answer = { kind: "done" };

function newRecord(call: PlayedCall): Mutable<RecordedCall> {
  const mode = call.capability?.accessMode?.mode;
  return {
    method: call.method,
    volumeId: call.volumeId ?? "",
    requiredBytes: call.capacityRange?.requiredBytes ?? 0n,
    accessMode: mode === undefined ? undefined : VolumeCapability_AccessMode_ModeSchema.value[mode]?.name,
    secretNames: Object.keys(call.secrets ?? {}),
    startedAt: Date.now(),
    endedAt: undefined,
    outcome: undefined,
    backendBytes: undefined,
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
