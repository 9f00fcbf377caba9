/**
 * How a test talks to a scripted driver in another process: one JSON object per line and direction, over a unix socket of
 * its own, answered in order.
 */
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { messageOf } from "../../core/errors.ts";
import { fromJson, toJson } from "./json.ts";
import type { RecordedCall, Rule, ScriptedVolume } from "./script.ts";
import type { ScriptedDriver } from "./scripted-driver.ts";

/** What can be asked of a driver from outside; the same as in process, but for the waiting. */
export interface DriverControl {
  calls(): Promise<readonly RecordedCall[]>;
  forgetCalls(): Promise<void>;
  setRules(rules: readonly Rule[]): Promise<void>;
  volume(volumeId: string): Promise<ScriptedVolume | undefined>;
  setVolume(volumeId: string, change: Partial<ScriptedVolume>): Promise<void>;
}

type Verb = keyof DriverControl;
type Request = { readonly [V in Verb]: { readonly do: V; readonly with: Parameters<DriverControl[V]> } }[Verb];
type Response = { readonly value?: unknown; readonly error?: string };

/** Listens until the server is closed. */
export async function serveControl(path: string, driver: ScriptedDriver): Promise<Server> {
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    createInterface({ input: socket }).on("line", (line) => socket.write(`${toJson(answer(line, driver))}\n`));
  });
  server.listen(path);
  await once(server, "listening");
  return server;
}

function answer(line: string, driver: ScriptedDriver): Response {
  try {
    return { value: obey(fromJson(line) as Request, driver) };
  } catch (error) {
    return { error: messageOf(error) };
  }
}

function obey(request: Request, driver: ScriptedDriver): unknown {
  switch (request.do) {
    case "calls":
      return driver.calls();
    case "forgetCalls":
      return driver.forgetCalls();
    case "setRules":
      return driver.setRules(...request.with);
    case "volume":
      return driver.volume(...request.with);
    case "setVolume":
      return driver.setVolume(...request.with);
    default:
      throw new TypeError(`unknown request ${toJson(request)}`);
  }
}

/** Connects to a driver's control socket. Whatever is asked after `close`, or after the driver died, is rejected. */
export async function connectControl(path: string): Promise<DriverControl & { close(): void }> {
  const socket = connect(path);
  await once(socket, "connect");
  const ask = asker(socket);
  return {
    calls: () => ask({ do: "calls", with: [] }) as Promise<readonly RecordedCall[]>,
    forgetCalls: () => ask({ do: "forgetCalls", with: [] }) as Promise<void>,
    setRules: (...args) => ask({ do: "setRules", with: args }) as Promise<void>,
    volume: (...args) => ask({ do: "volume", with: args }) as Promise<ScriptedVolume | undefined>,
    setVolume: (...args) => ask({ do: "setVolume", with: args }) as Promise<void>,
    close: () => void socket.destroy(),
  };
}

function asker(socket: Socket): (request: Request) => Promise<unknown> {
  const waiting: { resolve: (value: unknown) => void; reject: (error: Error) => void }[] = [];
  createInterface({ input: socket }).on("line", (line) => {
    const { value, error } = fromJson(line) as Response;
    const asked = waiting.shift();
    if (error === undefined) asked?.resolve(value);
    else asked?.reject(new Error(error));
  });
  const fail = (): void => {
    for (const { reject } of waiting.splice(0)) reject(new Error("the scripted driver is gone"));
  };
  socket.on("close", fail).on("error", fail);
  return (request) =>
    new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
      if (socket.destroyed) fail();
      else socket.write(`${toJson(request)}\n`);
    });
}
