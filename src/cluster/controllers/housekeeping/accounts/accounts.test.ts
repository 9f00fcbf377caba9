import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isNotFound, NAMESPACES, SECRETS, type Secret } from "../../../../kube/index.ts";
import { until } from "../../../../kube/testing/until.ts";
import { readSigningKey } from "../../../api/auth/jwt.ts";
import type { Controller } from "../../shared/run-controller.ts";
import { type Embedded, startEmbedded } from "../testing/embedded.ts";
import { startServiceAccountController } from "./default-account.ts";
import { startRootCertificatePublisher } from "./root-certificate.ts";
import { ACCOUNT_NAME, ACCOUNT_UID, decideToken, TOKEN_TYPE } from "./token-decision.ts";
import { startTokenController } from "./tokens.ts";
import { ACCOUNTS, MAPS } from "./types.ts";

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const key = readSigningKey(privateKey.export({ type: "pkcs8", format: "pem" }).toString());
const ca = "the authority";

let cluster: Embedded;
let controllers: Controller[] = [];
beforeAll(async () => {
  cluster = await startEmbedded();
  const { client } = cluster;
  controllers = [
    startServiceAccountController({ client }),
    startRootCertificatePublisher({ client, ca }),
    startTokenController({ client, key, ca }),
  ];
  await Promise.all(controllers.map(({ synced }) => synced));
});
afterAll(async () => {
  await Promise.all(controllers.map((each) => each.stop()));
  await cluster?.[Symbol.asyncDispose]();
});

const missing = (error: unknown): undefined => {
  if (isNotFound(error)) return undefined;
  throw error;
};

describe("every namespace", () => {
  test("has an account `default`, also after somebody has deleted it", async () => {
    const namespace = await cluster.namespace();
    const find = () => cluster.client.get(ACCOUNTS, { namespace, name: "default" }).catch(missing);
    const first = await until("an account", find);
    await cluster.client.delete(ACCOUNTS, { namespace, name: "default" });
    const second = await until("another account", async () => {
      const found = await find();
      return found?.metadata.uid !== first.metadata.uid && found;
    });
    expect(second.metadata.name).toBe("default");
  });

  test("has the certificate, also after somebody has spoilt it", async () => {
    const namespace = await cluster.namespace();
    const ref = { namespace, name: "kube-root-ca.crt" };
    const find = () => cluster.client.get(MAPS, ref).catch(missing);
    await until("a certificate", find);
    await cluster.client.patch(MAPS, ref, { type: "merge", body: { data: { "ca.crt": "x", more: "y" } } });
    const mended = await until("it is mended", async () => {
      const found = await find();
      return found?.data?.["ca.crt"] === ca && found;
    });
    expect(mended.data).toEqual({ "ca.crt": ca });
  });

  test("gets nothing any more while it is being deleted", async () => {
    const namespace = await cluster.namespace();
    await until("an account", () => cluster.client.get(ACCOUNTS, { namespace, name: "default" }).catch(missing));
    await cluster.client.delete(NAMESPACES, { name: namespace });
    await cluster.client.delete(ACCOUNTS, { namespace, name: "default" });
    const other = await cluster.namespace();
    await until("another's account", () =>
      cluster.client.get(ACCOUNTS, { namespace: other, name: "default" }).catch(missing),
    );
    expect(await cluster.client.get(ACCOUNTS, { namespace, name: "default" }).catch(missing)).toBeUndefined();
  });
});

describe("a Secret for a token", () => {
  const secret = (namespace: string, account: string): Secret => ({
    metadata: { name: "token", namespace, annotations: { [ACCOUNT_NAME]: account } },
    type: TOKEN_TYPE,
  });

  test("is filled, and goes with its account", async () => {
    const namespace = await cluster.namespace();
    const account = await cluster.client.create(ACCOUNTS, { metadata: { name: "robot", namespace } });
    await cluster.client.create(SECRETS, secret(namespace, "robot"));
    const ref = { namespace, name: "token" };
    const filled = await until("a token", async () => {
      const found = await cluster.client.get(SECRETS, ref);
      return found.data?.["token"] !== undefined && found;
    });
    expect(filled.metadata.annotations?.[ACCOUNT_UID]).toBe(account.metadata.uid);
    expect(filled.data).toMatchObject({
      "ca.crt": Buffer.from(ca).toString("base64"),
      namespace: Buffer.from(namespace).toString("base64"),
    });
    await cluster.client.delete(ACCOUNTS, { namespace, name: "robot" });
    await until("it is gone", async () => (await cluster.client.get(SECRETS, ref).catch(missing)) === undefined);
  });

  test("of an account that is not there is deleted", async () => {
    const namespace = await cluster.namespace();
    await cluster.client.create(SECRETS, secret(namespace, "nobody"));
    const ref = { namespace, name: "token" };
    expect(
      await until("it is gone", async () => (await cluster.client.get(SECRETS, ref).catch(missing)) === undefined),
    ).toBe(true);
  });

  const account = { metadata: { name: "robot", uid: "u" } };
  const complete = { token: "t", namespace: "n", "ca.crt": "c" };
  const named = (uid: string, data: Record<string, string> = complete): Secret => ({
    metadata: {
      name: "token",
      annotations: { [ACCOUNT_NAME]: "robot", ...(uid === "" ? {} : { [ACCOUNT_UID]: uid }) },
    },
    type: TOKEN_TYPE,
    data,
  });
  test.each([
    ["complete", named("u"), account, "leave"],
    ["without a token", named("u", { ...complete, token: "" }), account, "fill"],
    ["with another authority", named("u", { ...complete, "ca.crt": "old" }), account, "fill"],
    ["of an account that was made anew", named("before"), account, "delete"],
    ["of an account that is gone", named("u"), undefined, "delete"],
    ["of another type", { ...named("u"), type: "Opaque" }, undefined, "leave"],
    ["that names no account", { ...named("u"), metadata: { name: "x" } }, undefined, "leave"],
  ] as const)("that is %s", (_, given, found, kind) => {
    expect(decideToken(given, found, "c").kind).toBe(kind);
  });
});
