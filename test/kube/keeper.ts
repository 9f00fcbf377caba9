/** Programs that never outlive the process that started them, however it ends. */
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { KeeperReport, KeeperRequest, Program } from "./keeper-protocol.ts";

/** A program that runs, or ran. */
export interface Kept {
  readonly pid: number;
  /** Settles when it has ended, with how: `exit code 1`, `signal SIGKILL`. Never rejects. */
  readonly ended: Promise<string>;
  kill(): Promise<void>;
}

export interface Keeper {
  /** Starts a program; resolves as soon as it runs. Throws when it cannot be started at all. */
  start(program: Program): Promise<Kept>;
  /** Kills every program, removes the folder, and resolves when that is done. May be called twice. */
  stop(): Promise<void>;
}

/**
 * A keeper for `folder`, which it removes at the end unless `keepFolder`. It is a process of its own, detached
 * from the terminal, so neither an interrupt from the terminal nor the death of this process keeps it from cleaning up.
 */
export function startKeeper(folder: string, keepFolder = false): Keeper {
  const main = fileURLToPath(new URL("./keeper-main.ts", import.meta.url));
  const child = fork(main, [folder, keepFolder ? "keep" : "remove"], {
    detached: true,
    execArgv: [],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const waiting = new Map<number, (report: KeeperReport) => void>();
  child.on("message", (report: KeeperReport) => waiting.get(report.id)?.(report));
  const send = (request: KeeperRequest) => child.connected && child.send(request);
  let programs = 0;

  return {
    start: async (program) => {
      const id = programs++;
      const started = Promise.withResolvers<number>();
      const ended = Promise.withResolvers<string>();
      waiting.set(id, (report) => {
        if (report.kind === "started") return started.resolve(report.pid);
        started.reject(new Error(`${program.command} cannot be started: ${report.how}`));
        ended.resolve(report.how);
      });
      void gone.then(() => {
        started.reject(new Error(`${program.command} cannot be started: its keeper is gone`));
        ended.resolve("killed by its keeper");
      });
      send({ kind: "start", id, program });
      const pid = await started.promise;
      return {
        pid,
        ended: ended.promise,
        kill: async () => {
          send({ kind: "kill", id });
          await ended.promise;
        },
      };
    },
    stop: async () => {
      if (child.connected) child.disconnect();
      await gone;
    },
  };
}
