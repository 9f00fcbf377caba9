/**
 * One thread serves everybody. What a large body asks for, or a small one of a large object, takes as long as a thousand small requests, and is
 * done step by step: between two steps others have their turn.
 */
import { setImmediate } from "node:timers/promises";
import type { ApiContext, Body, Caller, Target } from "./context.ts";

/** From here on a write takes tens of milliseconds. Few objects are so large, and few requests should pay for turns that nobody needs. */
const LARGE_BYTES = 2 ** 17;

/** Everybody else has their turn before this resolves. */
export function turn(): Promise<void> {
  return setImmediate();
}

/** The caller of a write with this body to what may be there already. */
export function withTurns(context: ApiContext, target: Target, caller: Caller, { bytes }: Body): Caller {
  const isLarge = bytes.length >= LARGE_BYTES || storedLength(context, target) >= LARGE_BYTES;
  return isLarge ? { ...caller, turn } : caller;
}

function storedLength({ objects }: ApiContext, { resource, namespace, name }: Target): number {
  return name === undefined ? 0 : (objects.entry(resource.kind, namespace, name)?.value.length ?? 0);
}
