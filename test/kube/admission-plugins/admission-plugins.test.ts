/** Each answer of a real server with all its plugins, beside ours: the refusal, or the object as it would be stored. */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { JsonObject } from "../../../src/cluster/api/json.ts";
import { BUILT_IN } from "../../../src/cluster/api/kinds/built-in.ts";
import { groupVersionOf } from "../../../src/cluster/api/kinds/kind.ts";
import { StatusError } from "../../../src/cluster/api/status-error.ts";
import { ApiRefusal } from "../api.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { CASES, type Case } from "./cases.ts";
import { DIFFERENCES } from "./differences.ts";
import { type Ours, openOurs } from "./ours.ts";
import { ENDING, NAMESPACES, type Placed, SCENE } from "./scene.ts";

let plane: ControlPlane;
let ours: Ours;

beforeAll(async () => {
  plane = await startControlPlane({
    controllers: [],
    admission: { enable: ["ServiceAccount"] },
    apiserverFlags: ["--service-cluster-ip-range=10.96.0.0/16"],
  });
  ours = await openOurs();
  for (const name of [...NAMESPACES, ENDING]) await plane.api.create("/api/v1/namespaces", { metadata: { name } });
  for (const placed of SCENE) await place(placed);
  await plane.api.delete(`/api/v1/namespaces/${ENDING}`);
});
afterAll(async () => {
  await plane?.stop();
  await ours?.close();
});

async function place(placed: Placed): Promise<void> {
  const { status } = placed;
  const stored = await plane.api.create<JsonObject>(collectionOf(placed), placed);
  if (status === undefined) return;
  const path = `${collectionOf(placed)}/${nameOf(placed)}/status`;
  await plane.api.replace(path, { ...stored, status });
}

const nameOf = ({ metadata }: Placed) => metadata.name;

function collectionOf({ apiVersion, kind, metadata }: Placed): string {
  const row = BUILT_IN.find((each) => each.kind === kind && groupVersionOf(each) === apiVersion);
  const root = row?.group === "" ? "/api/v1" : `/apis/${apiVersion}`;
  return `${root}${row?.namespaced === true ? `/namespaces/${metadata.namespace ?? ""}` : ""}/${row?.plural}`;
}

interface Refused {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
}

async function answerOf(call: () => Promise<unknown>): Promise<Refused | JsonObject> {
  try {
    return stripped((await call()) as JsonObject);
  } catch (error) {
    if (error instanceof ApiRefusal) return { code: error.status, reason: error.reason, message: error.message };
    if (error instanceof StatusError) return { code: error.code, reason: error.reason, message: error.message };
    throw error;
  }
}

/** Without what differs from one server to the other, and from one moment to the next. */
function stripped({ metadata = {}, ...rest }: JsonObject & { metadata?: JsonObject }): JsonObject {
  const { annotations, finalizers, labels } = metadata;
  const text = JSON.stringify({ ...rest, metadata: { annotations, finalizers, labels } });
  return JSON.parse(text.replaceAll(/"\d{4}-\d\d-\d\dT[\d:]+Z"/g, '"some time"')) as JsonObject;
}

async function realAnswer({ object, edit = false }: Case): Promise<Refused | JsonObject> {
  const path = collectionOf(object);
  const item = `${path}/${nameOf(object)}`;
  if (edit) return answerOf(() => plane.api.patch(`${item}?dryRun=All`, object));
  // A dry run does not ask for addresses and ports.
  if (object.kind !== "Service") return answerOf(() => plane.api.create(`${path}?dryRun=All`, object));
  const answer = await answerOf(() => plane.api.create(path, object));
  if (!("code" in answer)) await plane.api.delete(item);
  return answer;
}

/** The server's plugins hear of what the scene has a moment after it is stored. */
const WITHIN = { timeout: 60_000, interval: 100 };

describe("what a server with all its plugins says", () => {
  test.each(CASES)("$name", async (request) => {
    const mine = await answerOf(() => ours.ask(request));
    const reason = DIFFERENCES[request.name];
    if (reason === undefined) {
      await vi.waitFor(async () => expect(mine).toEqual(await realAnswer(request)), WITHIN);
    } else {
      expect(mine, `no longer a difference: ${reason}`).not.toEqual(await realAnswer(request));
    }
  });

  test.each(["default", "kube-system", "kube-public"])("the namespace %s may not be deleted", async (name) => {
    const mine = await answerOf(() => ours.remove(name));
    expect(mine).toMatchObject({ code: 403 });
    expect(mine).toEqual(await answerOf(() => plane.api.delete(`/api/v1/namespaces/${name}`)));
  });

  test("the list of differences names nothing that is not tried", () => {
    const names = new Set(CASES.map(({ name }) => name));
    expect(Object.keys(DIFFERENCES).filter((name) => !names.has(name))).toEqual([]);
  });
});
