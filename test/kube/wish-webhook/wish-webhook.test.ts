/**
 * A size written into a template becomes a wish, by the webhook: the same stories as with policies, and what only a webhook
 * has to care about: certificates, replicas, and not being there.
 */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import {
  startWebhook,
  WEBHOOK_NAME,
  WEBHOOK_RULES,
  WEBHOOK_SECRET_RULES,
  type Webhook,
  webhookConfigurations,
} from "../../../src/admission/webhook/index.ts";
import { createClient, createTransport, type KubeClient, loadConfig, type Secret } from "../../../src/kube/index.ts";
import { connectTo, type Server } from "../clients/server.ts";
import { startControlPlane } from "../control-plane.ts";
import { startOutgrow } from "../outgrow-process.ts";
import { acts, install } from "../policies/installed.ts";
import { aSet, wanted } from "../policies/set.ts";
import { openStage, type Stage } from "../policies/stage.ts";
import { FIXED, tellStories } from "../policies/stories.ts";
import { tellWishStories } from "../policies/wish-stories.ts";
import { userFor } from "../rbac.ts";
import { waitFor } from "../wait.ts";

const HOME = "outgrow-system";
const LOOK_EVERY = 100;
const SECRET = `/api/v1/namespaces/${HOME}/secrets/${WEBHOOK_NAME}`;
const configurationPath = (kind: string) => `/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations`;

let server: Server;
let stage: Stage;
let client: KubeClient;
const replicas: Webhook[] = [];

beforeAll(async () => {
  const plane = await startControlPlane({ controllers: [] });
  const folder = await mkdtemp(join(tmpdir(), "outgrow-webhook-"));
  server = connectTo("theirs", plane.admin.kubeconfig, folder, () => plane.stop());
  stage = await openStage(server);
  // With the shipped rights, and no others.
  const { kubeconfig } = await userFor(plane, { namespace: HOME, account: "webhook", manifest: RIGHTS });
  client = createClient(createTransport(await loadConfig({ env: {}, kubeconfig })));
  replicas.push(...(await Promise.all([startReplica(), startReplica()])));
  await install(server, configurations());
  await Promise.all(replicas.map(({ ready }) => ready));
  await acts(server);
});
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.stop()));
  await client?.close();
  await server?.stop();
});

const RIGHTS = [
  { kind: "ClusterRole", metadata: { name: "webhook" }, rules: WEBHOOK_RULES },
  { kind: "Role", metadata: { name: "webhook" }, rules: WEBHOOK_SECRET_RULES },
]
  .map((role) => stringify({ apiVersion: "rbac.authorization.k8s.io/v1", ...role }))
  .join("---\n");

/** As shipped, but reached on this machine, and with patience: a busy machine must not look like a webhook that is gone. */
function configurations(): readonly object[] {
  const shipped = webhookConfigurations({ url: `https://127.0.0.1:${replicas[0]?.port}` });
  return (shipped as readonly { webhooks: readonly object[] }[]).map((configuration) => ({
    ...configuration,
    webhooks: configuration.webhooks.map((webhook) => ({ ...webhook, timeoutSeconds: 30 })),
  }));
}

function startReplica(): Promise<Webhook> {
  return startWebhook({ client, namespace: HOME, host: "127.0.0.1", port: 0, lookEvery: LOOK_EVERY });
}

tellStories(() => stage, false);
tellWishStories(() => stage);

test("whoever asks for a size is told what happens", async () => {
  const hand = await stage.hand();
  await hand.create();
  const { stderr } = await hand.kubectl("replace -f -", aSet({ data: "20Gi", wal: "2Gi" }));
  expect(stderr).toContain("Warning: sts/db: data grows to 20Gi by outgrow; the template follows\n");
  expect(stderr).toContain("Warning: sts/db: wal grows to 2Gi by outgrow; the template follows\n");
});

describe("certificates", () => {
  interface Configuration {
    readonly webhooks: readonly { readonly clientConfig: { readonly caBundle?: string } }[];
  }

  const bundle = async (kind: string) => {
    const { webhooks } = await server.api.get<Configuration>(`${configurationPath(kind)}/${WEBHOOK_NAME}`);
    return webhooks[0]?.clientConfig.caBundle;
  };
  const authority = async () => (await server.api.get<Secret>(SECRET)).data?.["ca.crt"];
  const trusted = () =>
    waitFor("both configurations to trust the authority", async () => {
      const ca = await authority();
      return (await bundle("mutating")) === ca && (await bundle("validating")) === ca && ca;
    });
  /** A bigger size is taken for a wish, by whoever serves at the address of the configurations. */
  const isServed = async () => {
    const hand = await stage.hand();
    await hand.create();
    await waitFor(
      "a size to be taken",
      async () => (await hand.kubectl("replace -f -", aSet({ data: "20Gi" }))).code === 0,
    );
    expect(wanted(await hand.read())).toEqual({ data: "20Gi", wal: "1Gi" });
  };

  test("are one for all replicas, however many begin at once", async () => {
    await trusted();
    const before = await authority();
    const more = await Promise.all([startReplica(), startReplica(), startReplica()]);
    await Promise.all(more.map(({ ready }) => ready));
    expect(await authority()).toBe(before);
    await Promise.all(more.map((each) => each.stop()));
  });

  test("that are damaged are made anew, and trusted", async () => {
    const before = await trusted();
    await server.api.patch(SECRET, { data: { "ca.key": "", "tls.crt": "" } });
    await waitFor("another authority", async () => (await authority()) !== before && (await trusted()) !== before);
    await isServed();
  });

  test("that were deleted are made anew, and trusted", async () => {
    const before = await trusted();
    await server.api.delete(SECRET);
    await waitFor("another authority", async () => {
      const found = await server.api.get<Secret>(SECRET).catch(() => undefined);
      return found !== undefined && found.data?.["ca.crt"] !== before;
    });
    await trusted();
    await isServed();
  });

  test("are trusted in configurations that were installed anew", async () => {
    for (const kind of ["mutating", "validating"])
      await server.api.delete(`${configurationPath(kind)}/${WEBHOOK_NAME}`);
    await install(server, configurations());
    await trusted();
    await isServed();
  });
});

test("outgrow controller --webhook-port serves it, also before the record's definition is installed", async () => {
  const { kubeconfig } = await server.home("program", HOME);
  const program = startOutgrow([
    "controller",
    "--kubeconfig",
    kubeconfig,
    "--webhook-port",
    "0",
    "--no-leader-election",
  ]);
  try {
    const { port } = await program.says("serving the webhook");
    await program.says("the webhook serves with a new certificate");
    for (const [kind, path] of [
      ["mutating", "mutate"],
      ["validating", "validate"],
    ] as const) {
      const url = { op: "replace", path: "/webhooks/0/clientConfig/url", value: `https://127.0.0.1:${port}/${path}` };
      await server.api.patch(`${configurationPath(kind)}/${WEBHOOK_NAME}`, [url], "json");
    }
    await Promise.all(replicas.map((replica) => replica.stop()));
    const hand = await stage.hand();
    await hand.create();
    await waitFor(
      "a size to be taken",
      async () => (await hand.kubectl("replace -f -", aSet({ data: "20Gi" }))).code === 0,
    );
    expect(wanted(await hand.read())).toEqual({ data: "20Gi", wal: "1Gi" });
  } finally {
    expect(await program.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  }
});

// Last: there is no webhook any more.
test("a webhook that is not there is in nobody's way: sizes meet Kubernetes' own answer, all else goes on", async () => {
  const hand = await stage.hand();
  await hand.create();
  const { stderr } = await hand.kubectl("replace -f -", aSet({ data: "20Gi" }));
  expect(stderr).toMatch(FIXED);
  await hand.does("replace -f -", aSet({ replicas: 5, wish: "data=20Gi" }));
  expect(wanted(await hand.read())).toEqual({ data: "20Gi", wal: "1Gi" });
});
