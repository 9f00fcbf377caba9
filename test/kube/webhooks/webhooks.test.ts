/** The same webhooks, asked by a real kube-apiserver and by us: the same questions, outcomes and words. */
import { Agent, request as send } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AdmissionRequest } from "../../../src/cluster/api/admission/plugin.ts";
import type { JsonObject } from "../../../src/cluster/api/json.ts";
import { StatusError } from "../../../src/cluster/api/status-error.ts";
import { type HookBench, openHookBench, requestFor } from "../../../src/cluster/api/webhooks/testing/hook-bench.ts";
import {
  BEHAVIOURS,
  configurationOf,
  SCENES,
  type Scene,
} from "../../../src/cluster/api/webhooks/testing/hook-scenes.ts";
import {
  type HookServer,
  type Review,
  startHookServer,
} from "../../../src/cluster/api/webhooks/testing/hook-server.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { waitFor } from "../wait.ts";
import differences from "./differences.json" with { type: "json" };

const DIFFERENCES: Readonly<Record<string, { readonly reason: string; readonly ours: string }>> = differences;
const MAPS = "/api/v1/namespaces/default/configmaps";

interface Outcome {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly warnings: readonly string[];
  /** What a webhook may have changed. */
  readonly object: JsonObject | undefined;
}

let plane: ControlPlane;
let server: HookServer;
let bench: HookBench;
let agent: Agent;

beforeAll(async () => {
  server = await startHookServer(BEHAVIOURS);
  bench = openHookBench();
  plane = await startControlPlane({ controllers: [] });
  agent = new Agent({ connect: { ca: plane.ca } });
  await bench.put({ apiVersion: "v1", kind: "Namespace", metadata: { name: "default" } });
  for (const scene of SCENES.filter(({ operation }) => operation === "UPDATE" || operation === "DELETE")) {
    await plane.api.create(MAPS, mapOf(scene.name));
  }
  for (const type of ["mutating", "validating"] as const) {
    const configuration = configurationOf(type, SCENES, server);
    await bench.put(configuration);
    await plane.api.create(`/apis/admissionregistration.k8s.io/v1/${type}webhookconfigurations`, configuration);
  }
  // The server learns of configurations by watching.
  for (const scene of ["m-deny", "v-deny"]) {
    await waitFor(`the webhook ${scene}`, async () => {
      const { code } = await askServer("POST", `${MAPS}?dryRun=All`, mapOf(scene));
      return code === 403;
    });
  }
  server.forget();
});

afterAll(async () => {
  await bench?.close();
  await plane?.stop();
  await server?.stop();
  await agent?.close();
});

const mapOf = (scene: string, data: JsonObject = { a: "b" }): JsonObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: scene, labels: { scene } },
  data,
});

async function askServer(method: "POST" | "PUT" | "DELETE", path: string, body?: JsonObject): Promise<Outcome> {
  const {
    statusCode,
    headers,
    body: answer,
  } = await send(plane.url + path, {
    method,
    dispatcher: agent,
    headers: { authorization: `Bearer ${plane.admin.token}`, "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const {
    reason = "",
    message = "",
    ...object
  } = (await answer.json()) as JsonObject & {
    reason?: string;
    message?: string;
  };
  const ok = statusCode < 300;
  return {
    code: statusCode,
    reason,
    message,
    warnings: [headers["warning"] ?? []]
      .flat()
      .flatMap((each) => [...each.matchAll(/299 - "([^"]*)"/g)].map(([, text = ""]) => text)),
    object: ok && object["kind"] === "ConfigMap" ? changeable(object) : undefined,
  };
}

function askReal({ name, operation = "CREATE", dryRun = false }: Scene): Promise<Outcome> {
  const query = dryRun ? "?dryRun=All" : "";
  switch (operation) {
    case "CREATE":
      return askServer("POST", MAPS + query, mapOf(name));
    case "UPDATE":
      return askServer("PUT", `${MAPS}/${name}${query}`, mapOf(name, { a: "c" }));
    case "DELETE":
      return askServer("DELETE", `${MAPS}/${name}${query}`);
  }
}

function changeable({ metadata, data = null }: JsonObject): JsonObject {
  return { labels: (metadata as JsonObject)["labels"] ?? null, data };
}

/** The request that the real server must have had in hand when it asked this; where it could not ask, one like it. */
function requestOf(scene: Scene, review: Review | undefined, warn: (text: string) => void): AdmissionRequest {
  const map = {
    ...mapOf(scene.name),
    metadata: { name: scene.name, namespace: "default", labels: { scene: scene.name } },
  };
  const request = requestFor(bench.catalog, scene.operation ?? "CREATE", map, { warn, dryRun: scene.dryRun ?? false });
  return review === undefined ? request : { ...request, ...toldBy(review) };
}

function toldBy({ request }: Review): Partial<AdmissionRequest> {
  const { object, oldObject, options, userInfo } = request as Record<string, JsonObject | null>;
  const { username, groups } = userInfo as unknown as { username: string; groups: string[] };
  const user = { name: username, groups };
  return { object: object ?? undefined, old: oldObject ?? undefined, options: options ?? {}, user };
}

async function askOurs(request: AdmissionRequest): Promise<Omit<Outcome, "warnings">> {
  try {
    const object = await bench.admit(request);
    const code = request.operation === "CREATE" ? 201 : 200;
    return { code, reason: "", message: "", object: object === undefined ? undefined : changeable(object) };
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return { code: error.code, reason: error.reason, message: error.message, object: undefined };
  }
}

/** Ids of single questions and of single logins. */
function plain(review: Review | undefined): JsonObject | undefined {
  if (review === undefined) return undefined;
  const { uid: _, userInfo, ...rest } = review.request as JsonObject;
  const { extra: __, uid: ___, ...user } = userInfo as JsonObject;
  return { ...review, request: { ...rest, userInfo: user } };
}

/** Texts that differ from call to call. */
function said(outcome: Omit<Outcome, "warnings">): Omit<Outcome, "warnings"> {
  return { ...outcome, message: outcome.message.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "UID") };
}

describe("each webhook", () => {
  test.each(SCENES)("$name", async (scene) => {
    const path = scene.path.replace(/(.)\/$/, "$1");
    server.forget();
    const real = await askReal(scene);
    const asked = server.asked(path).at(-1);
    server.forget();
    const warnings = new Set<string>();
    const ours = await askOurs(requestOf(scene, asked, (text) => warnings.add(text)));
    expect(plain(server.asked(path).at(-1))).toEqual(plain(asked));
    expect([...warnings]).toEqual(real.warnings);
    const { warnings: _, ...expected } = real;
    const known = DIFFERENCES[scene.name];
    if (known === undefined) expect(said(ours)).toEqual(said(expected));
    else {
      expect(said(ours).message).toBe(known.ours);
      expect(said(ours)).not.toEqual(said(expected));
      expect({ code: ours.code, reason: ours.reason }).toEqual({ code: expected.code, reason: expected.reason });
    }
  });
});
