/** `outgrow plan`: the command line of it. */
import type { Command } from "commander";
import { OutgrowError } from "../../core/errors.ts";
import { parseGates } from "../../core/gates.ts";
import { parseWish } from "../../statefulset/decide/wish.ts";
import { readClaimSize } from "../claim-size.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { readSnapshot } from "../input/read-snapshot.ts";
import type { Snapshot } from "../input/snapshot.ts";
import { openSources } from "../input/sources.ts";
import { parseFormat, printStructured } from "../output/structured.ts";
import type { Terminal } from "../terminal.ts";
import type { PlanOptions } from "./options.ts";
import { planOneClaim } from "./plan-claim.ts";
import { planSet } from "./plan-set.ts";
import { renderPlan } from "./render.ts";
import type { PlanReport } from "./report.ts";
import { findTarget, parseTarget, type TargetName } from "./target.ts";

interface Flags {
  readonly filename?: readonly string[];
  readonly namespace?: string;
  readonly output?: string;
  readonly includeUnused?: boolean;
  readonly evenIfOwned?: boolean;
  readonly featureGates?: string;
}

const EXAMPLES = `
The objects come from files; what is needed is what this prints:
  kubectl get sts,pvc,pv,sc,resourcequota,limitrange,csidriver,pod -o yaml

Examples:
  kubectl get sts,pvc,pv,sc,resourcequota,limitrange,csidriver,pod -o yaml | outgrow plan -f - sts/db data=200Gi
  outgrow plan -f cluster.yaml sts/db data=200Gi wal=20Gi -n prod
  outgrow plan -f cluster.yaml pvc/uploads 50Gi -o json
  outgrow plan -f cluster.yaml sts/db          what is still to be done for the sizes that are written there now

Exit code: 0 would be done, 1 would be refused, 2 not understood.`;

export function completePlan(command: Command, terminal: Terminal, finish: (code: ExitCode) => void): void {
  const collect = (path: string, paths: readonly string[] = []) => [...paths, path];
  command
    .argument("<target>", "sts/NAME or pvc/NAME")
    .argument("[sizes...]", "TEMPLATE=SIZE for a StatefulSet, SIZE for a claim")
    .option("-f, --filename <path>", "file, folder, or - for standard input; may be repeated", collect)
    .option("-n, --namespace <name>", "namespace of the target; needed when several have one of that name")
    .option("-o, --output <format>", "json or yaml")
    .option("--include-unused", "also grow the claims that scaling down left without a pod")
    .option("--even-if-owned", "go on although a controller owns the StatefulSet")
    .option("--feature-gates <list>", "NAME=true,NAME=false")
    .addHelpText("after", EXAMPLES)
    .action(async (target: string, sizes: string[], flags: Flags) => {
      finish(await plan(parseTarget(target), sizes, flags, terminal));
    });
}

async function plan(target: TargetName, sizes: readonly string[], flags: Flags, terminal: Terminal): Promise<ExitCode> {
  // Everything that can be wrong with the words is found before a byte is read.
  const format = flags.output === undefined ? undefined : parseFormat(flags.output);
  const options: PlanOptions = {
    includeUnused: flags.includeUnused === true,
    evenIfOwned: flags.evenIfOwned === true,
    gates: parseGates(flags.featureGates ?? ""),
    now: terminal.now(),
  };
  const makePlan = planner(target, sizes, flags.namespace, options);
  if (flags.filename === undefined) {
    throw new OutgrowError("USAGE", "plan reads its objects from files; give -f FILE, or -f - for standard input");
  }
  const report = makePlan(await readSnapshot(await openSources(flags.filename, terminal.input)));
  terminal.write(format === undefined ? renderPlan(report, terminal.colours) : await printStructured(report, format));
  return report.verdict === "refused" ? EXIT.refused : EXIT.done;
}

function planner(
  target: TargetName,
  sizes: readonly string[],
  namespace: string | undefined,
  options: PlanOptions,
): (snapshot: Snapshot) => PlanReport {
  if (target.kind === "StatefulSet") {
    const asked = parseWish(sizes.join(","));
    return (snapshot) =>
      planSet(findTarget(target, namespace, snapshot.StatefulSet.values()), asked, snapshot, options);
  }
  const asked = readClaimSize(sizes);
  return (snapshot) =>
    planOneClaim(findTarget(target, namespace, snapshot.PersistentVolumeClaim.values()), asked, snapshot, options);
}
