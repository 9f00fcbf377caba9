/** A program of ours in Go that answers each line of its standard input with one line of JSON. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { findTool, type ToolName } from "./tools.ts";

export interface AnsweringProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** What it logged. */
  readonly log: string;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  /** Its answer; rejects with the end of its log when it ends before. */
  ask<T>(line: string): Promise<T>;
}

/** With this environment and no more; its caller's unless told. */
export function startAnswering(tool: ToolName, words: readonly string[], env = process.env): AnsweringProcess {
  const child = spawn(findTool(tool), words, { env });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (log += text));
  child.stdin.on("error", () => {});
  const ended = new Promise<void>((resolve, reject) => child.once("error", reject).once("close", () => resolve()));
  const answers: ((line: string) => void)[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => answers.shift()?.(line));
  return {
    child,
    get log() {
      return log;
    },
    ended,
    async ask<T>(line: string) {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      answers.push(resolve);
      void ended.then(() => reject(new Error(`${tool} has ended:\n${log.slice(-4_000)}`)), reject);
      child.stdin.write(`${line}\n`);
      return JSON.parse(await promise) as T;
    },
  };
}
