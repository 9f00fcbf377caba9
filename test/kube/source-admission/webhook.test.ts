/** Sizes in custom resources, judged by our webhook: the whole rule, on a server that has no policies for them. */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startWebhook, type Webhook, webhookConfigurations } from "../../../src/admission/webhook/index.ts";
import { createClient, createTransport, type KubeClient, loadConfig } from "../../../src/kube/index.ts";
import {
  EXPANSION_SOURCE_DEFINITION,
  type StartedResourceJudge,
  startResourceJudge,
} from "../../../src/source/index.ts";
import { connectTo, type Server } from "../clients/server.ts";
import { startControlPlane } from "../control-plane.ts";
import { defineKind } from "../custom-kinds.ts";
import { install } from "../policies/installed.ts";
import { waitFor } from "../wait.ts";
import { CASES } from "./cases.ts";
import { aResource, KINDS } from "./kinds.ts";
import { edit, furnish, nameOf, pathOf, refusalOf } from "./scene.ts";

const SOURCES = "/apis/outgrow.dev/v1alpha1/expansionsources";
const CONFIGURATION = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/outgrow-webhook";

let server: Server;
let client: KubeClient;
let judge: StartedResourceJudge;
let webhook: Webhook;

beforeAll(async () => {
  const plane = await startControlPlane({ controllers: [] });
  const folder = await mkdtemp(join(tmpdir(), "outgrow-source-admission-"));
  server = connectTo("theirs", plane.admin.kubeconfig, folder, () => plane.stop());
  await furnish(server);
  await defineKind(server.api, EXPANSION_SOURCE_DEFINITION);
  client = createClient(createTransport(await loadConfig({ env: {}, kubeconfig: plane.admin.kubeconfig })));
  judge = startResourceJudge({ client });
  webhook = await startWebhook({
    client,
    namespace: "default",
    port: 0,
    host: "127.0.0.1",
    resources: judge,
    lookEvery: 100,
  });
  await install(server, webhookConfigurations({ url: `https://127.0.0.1:${webhook.port}` }));
  for (const { source } of KINDS) await create(source);
  await webhook.ready;
  await acts();
});
afterAll(async () => {
  await webhook?.stop();
  await judge?.stop();
  await client?.close();
  await server?.stop();
});

function create(source: object): Promise<unknown> {
  return server.api.create(SOURCES, { apiVersion: "outgrow.dev/v1alpha1", kind: "ExpansionSource", ...source });
}

/** Of each kind that is judged something is seen to be refused. On a busy machine the server has to wait longer than it would elsewhere. */
async function acts(): Promise<void> {
  await waitFor("the webhook to be known", async () => (await hooks()).length === 2);
  const patience = [0, 1].map((index) => ({ op: "replace", path: `/webhooks/${index}/timeoutSeconds`, value: 30 }));
  await server.api.patch(CONFIGURATION, patience, "json");
  const probes = CASES.filter(({ refused, sets }) => refused !== undefined && sets === undefined);
  expect(new Set(probes.map(({ kind }) => kind)).size).toBe(3);
  for (const [index, probe] of probes.entries()) {
    const { kind, before, after } = probe;
    const name = `probe-${index}`;
    const stored = await server.api.create<object>(pathOf(kind), aResource(kind, name, before));
    await waitFor(`the webhook to refuse: ${probe.name}`, async () => {
      const answer = await refusalOf(
        server.api.replace(`${pathOf(kind, name)}?dryRun=All`, { ...stored, spec: after }),
      );
      return answer !== undefined;
    });
  }
}

async function hooks(): Promise<readonly { name: string; rules: { resources: string[] }[] }[]> {
  return (await server.api.get<{ webhooks: { name: string; rules: { resources: string[] }[] }[] }>(CONFIGURATION))
    .webhooks;
}

describe("an edit is refused by the rules, and no other is", () => {
  test.each(CASES.map((each, index) => [each.name, each, nameOf(index)] as const))("%s", async (_, each, name) => {
    const answer = await edit(server, each, name);
    expect(answer).toEqual(each.refused === undefined ? undefined : expect.stringContaining(each.refused));
  });
});

test("the server is asked to ask about the kinds that sources name, and no longer when a source goes", async () => {
  const kinds = async () => {
    const hook = (await hooks()).find(({ name }) => name === "check-resources.outgrow.dev");
    return hook?.rules.flatMap(({ resources }) => resources).join(" ");
  };
  expect(await kinds()).toBe("databases searchs stores");
  await server.api.delete(`${SOURCES}/search`);
  await waitFor("the rule to go", async () => (await kinds()) === "databases stores");
  await server.api.delete(`${SOURCES}/database`);
  await server.api.delete(`${SOURCES}/store`);
  await waitFor("the webhook to go", async () => (await hooks()).length === 1);
  for (const { source } of KINDS) await create(source).catch(() => {});
  await waitFor("the rules to come back", async () => (await kinds()) === "databases searchs stores");
});
