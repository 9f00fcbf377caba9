/** What is to be recovered: a claim, a StatefulSet, or a custom resource with all that follows it. */
import type { Wish } from "../../statefulset/decide/wish.ts";
import type { Connection } from "../cluster/connect.ts";
import { askCustom } from "../custom/ask-custom.ts";
import { diagnoseCustom } from "../custom/diagnose-custom.ts";
import { judgeCustom } from "../custom/judge-custom.ts";
import { readCustom } from "../custom/read-custom.ts";
import type { CustomName, TargetName } from "../plan/target.ts";
import { type Asked, ask } from "../resize/ask.ts";
import { judge } from "../status/judge.ts";
import type { Picture } from "../status/picture.ts";
import type { Growth } from "../status/report.ts";
import { select } from "../status/select.ts";
import { type Diagnosis, diagnose } from "./diagnosis.ts";

export interface Subject {
  /** Throws `OBJECT_MISSING` when it is not in the picture. */
  diagnose(picture: Picture): Diagnosis;
  growths(picture: Picture): readonly Growth[];
  /** Asks for other sizes, after the checks of a plan. */
  ask(sizes: Wish, now: number): Promise<Asked>;
}

export async function subjectOf(connection: Connection, target: TargetName | CustomName): Promise<Subject> {
  const { namespace } = connection;
  if (target.kind !== "Custom") {
    return {
      diagnose: (picture) => diagnose(target, namespace, picture),
      growths: (picture) => select(judge(picture), target, namespace),
      ask: (sizes, now) => ask(connection, { target, asked: sizes }, {}, now),
    };
  }
  const custom = await readCustom(connection, target);
  return {
    diagnose: (picture) => diagnoseCustom(custom, picture),
    growths: (picture) => judgeCustom(custom, picture).items,
    ask: (sizes, now) => askCustom(connection, target, sizes, {}, now),
  };
}
