/** Asking a custom resource for another size: the checks of a plan first, then one patch of the size itself. */
import { DEFAULT_GATES } from "../../core/gates.ts";
import { refOf } from "../../kube/index.ts";
import type { Wish } from "../../statefulset/decide/wish.ts";
import { againOnConflict } from "../cluster/again.ts";
import type { Connection } from "../cluster/connect.ts";
import type { HowToGrow } from "../growth-flags.ts";
import { refusalOf } from "../plan/refusal.ts";
import type { CustomName } from "../plan/target.ts";
import { type Asked, warningsOf } from "../resize/ask.ts";
import { whyNotHeard } from "../resize/installed.ts";
import { writeHow } from "../resize/record-spec.ts";
import { changing, patchFor } from "./edit.ts";
import { planCustom } from "./plan-custom.ts";
import { type Custom, placesOf, readCustom } from "./read-custom.ts";
import type { CustomPlan } from "./report.ts";

/** Throws `USAGE` or `OBJECT_MISSING` for a resource or a size that is not there. */
export function askCustom(
  connection: Connection,
  name: CustomName,
  asked: Wish,
  how: HowToGrow,
  now: number,
): Promise<Asked> {
  return againOnConflict(async () => {
    const custom = await readCustom(connection, name);
    const plan = await planCustom(connection, custom, asked, { how, gates: DEFAULT_GATES, now });
    const { target, sizes } = plan;
    const told = { target, sizes, warnings: [...plan.parts.flatMap(warningsOf), ...worries(custom, plan)] };
    const refusal = asked.size === 0 ? undefined : whyRefused(plan);
    if (refusal !== undefined) return { ...told, way: "none", refusal };
    const way = await write(connection, custom, asked, how, plan);
    const away = way === "none" ? undefined : await whyNotHeard(connection.client, now);
    return { ...told, way, warnings: [...told.warnings, ...(away === undefined ? [] : [away])] };
  });
}

async function write(
  { client, namespace }: Connection,
  custom: Custom,
  asked: Wish,
  how: HowToGrow,
  { parts }: CustomPlan,
): Promise<Asked["way"]> {
  // Before the size: the growth must not begin in another order than was asked for.
  if (Object.keys(how).length > 0) {
    const sets = parts.filter(({ target }) => target.kind === "StatefulSet");
    for (const { target } of sets) await writeHow(client, { namespace, name: target.name }, how);
  }
  const edits = changing(placesOf(custom, asked));
  if (edits.length === 0) return "none";
  const body = patchFor(custom.object, edits);
  await client.patch(custom.resource, refOf(custom.object), { type: "json", body });
  return "resource";
}

function whyRefused({ errors, parts }: CustomPlan): string | undefined {
  const [error, ...more] = errors;
  if (error !== undefined) return more.length === 0 ? error : `${error} (${more.length} more: see outgrow plan)`;
  return parts.map(refusalOf).find((refusal) => refusal !== undefined);
}

/** What keeps a size that is written from being followed. */
function worries({ sources }: Custom, { paused, target }: CustomPlan): readonly string[] {
  const unready = sources.flatMap(({ metadata, status }) => {
    const ready = status?.conditions?.find(({ type }) => type === "Ready");
    return ready?.status === "False" ? [`source ${metadata.name} is not followed: ${ready.message ?? ""}`] : [];
  });
  return paused
    ? [...unready, `${target.kind} ${target.name} is paused; its size is followed when it is no longer`]
    : unready;
}
