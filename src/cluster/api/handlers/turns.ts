/**
 * One thread serves everybody. What a large body asks for takes as long as a thousand small requests, and is done step by step: between two
 * steps others have their turn.
 */
import { setImmediate } from "node:timers/promises";
import type { Body, Caller } from "./context.ts";

/** From here on a write takes tens of milliseconds. Few bodies are so large, and few requests should pay for turns that nobody needs. */
const LARGE_BYTES = 2 ** 17;

/** The caller of a write with this body. */
export function withTurns(caller: Caller, { bytes }: Body): Caller {
  return bytes.length < LARGE_BYTES ? caller : { ...caller, turn: () => setImmediate() };
}
