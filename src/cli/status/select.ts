/** Which part of everything somebody wants to see. */
import type { Command } from "commander";
import { OutgrowError } from "../../core/errors.ts";
import { addClusterFlags, type ClusterFlags } from "../cluster/connect.ts";
import { findTarget, parseTarget, type TargetName } from "../plan/target.ts";
import { isOfInterest } from "./judge.ts";
import type { Growth } from "./report.ts";

export interface SelectionFlags extends ClusterFlags {
  readonly allNamespaces?: boolean;
  readonly output?: string;
}

export function addSelection(command: Command): Command {
  return addClusterFlags(command)
    .argument("[target]", "sts/NAME or pvc/NAME; all that grows or is stuck without it")
    .option("-A, --all-namespaces", "in all namespaces")
    .option("-o, --output <format>", "json or yaml");
}

/** Throws `USAGE` for a target in all namespaces. */
export function readSelection(word: string | undefined, { allNamespaces }: SelectionFlags): TargetName | undefined {
  if (word !== undefined && allNamespaces === true) {
    throw new OutgrowError("USAGE", `${word} is in one namespace: leave out --all-namespaces, or the target`);
  }
  return word === undefined ? undefined : parseTarget(word);
}

export function nothingGrows(namespace: string | undefined): string {
  return `Nothing grows ${namespace === undefined ? "in the cluster" : `in namespace ${namespace}`}.\n`;
}

/**
 * Without a target what is of interest; with one that alone. A claim of a set is shown by itself. Throws `OBJECT_MISSING`
 * when it is not there.
 */
export function select(
  growths: readonly Growth[],
  target: TargetName | undefined,
  namespace: string,
): readonly Growth[] {
  if (target === undefined) return growths.filter(isOfInterest);
  const candidates =
    target.kind === "StatefulSet"
      ? growths.filter(({ kind }) => kind === "StatefulSet")
      : growths.flatMap((growth) => growth.claims.map((claim) => ofOneClaim(growth, claim)));
  const named = candidates.map((growth) => ({ metadata: { name: growth.name, namespace: growth.namespace }, growth }));
  return [findTarget(target, namespace, named).growth];
}

function ofOneClaim(growth: Growth, claim: Growth["claims"][number]): Growth {
  if (growth.kind === "PersistentVolumeClaim") return growth;
  const { namespace } = growth;
  const { name, outcome } = claim;
  return { kind: "PersistentVolumeClaim", namespace, name, outcome, message: "", claims: [claim] };
}
