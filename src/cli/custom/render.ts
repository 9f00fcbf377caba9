/** The plan for a custom resource as text: the edit, then what follows it, then what comes of it. */
import { palette } from "../output/colour.ts";
import { oneLine } from "../output/one-line.ts";
import { hanging } from "../output/wrap.ts";
import { type RenderOptions, refusedLines, renderBody } from "../plan/render.ts";
import { wordFor } from "../plan/target.ts";
import type { CustomPlan } from "./report.ts";

export function renderCustomPlan(plan: CustomPlan, { colours, width }: Omit<RenderOptions, "doneBy">): string {
  const paint = palette(colours);
  return [
    `${paint.strong(oneLine(title(plan)))}\n${notes(plan, width)}`,
    ...plan.parts.map((part) => renderBody(part, { colours, width })),
    conclusion(plan, colours),
  ].join("\n");
}

function title({ target, sizes }: CustomPlan): string {
  const moves = sizes.map(({ name, from, to }) =>
    from === to ? `${name} stays at ${to || "what is no size"}` : `${name} from ${from} to ${to}`,
  );
  return `${target.kind} ${target.namespace}/${target.name}: ${moves.join(", ") || "says no size"}`;
}

function notes({ sizes, sources, grownBy, paused, parts }: CustomPlan, width: number | undefined): string {
  const asked = sizes.filter(({ because }) => because === "asked");
  const lines: [string, string][] = [
    ["WRITTEN", (asked.length === 0 ? sizes : asked).map(({ path }) => path).join(", ")],
    ["SOURCE", sources.join(", ")],
  ];
  if (grownBy === "Operator") lines.push(["GROWN BY", "its operator; Outgrow watches and reports"]);
  if (paused) lines.push(["PAUSED", "nothing is done about it until it is paused no longer"]);
  if (parts.length === 0)
    lines.push(["FOLLOWED", "by nothing yet: what is created for it has its size from the start"]);
  return lines
    .filter(([, text]) => text !== "")
    .map(([name, text]) => `${hanging(`${name.padEnd(8)}  `, oneLine(text), width)}\n`)
    .join("");
}

function conclusion(plan: CustomPlan, colours: boolean): string {
  const { target, verdict, sizes, errors, parts } = plan;
  const paint = palette(colours);
  switch (verdict) {
    case "refused":
      return [
        ...errors.map((error) => `${paint.bad("Would be refused")}: ${oneLine(error)}\n`),
        ...parts.map((part) => refusedLines(part, paint)),
      ].join("");
    case "nothing-to-do":
      return "Nothing to do.\n";
    case "would-be-done": {
      const asked = sizes.filter(({ because }) => because === "asked");
      const words = asked.map(({ name, to }) => `${name}=${to}`).join(" ");
      const how =
        asked.length === 0 ? "" : `Do it: outgrow resize ${wordFor(target)} ${words} -n ${target.namespace}\n`;
      return `${paint.good("Would be done")}.\n${how}`;
    }
  }
}
