/**
 * Certificates come to their end and are made anew while people go on asking: nobody notices. Years pass within seconds: the
 * replicas are told another time, and begin so far in the past that what they make then is about to expire now.
 */
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  startWebhook,
  WEBHOOK_NAME,
  type Webhook,
  webhookConfigurations,
} from "../../../src/admission/webhook/index.ts";
import type { StatefulSet } from "../../../src/core/types.ts";
import {
  createClient,
  createTransport,
  type KubeClient,
  loadConfig,
  type Secret,
  systemTimers,
} from "../../../src/kube/index.ts";
import { connectTo, type Server } from "../clients/server.ts";
import { startControlPlane } from "../control-plane.ts";
import { acts, install } from "../policies/installed.ts";
import { aSet, CLASSES, NAME, wanted } from "../policies/set.ts";
import { waitFor } from "../wait.ts";

const HOME = "outgrow-system";
const DAY = 24 * 3_600_000;
/** An authority made then lasts for another 29 days: not long enough. So does a certificate made 61 days ago. */
const WHEN_THE_AUTHORITY_WAS_MADE = -(10 * 365 - 29) * DAY;
const WHEN_THE_CERTIFICATE_WAS_MADE = -61 * DAY;
const CONFIGURATION = `/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/${WEBHOOK_NAME}`;
const SETS = "/apis/apps/v1/namespaces/default/statefulsets";
const WAIT = { timeoutMs: 60_000, everyMs: 50 };

let server: Server;
let client: KubeClient;
let shift = WHEN_THE_AUTHORITY_WAS_MADE;
const replicas: Webhook[] = [];

beforeAll(async () => {
  const plane = await startControlPlane({ controllers: [] });
  const folder = await mkdtemp(join(tmpdir(), "outgrow-webhook-"));
  server = connectTo("theirs", plane.admin.kubeconfig, folder, () => plane.stop());
  client = createClient(createTransport(await loadConfig({ env: {}, kubeconfig: plane.admin.kubeconfig })));
  await server.api.create("/api/v1/namespaces", { metadata: { name: HOME } });
  for (const storageClass of CLASSES) await server.api.create("/apis/storage.k8s.io/v1/storageclasses", storageClass);
  const timers = { ...systemTimers, now: () => systemTimers.now() + shift };
  const options = { client, namespace: HOME, host: "127.0.0.1", port: 0, lookEvery: 100, timers };
  replicas.push(await startWebhook(options), await startWebhook(options));
});
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.stop()));
  await client?.close();
  await server?.stop();
});

const entry = async (name: string): Promise<string> => {
  const { data = {} } = await server.api.get<Secret>(`/api/v1/namespaces/${HOME}/secrets/${WEBHOOK_NAME}`);
  return Buffer.from(data[name] ?? "", "base64").toString();
};
const trusted = async (): Promise<string> => {
  const { webhooks } = await server.api.get<{ webhooks: { clientConfig: { caBundle?: string } }[] }>(CONFIGURATION);
  return Buffer.from(webhooks[0]?.clientConfig.caBundle ?? "", "base64").toString();
};

/** The certificate that a replica shows on a new connection, to somebody who trusts this authority and nobody else. */
async function shownBy({ port }: Webhook, ca: string): Promise<string> {
  const socket = connect({ host: "127.0.0.1", port, ca });
  try {
    await once(socket, "secureConnect");
    return String(socket.getPeerX509Certificate());
  } finally {
    socket.destroy();
  }
}

/** All replicas serve with the certificate of the Secret. */
const isServed = async (): Promise<boolean> => {
  const [ca, cert] = [await entry("ca.crt"), String(new X509Certificate(await entry("tls.crt")))];
  const shown = await Promise.all(replicas.map((replica) => shownBy(replica, ca).catch(String)));
  return shown.every((each) => each === cert);
};

test("no question goes unanswered while the authority and the certificates of all replicas are renewed", async () => {
  await waitFor("the first certificates", () => entry("tls.crt").catch(() => undefined), WAIT);
  const expired = await entry("tls.crt");
  shift = WHEN_THE_CERTIFICATE_WAS_MADE;
  await waitFor("a certificate that holds", async () => (await entry("tls.crt")) !== expired && isServed(), WAIT);
  const shipped = webhookConfigurations({ url: `https://127.0.0.1:${replicas[0]?.port}` }) as readonly {
    readonly webhooks: readonly object[];
  }[];
  // With patience: a busy machine must not look like a webhook that is gone.
  const patient = ({ webhooks, ...rest }: (typeof shipped)[number]): object => ({
    ...rest,
    webhooks: webhooks.map((webhook) => ({ ...webhook, timeoutSeconds: 30 })),
  });
  await install(server, shipped.map(patient));
  await Promise.all(replicas.map(({ ready }) => ready));
  await acts(server);
  const before = { ca: await entry("ca.crt"), cert: await entry("tls.crt") };

  /** Asks for one size after the other, as fast as it goes; every one of them has to be taken for a wish. */
  const asking = new AbortController();
  let asked = 0;
  const ask = async (): Promise<void> => {
    await server.api.create(SETS, aSet());
    while (!asking.signal.aborted) {
      const size = `${20 + asked}Gi`;
      const set = await server.api.replace<StatefulSet>(`${SETS}/${NAME}`, aSet({ data: size }));
      expect(wanted(set)["data"]).toBe(size);
      asked++;
    }
  };
  /** Connects anew, again and again, and trusts only whom the API server is told to trust at that moment. */
  let connected = 0;
  const keepConnecting = async (): Promise<void> => {
    while (!asking.signal.aborted) {
      const ca = await trusted();
      for (const replica of replicas) await shownBy(replica, ca);
      connected++;
    }
  };
  const questions = Promise.all([ask(), keepConnecting()]);
  const since = async (counter: () => number): Promise<void> => {
    const then = counter();
    await Promise.race([waitFor("more questions", () => counter() >= then + 10, WAIT), questions]);
  };
  try {
    await since(() => Math.min(asked, connected));
    shift = 0;
    const renewed = async (): Promise<boolean> =>
      (await entry("tls.crt")) !== before.cert && (await trusted()) !== before.ca && isServed();
    await Promise.race([waitFor("everything to be renewed", renewed, WAIT), questions]);
    await since(() => Math.min(asked, connected));
  } finally {
    asking.abort();
  }
  await questions;

  const ca = await entry("ca.crt");
  expect(await trusted()).toBe(ca);
  const lifeOf = (text: string): number => new X509Certificate(text).validToDate.getTime() - systemTimers.now();
  expect(lifeOf(before.ca)).toBeLessThan(30 * DAY);
  expect(lifeOf(before.cert)).toBeLessThan(30 * DAY);
  expect(lifeOf(ca)).toBeGreaterThan(9 * 365 * DAY);
  expect(lifeOf(await entry("tls.crt"))).toBeGreaterThan(89 * DAY);
});
