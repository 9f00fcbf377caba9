/** Tokens of ServiceAccounts, what a cluster has from the start, and how roles gather rules: as the real ones do. */
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAuthenticator } from "../../../src/cluster/api/auth/authenticator.ts";
import { ensureBootstrap } from "../../../src/cluster/api/auth/bootstrap.ts";
import { parseToken, readSigningKey } from "../../../src/cluster/api/auth/jwt.ts";
import { ISSUER, keySet, openIdConfiguration } from "../../../src/cluster/api/auth/openid.ts";
import {
  CLUSTER_ROLE,
  CLUSTER_ROLE_BINDING,
  NAMESPACE,
  NODE,
  POD,
  ROLE,
  ROLE_BINDING,
  SECRET,
  SERVICE,
  SERVICE_ACCOUNT,
} from "../../../src/cluster/api/auth/stored-kinds.ts";
import { requestToken } from "../../../src/cluster/api/auth/token-request.ts";
import { isList, isObject, type Json, type JsonObject } from "../../../src/cluster/api/json.ts";
import { type Kind, resourceName } from "../../../src/cluster/api/kinds/kind.ts";
import { textOf } from "../../../src/cluster/api/lifecycle/metadata.ts";
import { createObjectStore } from "../../../src/cluster/api/objects/object-store.ts";
import { openMemoryStore } from "../../../src/cluster/store/index.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { makeSigningKey } from "../credentials.ts";
import { waitFor } from "../wait.ts";
import { type Answer, ours, type RealServer, realServer } from "./scene.ts";

const key = readSigningKey(makeSigningKey().privateKey);
const objects = createObjectStore(openMemoryStore());
const clock = { now: () => Date.now() };
const authenticator = createAuthenticator({ adminToken: "t", serviceAccountKey: key, objects, clock });

let plane: ControlPlane;
let real: RealServer;
beforeAll(async () => {
  plane = await startControlPlane({
    controllers: ["clusterrole-aggregation-controller"],
    apiserverFlags: ["--service-cluster-ip-range=10.96.0.0/24"],
  });
  real = realServer(plane);
});
afterAll(async () => {
  real.close();
  await plane.stop();
});

const pathOf = (kind: Kind): string => `/api/v1${kind.namespaced ? "/namespaces/default" : ""}/${kind.plural}`;
const asAdmin = (path: string, body: JsonObject) => real.call({ token: plane.admin.token, method: "POST", path, body });

/** Makes the object on the real server, and copies it, uid and all. */
async function make(kind: Kind, name: string, rest: JsonObject = {}): Promise<JsonObject> {
  const { object } = await asAdmin(pathOf(kind), { metadata: { name }, ...rest });
  return objects.create(kind, object);
}

async function unmake(kind: Kind, name: string): Promise<void> {
  await plane.api.delete(`${pathOf(kind)}/${name}?gracePeriodSeconds=0`);
  await objects.remove(kind, objects.get(kind, kind.namespaced ? "default" : undefined, name));
}

async function bothRequest(name: string, body: JsonObject): Promise<{ mine: Answer; theirs: Answer }> {
  const theirs = await asAdmin(`${pathOf(SERVICE_ACCOUNT)}/${name}/token`, body);
  const account = { namespace: "default", name };
  const issuer = { key, objects, now: Date.now(), uid: "one" };
  return { mine: await ours(() => requestToken(account, body, issuer)), theirs };
}

/** The real server was told another name for itself. */
function asOurIssuer<T>(value: T): T {
  return JSON.parse(JSON.stringify(value).replaceAll(/https:\/\/kubernetes\.default\.svc(?!\.)/g, ISSUER)) as T;
}

function tokenIn({ object }: Answer): string {
  const { status } = object;
  return isObject(status) && typeof status["token"] === "string" ? status["token"] : "";
}

/** The answer with its token taken apart, and everything that a moment or a key decides by its shape alone. */
function comparable(answer: Answer): unknown {
  const { claims, header } = parseToken(tokenIn(answer)) ?? {};
  const shown = (object: Json, within = ""): Json => {
    if (isList(object)) return object.map((item) => shown(item, within));
    if (!isObject(object)) return typeof object === "number" && within !== "expirationSeconds" ? "a number" : object;
    const told = Object.entries(object).filter(([name]) => name !== "managedFields");
    return Object.fromEntries(told.map(([name, value]) => [name, FLEETING.has(name) ? "set" : shown(value, name)]));
  };
  const lifetime = claims === undefined ? 0 : Number(claims["exp"]) - Number(claims["iat"]);
  const { taken, object } = answer;
  return asOurIssuer({
    taken,
    object: shown(object),
    claims: shown(claims ?? {}),
    header: shown(header ?? {}),
    lifetime,
  });
}
const FLEETING = new Set(["creationTimestamp", "expirationTimestamp", "token", "jti", "kid"]);

describe("a token", () => {
  const bound = (kind: string, name: string, more: JsonObject = {}): JsonObject => ({
    spec: { boundObjectRef: { kind, apiVersion: "v1", name, ...more } },
  });
  beforeAll(async () => {
    await make(SERVICE_ACCOUNT, "sa");
    const containers = [{ name: "c", image: "i" }];
    await make(POD, "early", { spec: { serviceAccountName: "sa", nodeName: "n2", containers } });
    await make(NODE, "n1");
    await make(POD, "p", { spec: { serviceAccountName: "sa", nodeName: "n1", containers } });
    await make(POD, "other", { spec: { serviceAccountName: "default", containers } });
    await make(SECRET, "s");
  });

  test.each<[string, JsonObject]>([
    ["sa", {}],
    ["sa", { spec: { audiences: ["a", "b"], expirationSeconds: 600 }, metadata: { name: "sa", labels: { x: "y" } } }],
    ["sa", { spec: { expirationSeconds: 599 } }],
    ["sa", { spec: { expirationSeconds: 0 } }],
    ["sa", { spec: { expirationSeconds: 4294967296 } }],
    ["sa", { spec: { expirationSeconds: 4294967297 } }],
    ["sa", { metadata: { name: "other" } }],
    ["sa", { metadata: { namespace: "other" } }],
    ["sa", { metadata: { uid: "other" } }],
    ["none", {}],
    ["sa", bound("Pod", "p")],
    ["sa", bound("Pod", "early")],
    ["sa", { spec: { boundObjectRef: { kind: "Pod", name: "p" }, expirationSeconds: 3607 } }],
    ["sa", bound("Pod", "p", { uid: "no" })],
    ["sa", bound("Pod", "other")],
    ["sa", bound("Pod", "none")],
    ["sa", bound("Secret", "s")],
    ["sa", bound("Secret", "none")],
    ["sa", bound("Node", "n1")],
    ["sa", bound("ConfigMap", "c")],
    ["sa", bound("Deployment", "c", { apiVersion: "apps/v1" })],
    ["sa", { spec: { boundObjectRef: { name: "p" } } }],
  ])("for %s: %j", async (name, body) => {
    const { mine, theirs } = await bothRequest(name, body);
    expect(comparable(mine)).toEqual(comparable(theirs));
  });

  /** Upstream remembers for ten seconds that a token was good: each is reviewed once. */
  async function bothReview({ mine, theirs }: { mine: Answer; theirs: Answer }, audiences: string[] = []) {
    const body = (token: string): JsonObject => ({ spec: { token, audiences } });
    const { object } = await asAdmin("/apis/authentication.k8s.io/v1/tokenreviews", body(tokenIn(theirs)));
    const verdict = authenticator.review(tokenIn(mine), audiences);
    const status = asOurIssuer(object["status"]) as JsonObject;
    if (verdict.kind === "unknown") return { mine: verdict.why, theirs: status["error"] };
    const { name, uid, groups, extra } = verdict.identity;
    const credential = { "authentication.kubernetes.io/credential-id": "set" };
    const { user, audiences: found } = status as { user: { extra: object }; audiences: string[] };
    return {
      mine: { username: name, uid, groups, extra: { ...extra, ...credential }, audiences: verdict.audiences },
      theirs: { ...user, extra: { ...user.extra, ...credential }, audiences: found },
    };
  }

  test.each<[JsonObject, string[]]>([
    [{}, []],
    [bound("Pod", "p"), []],
    [bound("Node", "n1"), []],
    [{}, ["x"]],
    [{ spec: { audiences: ["a", "b"] } }, []],
    [{ spec: { audiences: ["a", "b"] } }, ["b", "c", "a"]],
  ])("%j reviewed for %j", async (body, audiences) => {
    const { mine, theirs } = await bothReview(await bothRequest("sa", body), audiences);
    expect(mine).toEqual(theirs);
  });

  /** The real server hears a moment later of what is gone; who is asked too early is asked again when nobody remembers that. */
  const untilAgreed = (token: { mine: Answer; theirs: Answer }) =>
    waitFor("both to say the same", async () => {
      const both = await bothReview(token);
      return isDeepStrictEqual(both.mine, both.theirs) && both;
    });

  test("is worth nothing once what it is bound to is gone, or its account is another", async () => {
    const tokens = [
      await bothRequest("sa", bound("Secret", "s")),
      await bothRequest("sa", bound("Pod", "p")),
      await bothRequest("sa", bound("Node", "n1")),
    ];
    const [first, second] = [await bothRequest("sa", {}), await bothRequest("sa", {})];
    await unmake(SECRET, "s");
    await unmake(POD, "p");
    await unmake(NODE, "n1");
    for (const token of tokens) {
      const { mine } = await untilAgreed(token);
      expect(mine).toBe("[invalid bearer token, service account token has been invalidated]");
    }
    await unmake(SERVICE_ACCOUNT, "sa");
    await untilAgreed(first);
    await make(SERVICE_ACCOUNT, "sa");
    await untilAgreed(second);
  });
});

test("others learn alike how to verify tokens", async () => {
  const address = new URL(plane.url).host;
  const configuration = asOurIssuer(await plane.api.get("/.well-known/openid-configuration"));
  expect(openIdConfiguration(address)).toEqual(configuration);
  const theirs = JSON.parse(await plane.api.text("/openid/v1/jwks")) as { keys: JsonObject[] };
  const [mine] = keySet(key)["keys"] as readonly JsonObject[];
  expect(Object.keys(mine ?? {}).toSorted()).toEqual(Object.keys(theirs.keys[0] ?? {}).toSorted());
});

describe("a new cluster", () => {
  const fresh = createObjectStore(openMemoryStore());
  beforeAll(async () => {
    const port = Number(new URL(plane.url).port);
    await ensureBootstrap({ objects: fresh, clock, chance: { uid: () => "one" }, port });
    await waitFor("the roles to be gathered", async () => {
      const { rules } = await plane.api.get<{ rules: unknown[] | null }>(
        "/apis/rbac.authorization.k8s.io/v1/clusterroles/admin",
      );
      return (rules?.length ?? 0) === (fresh.get(CLUSTER_ROLE, undefined, "admin")["rules"] as unknown[]).length;
    });
  });

  /** What is fleeting is left out; so are the types, which lists do not repeat. */
  const lasting = (object: JsonObject): unknown =>
    JSON.parse(
      JSON.stringify({ ...object, kind: undefined, apiVersion: undefined }, (name, value: unknown) =>
        ["uid", "resourceVersion", "creationTimestamp", "time"].includes(name) ? undefined : value,
      ),
    );

  test.each([CLUSTER_ROLE, CLUSTER_ROLE_BINDING, ROLE, ROLE_BINDING, NAMESPACE])(
    "has the same $plural",
    async (kind) => {
      const root = kind.group === "" ? "/api/v1" : `/apis/${kind.group}/${kind.version}`;
      const { items } = await plane.api.get<{ items: JsonObject[] }>(`${root}/${kind.plural}`);
      const mine = fresh.all(kind);
      expect(mine.length, resourceName(kind)).toBeGreaterThan(0);
      for (const object of mine) {
        const theirs = items.find(
          (item) =>
            textOf(item, "name") === textOf(object, "name") &&
            textOf(item, "namespace") === textOf(object, "namespace"),
        );
        expect(lasting(object)).toEqual(lasting(theirs ?? {}));
      }
    },
  );

  test("has the same Service for its API", async () => {
    const theirs = await plane.api.get<JsonObject>("/api/v1/namespaces/default/services/kubernetes");
    expect(lasting(fresh.get(SERVICE, "default", "kubernetes"))).toEqual(lasting(theirs));
  });
});
