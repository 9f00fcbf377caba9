/** How far a custom resource is: what follows it, measured by what it asks for, and what its condition says. Pure. */
import type { Condition, KubeObject } from "../../core/types.ts";
import { parsePath, readAt } from "../../source/decide/path.ts";
import type { ExpansionSource } from "../../source/types.ts";
import { judge } from "../status/judge.ts";
import type { Picture } from "../status/picture.ts";
import type { Growth, ResourceStatus, StatusReport } from "../status/report.ts";
import type { Custom } from "./read-custom.ts";
import { wishesOf } from "./wishes.ts";

/** The picture is that of the resource's namespace. */
export function judgeCustom(custom: Custom, picture: Picture): Omit<StatusReport, "notRead"> {
  const wishes = wishesOf(custom.targets, picture.sets, picture.claims);
  const condition = conditionOf(custom);
  const items = judge({ ...picture, wishes })
    .filter(({ kind, name }) => (kind === "StatefulSet" ? wishes.sets : wishes.claims).has(name))
    .map((growth) =>
      condition?.status === "False" && isAboutThis(condition, custom) ? heldUp(growth, condition) : growth,
    );
  const { target } = custom;
  const told = condition && { type: condition.type, status: condition.status, message: condition.message ?? "" };
  const resource: ResourceStatus = { ...target, ...(told && { condition: told }) };
  return { items, resource };
}

/** What failed as a whole is told for what has not begun: nobody will ask it for its size. */
function heldUp(growth: Growth, { message = "" }: Condition): Growth {
  const isAtWork = growth.claims.some(
    ({ state }) => state === "Growing" || state === "Recovering" || state === "Waiting",
  );
  if (growth.outcome !== "growing" || isAtWork) return growth;
  return { ...growth, outcome: "stuck", message: growth.message || message };
}

/** What the resource says about its growth, unless that is known to be about what it asked for before. */
function conditionOf(custom: Custom): Condition | undefined {
  return custom.sources
    .map((source) => conditionBy(source, custom.object))
    .find((each) => each !== undefined && (each.observedGeneration === undefined || isAboutThis(each, custom)));
}

function conditionBy({ spec }: ExpansionSource, object: KubeObject): Condition | undefined {
  if (spec.condition === undefined) return undefined;
  const found = readAt(object, parsePath(spec.conditionsPath ?? ".status.conditions"))[0]?.value;
  return Array.isArray(found) ? (found as Condition[]).find((each) => each?.type === spec.condition) : undefined;
}

function isAboutThis({ observedGeneration }: Condition, { object }: Custom): boolean {
  return observedGeneration !== undefined && observedGeneration === object.metadata.generation;
}
