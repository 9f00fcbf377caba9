/** The example of README.md, alive: a controller that grows claims, and its second replica. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import type { PersistentVolumeClaim } from "../core/types.ts";
import {
  CLAIMS,
  createClient,
  createLeaderElection,
  createTransport,
  createWorkQueue,
  EVENTS,
  identity,
  keyOf,
  loadConfig,
  mergePatch,
  referenceTo,
  refOf,
  refOfKey,
  runWorkers,
  startEventRecorder,
  startInformer,
  withPrecondition,
} from "./index.ts";
import { type ApiServer, startApiServer } from "./testing/api-server.ts";
import { until } from "./testing/until.ts";

/** What we want: a capacity that is as large as the request. */
function grown<T extends Pick<PersistentVolumeClaim, "spec" | "status">>(claim: T): T {
  return { ...claim, status: { ...claim.status, capacity: claim.spec.resources?.requests ?? {} } };
}

async function runController(env: Record<string, string>, name: string, signal: AbortSignal): Promise<void> {
  const config = await loadConfig({ env });
  const client = createClient(createTransport(config));
  const claims = startInformer(
    {
      client,
      resource: CLAIMS,
      trim: ({ metadata, spec, status = {} }) => ({ metadata: identity(metadata), spec, status }),
      indexes: { volume: ({ spec }) => spec.volumeName },
    },
    signal,
  );
  const queue = createWorkQueue({ name: "claims", backoffBase: 1_000, backoffMax: 300_000 });
  claims.addHandler({
    added: ({ metadata }) => queue.add(keyOf(metadata)),
    updated: (_, { metadata }, source) => source === "write" || queue.add(keyOf(metadata)),
  });
  const events = startEventRecorder({ client, component: "example" });
  const election = createLeaderElection({ client, namespace: config.namespace, name: "example", identity: name });

  async function reconcile(key: string): Promise<void> {
    const claim = claims.get(refOfKey(key));
    const patch = claim && mergePatch(claim, grown(claim));
    if (claim === undefined || patch === undefined || !election.holdsLease()) return;
    const body = withPrecondition(patch, claim);
    const written = await client.patch(CLAIMS, refOf(claim), { type: "merge", body }, { subresource: "status" });
    claims.observe(written, claim.metadata.resourceVersion ?? "");
    events.event(referenceTo(CLAIMS, claim), "Normal", "Grown", `by ${name}`);
  }

  await election.run(async ({ stop }) => {
    await claims.synced;
    await runWorkers({ queue, workers: 10, reconcile }, stop);
  }, signal);
  await Promise.all([events.stop(2_000), claims.stop()]);
  await client.close();
}

const claim = (name: string, storage: string): PersistentVolumeClaim => ({
  metadata: { namespace: "default", name },
  spec: { resources: { requests: { storage } }, volumeName: `pv-of-${name}` },
});

async function allAre(server: ApiServer, storage: string): Promise<void> {
  const capacities = (): (string | undefined)[] =>
    ((server.store(CLAIMS.plural).list() ?? []) as PersistentVolumeClaim[]).map(
      ({ status }) => status?.capacity?.["storage"],
    );
  await until(`all claims have ${storage}`, () => capacities().every((capacity) => capacity === storage));
}

it("grows what is there and what comes, and the second replica goes on where the first has stopped", async () => {
  const server = await startApiServer();
  const directory = mkdtempSync(path.join(tmpdir(), "example-"));
  const KUBECONFIG = path.join(directory, "config");
  writeFileSync(
    KUBECONFIG,
    `
current-context: c
contexts: [{name: c, context: {cluster: c}}]
clusters: [{name: c, cluster: {server: "${server.url}"}}]
`,
  );
  const store = server.store(CLAIMS.plural);
  for (let i = 0; i < 50; i++) store.put(claim(`data-${i}`, "1Gi"));

  const [first, second] = [new AbortController(), new AbortController()];
  const running = runController({ KUBECONFIG }, "first", first.signal);
  await allAre(server, "1Gi");
  const standingBy = runController({ KUBECONFIG }, "second", second.signal);
  await until("the second waits", () => server.store("leases").subscribers >= 1);
  first.abort();
  await running;
  for (let i = 0; i < 50; i++) store.put({ ...store.get(`default/data-${i}`), ...claim(`data-${i}`, "2Gi") });
  await allAre(server, "2Gi");
  second.abort();
  await standingBy;

  const messages = (server.store(EVENTS.plural).list() ?? []).map((event) => (event as { message?: string }).message);
  expect(messages.filter((message) => message === "by first")).toHaveLength(50);
  expect(messages.filter((message) => message === "by second")).toHaveLength(50);
  await until("no connection is left", () => server.connections === 0);
  await server.close();
  rmSync(directory, { recursive: true });
});
