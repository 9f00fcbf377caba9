import { describe, expect, test } from "vitest";
import { ADMIN, createAuthenticator } from "./authenticator.ts";
import { clock, KEY, NOW, newObjects, put } from "./fixtures.ts";
import { ANONYMOUS } from "./identity.ts";
import { ISSUER } from "./openid.ts";
import { SERVICE_ACCOUNT } from "./stored-kinds.ts";
import { requestToken } from "./token-request.ts";

const objects = newObjects();
await put(objects, SERVICE_ACCOUNT, { namespace: "prod", name: "resizer" });
const account = { namespace: "prod", name: "resizer" };
const issued = requestToken(account, {}, { key: KEY, objects, now: NOW, uid: "t" });
const token = (issued["status"] as { token: string }).token;
const authenticator = createAuthenticator({
  adminToken: "admin-token",
  users: [{ token: "ann-token", name: "ann", uid: "7", groups: ["dev"] }],
  serviceAccountKey: KEY,
  objects,
  clock,
});
const asking = (authorization?: string) => authenticator.authenticate({ authorization });

test.each([
  ["Bearer admin-token", { name: ADMIN, uid: "", groups: ["system:masters", "system:authenticated"], extra: {} }],
  ["bearer ann-token", { name: "ann", uid: "7", groups: ["dev", "system:authenticated"], extra: {} }],
  ["  Bearer ann-token more", { name: "ann", uid: "7", groups: ["dev", "system:authenticated"], extra: {} }],
  [undefined, ANONYMOUS],
  ["", ANONYMOUS],
  ["Basic YTpi", ANONYMOUS],
  ["Bearer", ANONYMOUS],
])("%s", (authorization, expected) => {
  expect(asking(authorization)).toEqual(expected);
});

test("the token of a ServiceAccount", () => {
  expect(asking(`Bearer ${token}`)).toMatchObject({
    name: "system:serviceaccount:prod:resizer",
    groups: ["system:serviceaccounts", "system:serviceaccounts:prod", "system:authenticated"],
  });
});

test.each(["Bearer wrong", "Bearer admin-token2", `Bearer ${token}x`, "Bearer ann-toke"])("%s is refused", (header) => {
  expect(() => asking(header)).toThrow(
    expect.objectContaining({ code: 401, reason: "Unauthorized", message: "Unauthorized" }),
  );
});

test("a space too many makes a token no token, and the client is told", () => {
  const warnings: string[] = [];
  const identity = authenticator.authenticate({ authorization: "Bearer  ann-token" }, (text) => warnings.push(text));
  expect(identity).toBe(ANONYMOUS);
  expect(warnings).toEqual([
    "the provided Authorization header contains extra space before the bearer token, and is ignored",
  ]);
});

describe("a review of a token", () => {
  test("is for the audiences of this server, unless others are named", () => {
    expect(authenticator.review("ann-token", [])).toMatchObject({ kind: "known", audiences: [ISSUER] });
    expect(authenticator.review("ann-token", ["x", ISSUER])).toMatchObject({ kind: "known", audiences: [ISSUER] });
    expect(authenticator.review("ann-token", ["x"])).toEqual({ kind: "unknown", why: "invalid bearer token" });
  });

  test("says why not", () => {
    expect(authenticator.review("nonsense", [])).toEqual({ kind: "unknown", why: "invalid bearer token" });
    expect(authenticator.review(token, ["x"])).toEqual({
      kind: "unknown",
      why: `[invalid bearer token, token audiences ["${ISSUER}"] is invalid for the target audiences ["x"]]`,
    });
  });
});
