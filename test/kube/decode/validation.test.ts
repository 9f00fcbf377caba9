/** Each refusal of a real server, beside ours: code, reason, message. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { storageClasses } from "../../../src/admission/storage-classes.ts";
import { type FieldError, type Target, toStatus } from "../../../src/admission/verdict.ts";
import { prepareForCreate } from "../../../src/cluster/api/defaults/creation.ts";
import { withDefaults } from "../../../src/cluster/api/defaults/defaults.ts";
import type { JsonObject } from "../../../src/cluster/api/json.ts";
import { BUILT_IN } from "../../../src/cluster/api/kinds/built-in.ts";
import { groupVersionOf, type Kind } from "../../../src/cluster/api/kinds/kind.ts";
import { canonicalObject } from "../../../src/cluster/api/protobuf/canonical.ts";
import { validateCreate, validateUpdate } from "../../../src/cluster/api/validation/validate.ts";
import { ApiRefusal } from "../api.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { DIFFERENCES, REFUSALS, type Refused } from "./refusals.ts";

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane({ controllers: [] });
});
afterAll(() => plane?.stop());

interface Answer {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
}

const AROUND = {
  gates: { StatefulSetVolumeExpansion: false, RecoverExpansionFailure: true },
  classes: storageClasses([]),
};

function kindOf({ apiVersion, kind }: Refused): Kind {
  return BUILT_IN.find((each) => each.kind === kind && groupVersionOf(each) === apiVersion)!;
}

function collectionOf(kind: Kind): string {
  const root = kind.group === "" ? "/api/v1" : `/apis/${groupVersionOf(kind)}`;
  return `${root}${kind.namespaced ? "/namespaces/default" : ""}/${kind.plural}`;
}

const nameOf = (object: JsonObject) => (object["metadata"] as { name: string }).name;

/** The edit on top of the object, with the metadata of the stored one. */
function edited(stored: JsonObject, { object, edit = {} }: Refused): JsonObject {
  const metadata = { ...(stored["metadata"] as JsonObject), ...(edit["metadata"] as JsonObject | undefined) };
  const next: JsonObject = { ...object, ...edit, metadata };
  // What admission has added to a pod stays in an edit, as a client would send it back.
  const { tolerations } = (stored["spec"] ?? {}) as JsonObject;
  return tolerations === undefined ? next : { ...next, spec: { tolerations, ...(next["spec"] as JsonObject) } };
}

async function answerOf(call: () => Promise<unknown>): Promise<Answer | "accepted"> {
  try {
    await call();
    return "accepted";
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error;
    return { code: error.status, reason: error.reason, message: error.message };
  }
}

function answerFrom(kind: Kind, name: string, errors: readonly FieldError[]): Answer | "accepted" {
  if (errors.length === 0) return "accepted";
  const target: Target = { group: kind.group, kind: kind.kind, resource: kind.plural, name };
  const { code, reason, message } = toStatus({ kind: "invalid", target, errors });
  return { code, reason, message };
}

async function bothAnswers(refused: Refused): Promise<{ real: Answer | "accepted"; ours: Answer | "accepted" }> {
  const kind = kindOf(refused);
  const { object, edit } = refused;
  const path = collectionOf(kind);
  const complete = (each: JsonObject) => canonicalObject(prepareForCreate(withDefaults(each)));
  if (edit === undefined) {
    const metadata = { ...(object["metadata"] as JsonObject), ...(kind.namespaced && { namespace: "default" }) };
    return {
      real: await answerOf(() => plane.api.create(`${path}?dryRun=All`, object)),
      ours: answerFrom(kind, nameOf(object), validateCreate(kind, complete({ ...object, metadata }))),
    };
  }
  const stored = await plane.api.create<JsonObject>(path, object);
  const next = edited(stored, refused);
  const completed = canonicalObject(withDefaults({ ...next, status: stored["status"] ?? {} }));
  const real = await answerOf(() => plane.api.replace(`${path}/${nameOf(object)}`, next));
  await plane.api.delete(`${path}/${nameOf(object)}?gracePeriodSeconds=0`);
  return { real, ours: answerFrom(kind, nameOf(object), validateUpdate(kind, stored, completed, AROUND)) };
}

test.each(REFUSALS)("$name", async (refused) => {
  const { real, ours } = await bothAnswers(refused);
  expect(real).not.toBe("accepted");
  const reason = DIFFERENCES[refused.name];
  if (reason === undefined) {
    expect(ours).toEqual(real);
    return;
  }
  expect(ours, `no longer a difference: ${reason}`).not.toEqual(real);
  // The first line is the server's own.
  const firstLine = (answer: Answer | "accepted") => (answer === "accepted" ? answer : answer.message.split("\n")[0]);
  expect(firstLine(ours)).toBe(firstLine(real));
});

test("the list of differences names nothing that is not tried", () => {
  const names = new Set(REFUSALS.map(({ name }) => name));
  expect(Object.keys(DIFFERENCES).filter((name) => !names.has(name))).toEqual([]);
});
