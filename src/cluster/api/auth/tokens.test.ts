/** ServiceAccount tokens, from the request to the end of what vouches for them. */
import { createPublicKey, type JsonWebKey, verify } from "node:crypto";
import { describe, expect, test } from "vitest";
import { isObject, type JsonObject } from "../json.ts";
import { withMetadata } from "../lifecycle/metadata.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import { clock, KEY, NOW, newKeyPem, newObjects, put } from "./fixtures.ts";
import { parseToken, readSigningKey, signToken } from "./jwt.ts";
import { legacyTokenData } from "./legacy-token.ts";
import { ISSUER, keySet, openIdConfiguration } from "./openid.ts";
import { NODE, POD, SECRET, SERVICE_ACCOUNT } from "./stored-kinds.ts";
import { textIn } from "./token-claims.ts";
import { requestToken } from "./token-request.ts";
import { createTokenVerifier, type Verified } from "./token-verification.ts";

const ACCOUNT = { namespace: "prod", name: "resizer" };

async function cluster(): Promise<ObjectStore> {
  const objects = newObjects();
  await put(objects, SERVICE_ACCOUNT, ACCOUNT);
  await put(objects, NODE, { name: "n1" });
  const spec = { serviceAccountName: "resizer", nodeName: "n1" };
  await put(objects, POD, { namespace: "prod", name: "p" }, { spec });
  await put(objects, POD, { namespace: "prod", name: "other" }, { spec: { serviceAccountName: "default" } });
  await put(objects, POD, { namespace: "prod", name: "lost" }, { spec: { ...spec, nodeName: "gone" } });
  await put(objects, SECRET, { namespace: "prod", name: "s" });
  return objects;
}

function request(objects: ObjectStore, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return requestToken(ACCOUNT, { metadata, spec }, { key: KEY, objects, now: NOW, uid: "token-1" });
}

const tokenOf = ({ status }: JsonObject): string => (isObject(status) ? textIn(status, "token") : "");

const claimsOf = (answer: JsonObject) => parseToken(tokenOf(answer))?.claims;
const bound = (kind: string, name: string): JsonObject => ({ boundObjectRef: { apiVersion: "v1", kind, name } });
const whyBad = (verified: Verified) => (verified.kind === "bad" ? verified.why : verified.kind);

describe("a token", () => {
  test("says who it is for, by whom, and how long", async () => {
    const answer = request(await cluster(), {}, { labels: { a: "b" } });
    expect(answer).toMatchObject({
      kind: "TokenRequest",
      metadata: { name: "resizer", namespace: "prod", uid: "resizer-uid", labels: { a: "b" } },
      spec: { audiences: [ISSUER], expirationSeconds: 3600, boundObjectRef: null },
      status: { expirationTimestamp: "2026-01-01T01:00:00Z" },
    });
    expect(claimsOf(answer)).toEqual({
      aud: [ISSUER],
      exp: NOW / 1000 + 3600,
      iat: NOW / 1000,
      nbf: NOW / 1000,
      iss: ISSUER,
      jti: "token-1",
      sub: "system:serviceaccount:prod:resizer",
      "kubernetes.io": { namespace: "prod", serviceaccount: { name: "resizer", uid: "resizer-uid" } },
    });
  });

  test("is verified by anybody who has the published keys", async () => {
    const token = tokenOf(request(await cluster()));
    const [head = "", body = "", signature = ""] = token.split(".");
    const [published] = keySet(KEY)["keys"] as readonly JsonObject[];
    const key = createPublicKey({ key: published as JsonWebKey, format: "jwk" });
    const signed = Buffer.from(`${head}.${body}`);
    const raw = Buffer.from(signature, "base64url");
    expect(verify("sha256", signed, { key, dsaEncoding: "ieee-p1363" }, raw)).toBe(true);
    expect(parseToken(token)?.header).toEqual({ alg: "ES256", kid: published?.["kid"] });
    expect(openIdConfiguration("127.0.0.1:6443")["jwks_uri"]).toBe("https://127.0.0.1:6443/openid/v1/jwks");
  });

  test.each([
    ["Pod", "p", { pod: { name: "p", uid: "p-uid" }, node: { name: "n1", uid: "n1-uid" } }],
    ["Pod", "lost", { pod: { name: "lost", uid: "lost-uid" }, node: { name: "gone" } }],
    ["Secret", "s", { secret: { name: "s", uid: "s-uid" } }],
    ["Node", "n1", { node: { name: "n1", uid: "n1-uid" } }],
  ])("bound to the %s %s says so", async (kind, name, expected) => {
    const claims = claimsOf(request(await cluster(), bound(kind, name)));
    expect(claims?.["kubernetes.io"]).toEqual({
      namespace: "prod",
      serviceaccount: { name: "resizer", uid: "resizer-uid" },
      ...expected,
    });
  });

  test("that a kubelet asks for lives a year, and says when it should have been read anew", async () => {
    const answer = request(await cluster(), { expirationSeconds: 3607, ...bound("Pod", "p") });
    expect(claimsOf(answer)).toMatchObject({
      exp: NOW / 1000 + 365 * 24 * 3600,
      "kubernetes.io": { warnafter: NOW / 1000 + 3607 },
    });
    expect(answer).toMatchObject({ status: { expirationTimestamp: "2026-01-01T01:00:07Z" } });
  });
});

test.each<[string, JsonObject, JsonObject, number]>([
  ["may not specify a duration less than 10 minutes", { expirationSeconds: 599 }, {}, 422],
  ["may not specify a duration larger than 2^32 seconds", { expirationSeconds: 2 ** 32 + 1 }, {}, 422],
  ["must match the service account name if specified", {}, { name: "x" }, 422],
  ["the UID in the token request (x) does not match", {}, { uid: "x" }, 409],
  ['pods "none" not found', bound("Pod", "none"), {}, 404],
  ['pods "a/b" not found', bound("Pod", "a/b"), {}, 404],
  ["to pod running with different serviceaccount name.", bound("Pod", "other"), {}, 400],
  ["cannot bind token to object of type /v1, Kind=ConfigMap", bound("ConfigMap", "c"), {}, 400],
])("a request is refused: %s", async (message, spec, metadata, code) => {
  const objects = await cluster();
  expect(() => request(objects, spec, metadata)).toThrow(
    expect.objectContaining({ code, message: expect.stringContaining(message) }),
  );
});

describe("verifying", () => {
  const later = (seconds: number) => ({ now: () => NOW + seconds * 1000 });

  test("gives the account, its groups, and what it is bound to", async () => {
    const objects = await cluster();
    const token = tokenOf(request(objects, bound("Pod", "p")));
    expect(createTokenVerifier(KEY, objects, clock).verify(token)).toEqual({
      kind: "good",
      audiences: [ISSUER],
      identity: {
        name: "system:serviceaccount:prod:resizer",
        uid: "resizer-uid",
        groups: ["system:serviceaccounts", "system:serviceaccounts:prod"],
        extra: {
          "authentication.kubernetes.io/credential-id": ["JTI=token-1"],
          "authentication.kubernetes.io/node-name": ["n1"],
          "authentication.kubernetes.io/node-uid": ["n1-uid"],
          "authentication.kubernetes.io/pod-name": ["p"],
          "authentication.kubernetes.io/pod-uid": ["p-uid"],
        },
      },
    });
  });

  test("allows for clocks that differ by a minute, and no more", async () => {
    const objects = await cluster();
    const token = tokenOf(request(objects));
    const at = (seconds: number) => whyBad(createTokenVerifier(KEY, objects, later(seconds)).verify(token));
    expect(at(3660)).toBe("good");
    expect(at(3661)).toBe("service account token has expired");
    expect(at(-60)).toBe("good");
    expect(at(-61)).toBe("service account token is not valid yet");
  });

  test.each<[string, string, string]>([
    ["ServiceAccount", "resizer", 'serviceaccounts "resizer" not found'],
    ["Pod", "p", "service account token has been invalidated"],
    ["Secret", "s", "service account token has been invalidated"],
    ["Node", "n1", "service account token has been invalidated"],
  ])("ends with the %s %s, even for a token that was good a moment ago", async (kind, name, why) => {
    const objects = await cluster();
    const verifier = createTokenVerifier(KEY, objects, clock);
    const token = tokenOf(request(objects, kind === "ServiceAccount" ? {} : bound(kind, name)));
    expect(whyBad(verifier.verify(token))).toBe("good");
    const row = { ServiceAccount: SERVICE_ACCOUNT, Pod: POD, Secret: SECRET, Node: NODE }[kind] ?? POD;
    const namespace = row.namespaced ? "prod" : undefined;
    await objects.remove(row, objects.get(row, namespace, name));
    expect(whyBad(verifier.verify(token))).toBe(why);
    // One of the same name is another one.
    await put(objects, row, { name, uid: "new", ...(row.namespaced ? { namespace: "prod" } : {}) });
    expect(whyBad(verifier.verify(token))).toContain("UID (new) does not match");
  });

  test("ends a minute after the deletion of an account that is held by a finalizer", async () => {
    const objects = await cluster();
    const token = tokenOf(request(objects));
    const account = objects.get(SERVICE_ACCOUNT, "prod", "resizer");
    const deletionTimestamp = "2026-01-01T00:00:00Z";
    await objects.replace(SERVICE_ACCOUNT, account, withMetadata(account, { deletionTimestamp }));
    const at = (seconds: number) => whyBad(createTokenVerifier(KEY, objects, later(seconds)).verify(token));
    expect(at(60)).toBe("good");
    expect(at(61)).toBe("service account prod/resizer has been deleted");
  });

  test("for others than us", async () => {
    const objects = await cluster();
    const verifier = createTokenVerifier(KEY, objects, clock);
    const token = tokenOf(request(objects, { audiences: ["vault", "db"] }));
    expect(whyBad(verifier.verify(token))).toBe(
      `token audiences ["vault" "db"] is invalid for the target audiences ["${ISSUER}"]`,
    );
    expect(verifier.verify(token, ["db", "x", "vault"])).toMatchObject({ kind: "good", audiences: ["db", "vault"] });
  });

  test("refuses what another key, or nobody, has signed", async () => {
    const objects = await cluster();
    const verifier = createTokenVerifier(KEY, objects, clock);
    const token = tokenOf(request(objects));
    const claims = parseToken(token)?.claims ?? {};
    const [head = "", body = ""] = token.split(".");
    const broken = "go-jose/go-jose: error in cryptographic primitive";
    const unsigned = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
    const other = readSigningKey(newKeyPem());
    expect(whyBad(verifier.verify(signToken(claims, other)))).toBe("invalid signature, no keys found");
    expect(whyBad(verifier.verify(signToken(claims, { ...other, keyId: KEY.keyId })))).toBe(broken);
    expect(whyBad(verifier.verify(`${head}.${body}.`))).toBe(broken);
    expect(whyBad(verifier.verify(`${unsigned}.${body}.`))).toBe(broken);
    expect(verifier.verify("a.b.c").kind).toBe("foreign");
    expect(verifier.verify(signToken({ ...claims, iss: "somebody" }, KEY)).kind).toBe("foreign");
    expect(whyBad(verifier.verify(signToken({ iss: ISSUER, aud: ISSUER, exp: NOW }, KEY)))).toBe(
      'serviceaccounts "" not found',
    );
  });
});

describe("a token that lives in a Secret", () => {
  async function legacy() {
    const objects = await cluster();
    const account = objects.get(SERVICE_ACCOUNT, "prod", "resizer");
    const secret = objects.get(SECRET, "prod", "s");
    const data = legacyTokenData(account, secret, KEY, "the authority");
    const stored = await objects.replace(SECRET, secret, { ...secret, data });
    const token = Buffer.from(textIn(data, "token"), "base64").toString();
    return { objects, stored, data, token, verifier: createTokenVerifier(KEY, objects, later) };
  }
  const later = { now: () => NOW + 10 * 365 * 24 * 3600 * 1000 };

  test("is good for as long as the Secret holds it", async () => {
    const { objects, stored, data, token, verifier } = await legacy();
    expect(Buffer.from(textIn(data, "namespace"), "base64").toString()).toBe("prod");
    expect(Buffer.from(textIn(data, "ca.crt"), "base64").toString()).toBe("the authority");
    expect(verifier.verify(token)).toMatchObject({
      kind: "good",
      identity: { name: "system:serviceaccount:prod:resizer", uid: "resizer-uid", extra: {} },
    });
    expect(whyBad(verifier.verify(token, ["vault"]))).toContain("is invalid for the target audiences");
    const emptied = await objects.replace(SECRET, stored, { ...stored, data: {} });
    expect(whyBad(verifier.verify(token))).toBe("Token does not match server's copy");
    await objects.remove(SECRET, emptied);
    expect(whyBad(verifier.verify(token))).toBe("Token has been invalidated");
  });

  test("is refused once it is marked", async () => {
    const { objects, stored, token, verifier } = await legacy();
    const labels = { "kubernetes.io/legacy-token-invalid-since": "2026-01-01" };
    await objects.replace(SECRET, stored, withMetadata(stored, { labels }));
    expect(whyBad(verifier.verify(token))).toContain("has been marked invalid");
  });
});

test("only a key on the curve that the tokens name is taken", () => {
  expect(() => readSigningKey("nonsense")).toThrow();
  expect(readSigningKey(newKeyPem()).keyId).toMatch(/^[\w-]{43}$/);
});
