/** What an environment declares: functions with their overloads, variables, types. */

import type { Effort } from "../../crd/schema/linear-pattern.ts";
import type { CelError, Value } from "../value/value.ts";
import type { Type } from "./types.ts";

/** What a running function may ask for. */
export interface Running {
  /** Counts steps before they are made, for what could be many. Throws what ends the evaluation when there are none left. */
  spend(steps: number): void;
  /** What patterns, and walks along lists, may still take: Kubernetes counts little of that, and here nobody else has a turn. */
  readonly effort: Effort;
}

export type Run = (args: readonly Value[], running: Running) => Value | CelError;

export interface Overload {
  readonly id: string;
  readonly isMember: boolean;
  /** The target of a member first. */
  readonly args: readonly Type[];
  readonly result: Type;
  /** Missing where the function as a whole runs, or the evaluator itself. */
  readonly run?: Run;
}

export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /** Runs all overloads alike. */
  readonly singleton?: Run;
  /** Which types the first argument of the singleton may have; any other is not even asked. */
  readonly accepts?: ReadonlySet<string>;
  /** The overloads look at their arguments themselves. */
  readonly isUnguarded?: boolean;
}

export function overload(id: string, args: readonly Type[], result: Type, run?: Run): Overload {
  return { id, isMember: false, args, result, ...(run === undefined ? {} : { run }) };
}

export function member(id: string, args: readonly Type[], result: Type, run?: Run): Overload {
  return { ...overload(id, args, result, run), isMember: true };
}

/** Functions of the same name become one. */
export function merged(
  libraries: readonly (readonly FunctionDeclaration[])[],
): ReadonlyMap<string, FunctionDeclaration> {
  const functions = new Map<string, FunctionDeclaration>();
  for (const each of libraries.flat()) {
    const before = functions.get(each.name);
    functions.set(
      each.name,
      before === undefined ? each : { ...before, ...each, overloads: [...before.overloads, ...each.overloads] },
    );
  }
  return functions;
}
