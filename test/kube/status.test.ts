/** Refusals have the form that kube-apiserver gives them: kubectl reads more out of it than the message. */
import { Agent, fetch } from "undici";
import { afterAll, beforeAll, expect, test } from "vitest";
import { methodNotAllowed, success, toStatus, unknownPath } from "../../src/cluster/api/http/status.ts";
import { BUILT_IN } from "../../src/cluster/api/kinds/built-in.ts";
import type { Kind } from "../../src/cluster/api/kinds/kind.ts";
import { alreadyExists, modified, notFound } from "../../src/cluster/api/lifecycle/refusals.ts";
import { tooLargeVersion } from "../../src/cluster/api/objects/list.ts";
import { type ControlPlane, startControlPlane } from "./control-plane.ts";

let plane: ControlPlane;
let dispatcher: Agent;
beforeAll(async () => {
  plane = await startControlPlane({ controllers: [] });
  dispatcher = new Agent({ connect: { ca: plane.ca } });
});
afterAll(async () => {
  await dispatcher.close();
  await plane.stop();
});

async function send(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const answer = await fetch(new URL(path, plane.url), {
    method,
    dispatcher,
    headers: { authorization: `Bearer ${plane.admin.token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await answer.json()) as Record<string, unknown>;
}

const kindOf = (name: string): Kind => BUILT_IN.find(({ kind }) => kind === name) as Kind;
const SETS = "/apis/apps/v1/namespaces/default/statefulsets";
const MAPS = "/api/v1/namespaces/default/configmaps";
const map = (name: string, more: object = {}) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, ...more } });

test("an object that is not there", async () => {
  const kind = kindOf("StatefulSet");
  expect(toStatus(notFound(kind, "nope"), {})).toEqual(await send("GET", `${SETS}/nope`));
});

test("a resource that is not there", async () => {
  expect(toStatus(unknownPath(), {})).toEqual(await send("GET", "/apis/apps/v1/namespaces/default/nothings"));
});

test("a name that is taken", async () => {
  const kind = kindOf("ConfigMap");
  await send("POST", MAPS, map("taken"));
  const ours = toStatus(alreadyExists(kind, "taken", false), {});
  expect(ours).toEqual(await send("POST", MAPS, map("taken")));
});

test("an object that was modified", async () => {
  const kind = kindOf("ConfigMap");
  await send("POST", MAPS, map("stale"));
  const theirs = await send("PUT", `${MAPS}/stale`, map("stale", { resourceVersion: "1" }));
  expect(toStatus(modified(kind, "stale"), {})).toEqual(theirs);
});

test("a version that is not there yet", async () => {
  const theirs = await send(
    "GET",
    `${MAPS}?resourceVersion=99999999&resourceVersionMatch=NotOlderThan&timeoutSeconds=1`,
  );
  const current = Number(/current: (\d+)/.exec(String(theirs["message"]))?.[1]);
  expect(toStatus(tooLargeVersion(99_999_999, current), {})).toEqual(theirs);
});

test("a method that the resource does not have", async () => {
  expect(toStatus(methodNotAllowed(), {})).toEqual(await send("PUT", MAPS, map("x")));
});

test("a deletion that is answered without the object", async () => {
  const created = await send("POST", MAPS, map("gone"));
  const { uid } = created["metadata"] as { uid: string };
  expect(success(kindOf("ConfigMap"), "gone", uid)).toEqual(await send("DELETE", `${MAPS}/gone`));
});
