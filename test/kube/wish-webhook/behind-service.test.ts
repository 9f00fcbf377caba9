/**
 * The webhook where it is installed: behind a Service, as the shipped configurations say. Here there is nobody who would carry
 * what is sent to a Service to its pods, so the cluster's Services have addresses of this machine, and the replica
 * listens on that of its own. All else is as it is in a cluster: the API server looks the Service up, calls it under the
 * Service's name, and believes nobody but who can prove that name.
 */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  startWebhook,
  WEBHOOK_NAME,
  type Webhook,
  webhookConfigurations,
} from "../../../src/admission/webhook/index.ts";
import { createClient, createTransport, type KubeClient, loadConfig } from "../../../src/kube/index.ts";
import { connectTo, type Server } from "../clients/server.ts";
import { startControlPlane } from "../control-plane.ts";
import { acts, install } from "../policies/installed.ts";
import { aSet, wanted } from "../policies/set.ts";
import { openStage, type Stage } from "../policies/stage.ts";

const HOME = "outgrow-system";
const SERVICES = "127.77.0.0/24";
const ADDRESS = "127.77.0.77";

let server: Server;
let stage: Stage;
let client: KubeClient;
let webhook: Webhook;

beforeAll(async () => {
  const apiserverFlags = [`--service-cluster-ip-range=${SERVICES}`];
  const plane = await startControlPlane({ controllers: [], apiserverFlags });
  const folder = await mkdtemp(join(tmpdir(), "outgrow-webhook-"));
  server = connectTo("theirs", plane.admin.kubeconfig, folder, () => plane.stop());
  stage = await openStage(server);
  client = createClient(createTransport(await loadConfig({ env: {}, kubeconfig: plane.admin.kubeconfig })));
  await server.api.create("/api/v1/namespaces", { metadata: { name: HOME } });
  webhook = await startWebhook({ client, namespace: HOME, host: ADDRESS, port: 0, lookEvery: 100 });
  await server.api.create(`/api/v1/namespaces/${HOME}/services`, {
    metadata: { name: WEBHOOK_NAME },
    spec: { clusterIP: ADDRESS, ports: [{ name: "webhook", port: webhook.port }] },
  });
  await install(server, configurations());
  await webhook.ready;
  await acts(server);
});
afterAll(async () => {
  await webhook?.stop();
  await client?.close();
  await server?.stop();
});

/** As shipped, but for the port, which only root could have, and with patience: a busy machine must not look like nobody. */
function configurations(): readonly object[] {
  const shipped = webhookConfigurations({ service: { namespace: HOME, name: WEBHOOK_NAME, port: webhook.port } });
  return (shipped as readonly { webhooks: readonly object[] }[]).map((configuration) => ({
    ...configuration,
    webhooks: configuration.webhooks.map((each) => ({ ...each, timeoutSeconds: 30 })),
  }));
}

test("a size that is written into a template is taken for a wish, and whoever wrote it is told", async () => {
  const hand = await stage.hand();
  await hand.create();
  const { code, stderr } = await hand.kubectl("replace -f -", aSet({ data: "20Gi" }));
  expect(stderr).toContain("data grows to 20Gi by outgrow");
  expect(code).toBe(0);
  expect(wanted(await hand.read())).toEqual({ data: "20Gi", wal: "1Gi" });
});

test("a wish that can never come true is refused at once", async () => {
  const hand = await stage.hand();
  await hand.create({ className: "rigid" });
  const { code, stderr } = await hand.kubectl("replace -f -", aSet({ className: "rigid", wish: "data=20Gi" }));
  expect(code).toBe(1);
  expect(stderr).toContain('"rigid"');
});
