/** A plan as text: calm, complete, and the same on a terminal and in a file but for colours and broken lines. */
import { splitReason } from "../../admission/preflight/check.ts";
import type { CheckResult } from "../../admission/preflight/preflight.ts";
import { type Palette, palette } from "../output/colour.ts";
import { oneLine } from "../output/one-line.ts";
import { table } from "../output/table.ts";
import { hanging } from "../output/wrap.ts";
import type { PlannedClaim, PlannedTemplate, PlanReport } from "./report.ts";

export interface RenderOptions {
  readonly colours: boolean;
  /** Of the screen; undefined for a file. */
  readonly width: number | undefined;
  /** How it is done after the plan: with a verb of ours on the cluster that was read, or by hand. */
  readonly doneBy: "by-hand" | "outgrow";
}

export function renderPlan(report: PlanReport, options: RenderOptions): string {
  return [renderBody(report, options), conclusion(report, palette(options.colours), options.doneBy)].join("\n");
}

/** All but what comes of it. */
export function renderBody(report: PlanReport, { colours, width }: Omit<RenderOptions, "doneBy">): string {
  const paint = palette(colours);
  return [
    `${paint.strong(oneLine(title(report)))}\n`,
    claimTable(report.claims, width),
    notes(report, width),
    checkLines(report.checks, paint, width),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function title({ target, sizes }: PlanReport): string {
  const moves = sizes.map(({ name, from, to, because }) => {
    const what = target.kind === "StatefulSet" ? `${name} ` : "";
    if (from === to) return `${what}stays at ${to}`;
    return `${what}from ${from} to ${to}${because === "wish" ? " (as its annotation asks)" : ""}`;
  });
  return `${target.kind} ${target.namespace}/${target.name}: ${moves.join(", ") || "has no claim templates"}`;
}

function claimTable(claims: readonly PlannedClaim[], width: number | undefined): string {
  if (claims.length === 0) return "";
  return table(
    ["CLAIM", "NOW", "AFTER", "CAPACITY", "TURN", "WHAT"],
    claims.map(({ name, now, after, capacity, turn, action, reason }) =>
      [
        name,
        now || "-",
        after,
        capacity || "-",
        turn?.toString() ?? "-",
        action === "grow" || action === "done" ? action : `${action}: ${splitReason(reason).what}`,
      ].map(oneLine),
    ),
    width,
  );
}

function notes(report: PlanReport, width: number | undefined): string {
  const { claims, order, template, quota, notRead } = report;
  const lines: [string, string][] = [];
  if (order !== "") lines.push(["TURNS", order]);
  if (template !== undefined) {
    const changes = template.changes.map(({ template, from, to }) => `${template}: ${from} → ${to}`);
    lines.push(["TEMPLATE", [...changes, template.reason].join("; ")]);
    if (changes.length > 0 && claims.some(({ turn }) => turn !== undefined)) lines.push(...orderLine(template.follows));
  }
  for (const { quota: name, resource, before, after, limit } of quota) {
    lines.push(["QUOTA", `${name}: ${resource} ${before} → ${after} of ${limit}`]);
  }
  if (claims.some(({ turn }) => turn !== undefined)) lines.push(["RESTARTS", restartsOf(report)]);
  if (notRead.length > 0) lines.push(["NOT READ", `${notRead.join(", ")}: you may not; the plan goes without`]);
  return lines.map(([name, text]) => `${hanging(`${name.padEnd(8)}  `, oneLine(text), width)}\n`).join("");
}

/** Nothing is said where claims and template go at the same time. */
function orderLine(follows: PlannedTemplate["follows"]): [string, string][] {
  switch (follows) {
    case "with-the-claims":
      return [];
    case "after-the-claims":
      return [["ORDER", "the claims first; the template last, when all of them have their size"]];
    case "after-the-canaries":
      return [["ORDER", "the canaries first; when they have their size the template, and the other claims"]];
    case "after-the-last-turn":
      return [["ORDER", "the claims first; the template when the last of them have begun"]];
  }
}

function restartsOf({ restarts, restartPods }: PlanReport): string {
  if (restarts.length === 0) return "none";
  const who =
    restartPods === "WhenNeeded" ? "by Outgrow, one at a time" : "by you, or by Outgrow when told --restart-pods";
  return `${restarts.join(", ")}: ${who}`;
}

function checkLines(checks: readonly CheckResult[], paint: Palette, width: number | undefined): string {
  if (checks.length === 0) return "";
  const ids = Math.max(...checks.map(({ id }) => id.length));
  const colour = { pass: paint.good, warn: paint.careful, refuse: paint.bad };
  const lines = checks.map(({ outcome, id, message, wayOut }) => {
    const told = hanging(`  ${outcome.padEnd(6)}  ${id.padEnd(ids)}  `, oneLine(message), width);
    const line = `${told.slice(0, 2)}${colour[outcome](outcome.padEnd(6))}${told.slice(8)}\n`;
    if (wayOut === undefined) return line;
    return `${line}${hanging(`${" ".repeat(12 + ids)}→ `, oneLine(wayOut), width)}\n`;
  });
  return `CHECKS\n${lines.join("")}`;
}

function conclusion(report: PlanReport, paint: Palette, doneBy: RenderOptions["doneBy"]): string {
  switch (report.verdict) {
    case "refused":
      return refusedLines(report, paint);
    case "nothing-to-do": {
      const busy = report.claims.filter(({ action }) => action === "waiting").length;
      return busy === 0 ? "Nothing to do.\n" : `Nothing to do but wait: ${busy} still under way.\n`;
    }
    case "would-be-done": {
      const later = report.template?.way === "wait" ? ", the template later" : "";
      return `${paint.good("Would be done")}${later}.\n${doneBy === "by-hand" ? byHand(report) : byResize(report)}`;
    }
  }
}

/** Each refusal, with its way out. */
export function refusedLines({ checks }: PlanReport, paint: Palette): string {
  return checks
    .filter(({ outcome }) => outcome === "refuse")
    .map(({ message, wayOut = "" }) => `${paint.bad("Would be refused")}: ${oneLine(message)}\n→ ${oneLine(wayOut)}\n`)
    .join("");
}

/** The command that changes the first claim of each size; the others differ in their name alone. */
function byHand({ target, claims }: PlanReport): string {
  const sizes = Map.groupBy(
    claims.filter(({ turn }) => turn !== undefined),
    ({ after }) => after,
  );
  return [...sizes]
    .map(([size, claims]) => {
      const which = claims.length === 1 ? "By hand" : `By hand, the first of ${claims.length}`;
      const patch = `{"spec":{"resources":{"requests":{"storage":"${size}"}}}}`;
      const command = `kubectl -n ${target.namespace} patch pvc ${claims[0]?.name} -p '${patch}'`;
      return `${which}: ${oneLine(command)}\n`;
    })
    .join("");
}

/** Empty when nothing was asked for: what is written in the cluster already is done without anybody's help. */
function byResize({ target, sizes }: PlanReport): string {
  const asked = sizes.filter(({ because }) => because === "asked");
  if (asked.length === 0) return "";
  const isSet = target.kind === "StatefulSet";
  const words = asked.map(({ name, to }) => (isSet ? `${name}=${to}` : to)).join(" ");
  return `Do it: outgrow resize ${isSet ? "sts" : "pvc"}/${target.name} ${words} -n ${target.namespace}\n`;
}
