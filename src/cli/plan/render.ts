/** A plan as text: calm, complete, and the same on a terminal and in a file but for colours. */
import { splitReason } from "../../admission/preflight/check.ts";
import type { CheckResult } from "../../admission/preflight/preflight.ts";
import { type Palette, palette } from "../output/colour.ts";
import { oneLine } from "../output/one-line.ts";
import { table } from "../output/table.ts";
import type { PlannedClaim, PlanReport } from "./report.ts";

export function renderPlan(report: PlanReport, colours: boolean): string {
  const paint = palette(colours);
  return [
    `${paint.strong(oneLine(title(report)))}\n`,
    claimTable(report.claims),
    notes(report),
    checkLines(report.checks, paint),
    conclusion(report, paint),
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

function claimTable(claims: readonly PlannedClaim[]): string {
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
  );
}

function notes({ claims, order, template, quota, restarts }: PlanReport): string {
  const lines: [string, string][] = [];
  if (order !== "") lines.push(["TURNS", order]);
  if (template !== undefined) {
    const changes = template.changes.map(({ template, from, to }) => `${template}: ${from} → ${to}`);
    lines.push(["TEMPLATE", [...changes, template.reason].join("; ")]);
  }
  for (const { quota: name, resource, before, after, limit } of quota) {
    lines.push(["QUOTA", `${name}: ${resource} ${before} → ${after} of ${limit}`]);
  }
  if (claims.some(({ turn }) => turn !== undefined)) lines.push(["RESTARTS", restarts.join(", ") || "none"]);
  return lines.map(([name, text]) => `${name.padEnd(8)}  ${oneLine(text)}\n`).join("");
}

function checkLines(checks: readonly CheckResult[], paint: Palette): string {
  if (checks.length === 0) return "";
  const width = Math.max(...checks.map(({ id }) => id.length));
  const colour = { pass: paint.good, warn: paint.careful, refuse: paint.bad };
  const lines = checks.map(({ outcome, id, message, wayOut }) => {
    const line = `  ${colour[outcome](outcome.padEnd(6))}  ${id.padEnd(width)}  ${oneLine(message)}\n`;
    return wayOut === undefined ? line : `${line}  ${" ".repeat(6)}  ${" ".repeat(width)}  → ${oneLine(wayOut)}\n`;
  });
  return `CHECKS\n${lines.join("")}`;
}

function conclusion(report: PlanReport, paint: Palette): string {
  switch (report.verdict) {
    case "refused": {
      const refusals = report.checks.filter(({ outcome }) => outcome === "refuse");
      return refusals
        .map(
          ({ message, wayOut = "" }) => `${paint.bad("Would be refused")}: ${oneLine(message)}\n→ ${oneLine(wayOut)}\n`,
        )
        .join("");
    }
    case "nothing-to-do": {
      const busy = report.claims.filter(({ action }) => action === "waiting").length;
      return busy === 0 ? "Nothing to do.\n" : `Nothing to do but wait: ${busy} still under way.\n`;
    }
    case "would-be-done":
      return `${paint.good("Would be done")}${report.template?.way === "wait" ? ", the template later" : ""}.\n${byHand(report)}`;
  }
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
