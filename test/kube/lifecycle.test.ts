/** Creating, updating and deleting: what the embedded server makes of a request is what kube-apiserver makes of it. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/cluster/api/json.ts";
import { BUILT_IN } from "../../src/cluster/api/kinds/built-in.ts";
import type { Kind } from "../../src/cluster/api/kinds/kind.ts";
import { prepareCreate } from "../../src/cluster/api/lifecycle/create.ts";
import { type DeleteOptions, isFinished, prepareDelete } from "../../src/cluster/api/lifecycle/delete.ts";
import { checkPreconditions, keepOtherHalf, prepareUpdate } from "../../src/cluster/api/lifecycle/update.ts";
import { StatusError } from "../../src/cluster/api/status-error.ts";
import { type ControlPlane, startControlPlane } from "./control-plane.ts";

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane({ controllers: [] });
});
afterAll(() => plane.stop());

const MAPS = "/api/v1/namespaces/default/configmaps";
const SETS = "/apis/apps/v1/namespaces/default/statefulsets";
const CONFIG_MAP = BUILT_IN.find(({ kind }) => kind === "ConfigMap") as Kind;
const STATEFUL_SET = BUILT_IN.find(({ kind }) => kind === "StatefulSet") as Kind;
const CHANCE = { uid: () => "uid-1", below: () => 0 };

interface Answer {
  readonly status: number;
  readonly body: JsonObject & { readonly message?: string; readonly reason?: string };
}

async function send(method: string, path: string, body?: unknown): Promise<Answer> {
  const { token } = plane.admin;
  // The server's certificate is its own; this test is about what it says.
  const { Agent, fetch } = await import("undici");
  const dispatcher = new Agent({ connect: { ca: plane.ca } });
  const answer = await fetch(new URL(path, plane.url), {
    method,
    dispatcher,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const json = (await answer.json()) as Answer["body"];
  await dispatcher.close();
  return { status: answer.status, body: json };
}

function refusal(act: () => unknown): { status: number; reason: string; message: string } | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof StatusError) return { status: error.code, reason: error.reason, message: error.message };
    throw error;
  }
}

const said = ({ status, body }: Answer) => ({
  status,
  reason: body.reason ?? "",
  // Where in Kubernetes' source a table of types lies is nothing that we have.
  message: body.message?.replace(/ in scheme "[^"]*"/, ""),
});
const map = (name: string, more: object = {}): JsonObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, ...more },
  data: { a: "1" },
});

describe("creating", () => {
  const request = { namespace: "default", now: "2026-01-01T00:00:00Z", chance: CHANCE };

  test.each([
    ["with a resourceVersion", map("c-1", { resourceVersion: "5" })],
    ["in another namespace than the path's", map("c-2", { namespace: "other" })],
    ["something else than the path says", { apiVersion: "v1", kind: "Secret", metadata: { name: "c-3" } }],
    ["in another version than the path says", { ...map("c-4"), apiVersion: "v2" }],
  ])("is refused %s", async (_, body) => {
    const theirs = await send("POST", MAPS, body);
    expect(refusal(() => prepareCreate(CONFIG_MAP, body, request))).toEqual(said(theirs));
  });

  test("drops what only the server sets, and fills it in", async () => {
    const sent = map("c-5", {
      uid: "mine",
      creationTimestamp: "2001-01-01T00:00:00Z",
      generation: 7,
      deletionGracePeriodSeconds: 3,
    });
    const { body } = await send("POST", MAPS, sent);
    const {
      managedFields: _,
      resourceVersion: __,
      uid,
      creationTimestamp,
      ...metadata
    } = body["metadata"] as JsonObject;
    const ours = prepareCreate(CONFIG_MAP, sent, {
      namespace: "default",
      now: creationTimestamp as string,
      chance: { ...CHANCE, uid: () => uid as string },
    });
    expect(ours).toEqual({ ...body, metadata: { ...metadata, uid, creationTimestamp } });
  });

  test("makes a name", async () => {
    const base = `${"x".repeat(70)}-`;
    const { body } = await send("POST", MAPS, { ...map(""), metadata: { generateName: base } });
    const ours = prepareCreate(CONFIG_MAP, { ...map(""), metadata: { generateName: base } }, request);
    const nameOf = ({ metadata }: JsonObject): string => (metadata as JsonObject)["name"] as string;
    expect(nameOf(ours).slice(0, -5)).toBe(nameOf(body).slice(0, -5));
    expect(nameOf(ours)).toHaveLength(nameOf(body).length);
  });
});

describe("updating", () => {
  test.each([
    [
      "under another name",
      (stored: JsonObject) => ({ ...stored, metadata: { ...(stored["metadata"] as JsonObject), name: "u-other" } }),
    ],
    [
      "another object of that name",
      (stored: JsonObject) => ({ ...stored, metadata: { ...(stored["metadata"] as JsonObject), uid: "other" } }),
    ],
    [
      "an older version",
      (stored: JsonObject) => ({
        ...stored,
        metadata: { ...(stored["metadata"] as JsonObject), resourceVersion: "1" },
      }),
    ],
  ])("is refused for %s", async (what, change) => {
    const name = `u-${what.replaceAll(/[^a-z]/g, "-")}`;
    const { body: stored } = await send("POST", MAPS, map(name));
    const sent = change(stored);
    const theirs = await send("PUT", `${MAPS}/${name}`, sent);
    expect(refusal(() => checkPreconditions(CONFIG_MAP, stored, sent))).toEqual(said(theirs));
  });

  test("raises the generation with the spec and with nothing else, and keeps the status", async () => {
    const set = {
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      metadata: { name: "g" },
      spec: {
        replicas: 0,
        serviceName: "g",
        selector: { matchLabels: { a: "b" } },
        template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } },
      },
    };
    const { body: stored } = await send("POST", SETS, set);
    const spec = stored["spec"] as JsonObject;
    const metadata = stored["metadata"] as JsonObject;
    for (const sent of [
      { ...stored, spec: { ...spec, replicas: 3 } },
      { ...stored, metadata: { ...metadata, labels: { x: "y" } } },
      { ...stored, status: { replicas: 9 } },
    ]) {
      const theirs = await send("PUT", `${SETS}/g?dryRun=All`, sent);
      const halves = keepOtherHalf(STATEFUL_SET, stored, sent, undefined);
      const ours = prepareUpdate(STATEFUL_SET, stored, halves, undefined);
      const compared = ({ metadata: meta, ...rest }: JsonObject) => {
        const { managedFields: _, ...others } = meta as JsonObject;
        return { ...rest, metadata: others };
      };
      expect(compared(ours)).toEqual(compared(theirs.body));
    }
  });
});

describe("deleting", () => {
  test.each([
    ["another object of that name", { preconditions: { uid: "other" } }],
    ["another version", { preconditions: { resourceVersion: "1" } }],
  ] as const)("is refused for %s", async (what, options) => {
    const name = `d-${what.replaceAll(/[^a-z]/g, "-")}`;
    const { body: stored } = await send("POST", MAPS, map(name));
    const theirs = await send("DELETE", `${MAPS}/${name}`, { apiVersion: "v1", kind: "DeleteOptions", ...options });
    expect(refusal(() => prepareDelete(CONFIG_MAP, stored, options, 0))).toEqual(said(theirs));
  });

  const policies: readonly DeleteOptions[] = [
    {},
    { propagationPolicy: "Orphan" },
    { propagationPolicy: "Foreground" },
    { propagationPolicy: "Background" },
  ];
  test.each(policies.flatMap((options) => [[], ["example.com/hold"]].map((finalizers) => ({ options, finalizers }))))(
    "$options with finalizers $finalizers",
    async ({ options, finalizers }) => {
      const name = `p-${options.propagationPolicy ?? "none"}-${finalizers.length}`.toLowerCase();
      const { body: stored } = await send("POST", MAPS, map(name, { finalizers }));
      await send("DELETE", `${MAPS}/${name}`, { apiVersion: "v1", kind: "DeleteOptions", ...options });
      const { status, body } = await send("GET", `${MAPS}/${name}`);
      const ours = prepareDelete(CONFIG_MAP, stored, options, Date.now());
      expect(ours.kind).toBe(status === 404 ? "remove" : "mark");
      if (ours.kind !== "mark") return;
      const left = (object: JsonObject) => {
        const { finalizers: held, deletionGracePeriodSeconds } = object["metadata"] as JsonObject;
        return { held, deletionGracePeriodSeconds };
      };
      expect(left(ours.object)).toEqual(left(body));
      const freed = { ...body, metadata: { ...(body["metadata"] as JsonObject), finalizers: [] } };
      await send("PUT", `${MAPS}/${name}`, freed);
      expect((await send("GET", `${MAPS}/${name}`)).status).toBe(isFinished(CONFIG_MAP, freed) ? 404 : 200);
    },
  );
});
