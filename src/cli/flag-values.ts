/** Values of flags that several programs have; what cannot be read is told with an example of what can. */
import { InvalidArgumentError } from "commander";

export interface Address {
  /** Undefined: all of this machine's. */
  readonly host: string | undefined;
  readonly port: number;
}

export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"];

export function readCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("write a whole number of at least 1.");
  return Number(text);
}

export function readAddress(text: string): Address {
  const match = /^(.*):(\d+)$/.exec(text);
  if (match === null || Number(match[2]) > 65_535) {
    throw new InvalidArgumentError("write an address like :8080 or 127.0.0.1:8080.");
  }
  const host = (match[1] ?? "").replace(/^\[(.*)\]$/, "$1");
  return { host: host === "" ? undefined : host, port: Number(match[2]) };
}

export function readLevel(text: string): string {
  if (!LOG_LEVELS.includes(text)) throw new InvalidArgumentError(`choose one of ${LOG_LEVELS.join(", ")}.`);
  return text;
}
