/** Explores the graphs that it is told to, one after the other; see main.ts. */
import { parentPort } from "node:worker_threads";
import { FULL_GRAPHS } from "./graphs.ts";

parentPort?.on("message", (name: string) => {
  const graph = FULL_GRAPHS.find((candidate) => candidate.name === name);
  parentPort?.postMessage({ name, ...graph?.run() });
});
