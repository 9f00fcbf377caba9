/** Our client (src/kube) against the real API server: what the simulated one of its own tests claims must hold here. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { KubeObject } from "../../src/core/types.ts";
import {
  CLAIMS,
  createClient,
  createLeaderElection,
  createTransport,
  defineResource,
  EVENTS,
  identity,
  isAlreadyExists,
  isConflict,
  isForbidden,
  isInvalid,
  isNotFound,
  type KubeClient,
  KubeError,
  LEASES,
  loadConfig,
  mergePatch,
  NAMESPACES,
  referenceTo,
  STORAGE_CLASSES,
  startEventRecorder,
  startInformer,
  type Term,
  withPrecondition,
} from "../../src/kube/index.ts";
import { type ControlPlane, startControlPlane } from "./control-plane.ts";
import { isAtLeast } from "./releases.ts";
import { waitFor } from "./wait.ts";

interface ConfigMap extends KubeObject {
  data?: Record<string, string>;
}

const CONFIG_MAPS = defineResource<ConfigMap>("v1", "ConfigMap", "configmaps");
const NAMESPACE = "default";

let plane: ControlPlane;
let client: KubeClient;
const warnings: string[] = [];
beforeAll(async () => {
  plane = await startControlPlane({ controllers: [], users: [{ name: "stranger", groups: [] }] });
  const config = await loadConfig({ env: {}, kubeconfig: plane.admin.kubeconfig });
  client = createClient(createTransport(config, { onWarning: (text) => warnings.push(text) }));
});
afterAll(async () => {
  await client?.close();
  await plane?.stop();
});

const configMap = (
  name: string,
  data: Record<string, string> = {},
  labels: Record<string, string> = {},
): ConfigMap => ({
  metadata: { namespace: NAMESPACE, name, labels },
  data,
});

async function failure(promise: Promise<unknown>): Promise<KubeError> {
  const error = await promise.then(
    () => new Error("it went well"),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(KubeError);
  return error as KubeError;
}

describe("objects", () => {
  it("are created, read, replaced, patched in four ways and deleted; lost races are told as such", async () => {
    const created = await client.create(CONFIG_MAPS, configMap("a", { x: "1" }), { fieldManager: "outgrow" });
    expect(created).toMatchObject({ kind: "ConfigMap", metadata: { uid: expect.any(String) as string } });
    expect(isAlreadyExists(await failure(client.create(CONFIG_MAPS, configMap("a"))))).toBe(true);

    const replaced = await client.update(CONFIG_MAPS, { ...created, data: { x: "2" } });
    expect(isConflict(await failure(client.update(CONFIG_MAPS, created)))).toBe(true);

    const ref = { namespace: NAMESPACE, name: "a" };
    const patch = mergePatch(replaced, { ...replaced, data: { x: "2", y: "3" } }) ?? {};
    expect(patch).toEqual({ data: { y: "3" } });
    const stale = withPrecondition(patch, created);
    expect(isConflict(await failure(client.patch(CONFIG_MAPS, ref, { type: "merge", body: stale })))).toBe(true);
    const merged = await client.patch(CONFIG_MAPS, ref, { type: "merge", body: withPrecondition(patch, replaced) });
    expect(merged.data).toEqual({ x: "2", y: "3" });

    const strategic = { metadata: { finalizers: ["example.com/hold"] } };
    await client.patch(CONFIG_MAPS, ref, { type: "strategic", body: strategic });
    const json = [{ op: "remove", path: "/data/y" } as const];
    expect((await client.patch(CONFIG_MAPS, ref, { type: "json", body: json })).data).toEqual({ x: "2" });
    const applied = { apiVersion: "v1", kind: "ConfigMap", data: { x: "mine" } };
    const apply = client.patch(CONFIG_MAPS, ref, { type: "apply", body: applied }, { fieldManager: "second" });
    expect(isConflict(await failure(apply))).toBe(true);
    const force = { type: "apply", body: applied, force: true } as const;
    expect((await client.patch(CONFIG_MAPS, ref, force, { fieldManager: "second" })).data).toEqual({ x: "mine" });

    const other = { preconditions: { uid: "00000000-0000-0000-0000-000000000000" } };
    expect(isConflict(await failure(client.delete(CONFIG_MAPS, ref, other)))).toBe(true);
    await client.delete(CONFIG_MAPS, ref, { preconditions: { uid: created.metadata.uid ?? "" } });
    expect((await client.get(CONFIG_MAPS, ref)).metadata.deletionTimestamp).toBeDefined();
    await client.patch(CONFIG_MAPS, ref, { type: "merge", body: { metadata: { finalizers: null } } });
    const missing = await failure(client.get(CONFIG_MAPS, ref));
    expect([isNotFound(missing), missing.details?.name]).toEqual([true, "a"]);
  });

  it("that are only tried are checked and not stored", async () => {
    await client.create(CONFIG_MAPS, configMap("tried"), { dryRun: true });
    expect(isNotFound(await failure(client.get(CONFIG_MAPS, { namespace: NAMESPACE, name: "tried" })))).toBe(true);
    expect(isInvalid(await failure(client.create(CONFIG_MAPS, configMap("Not A Name"))))).toBe(true);
  });

  it("that are refused, and what the server warns of, are told in its words", async () => {
    const config = await loadConfig({ env: {}, kubeconfig: plane.users.get("stranger")?.kubeconfig });
    const stranger = createClient(createTransport(config));
    const error = await failure(stranger.list(CLAIMS));
    await stranger.close();
    expect(isForbidden(error)).toBe(true);
    expect(error.message).toContain(
      'list persistentvolumeclaims: persistentvolumeclaims is forbidden: User "stranger"',
    );

    const strange = { ...configMap("strange"), nonsense: true };
    await client.create(CONFIG_MAPS, strange, { fieldValidation: "Warn", dryRun: true });
    expect(warnings).toContain('unknown field "nonsense"');
  });

  it("are found by their fields; the server says what it serves and which version it is", async () => {
    const [namespace] = (await client.list(NAMESPACES, { fieldSelector: "metadata.name=default" })).items;
    expect(namespace?.metadata.name).toBe("default");
    expect(await client.serves(STORAGE_CLASSES)).toBe(true);
    expect(await client.serves(defineResource("storage.k8s.io/v1", "Nothing", "nothings"))).toBe(false);
    expect(await client.serves(defineResource("example.com/v1", "Nothing", "nothings"))).toBe(false);
    expect((await client.version()).gitVersion).toBe(plane.version);
  });
});

describe.each([
  ["a streaming list", true],
  ["pages", false],
])("an informer with %s", (_, streaming) => {
  it("holds what is there, trimmed, and follows every change", async () => {
    const app = `informer-${streaming}`;
    for (let i = 0; i < 20; i++) await client.create(CONFIG_MAPS, configMap(`${app}-${i}`, {}, { app }));
    const since = await plane.auditMark();
    const informer = startInformer({
      client,
      resource: CONFIG_MAPS,
      labelSelector: `app=${app}`,
      streaming,
      trim: ({ metadata, data = {} }) => ({ metadata: identity(metadata), data }),
      indexes: { value: ({ data }) => Object.values(data) },
    });
    const told: string[] = [];
    await informer.synced;
    expect(informer.size).toBe(20);
    // Of the releases that can be built here, those before 1.34 do not stream lists; there the informer falls back to pages.
    const streams = streaming && isAtLeast(plane.version, 34);
    const counts = await plane.auditCounts({ since, resource: "configmaps", user: plane.admin.name });
    expect(counts["list configmaps"] ?? 0).toBe(streams ? 0 : 1);
    informer.addHandler({
      updated: ({ metadata }, _, source) => told.push(`${source}: updated ${metadata.name}`),
      deleted: ({ metadata }, source) => told.push(`${source}: deleted ${metadata.name}`),
    });

    const ref = { namespace: NAMESPACE, name: `${app}-0` };
    const held = informer.get(ref);
    const before = held?.metadata.resourceVersion ?? "";
    const body = withPrecondition({ data: { x: "found" } }, held ?? configMap(""));
    informer.observe(await client.patch(CONFIG_MAPS, ref, { type: "merge", body }), before);
    expect(informer.byIndex("value", "found").map(({ metadata }) => metadata.name)).toEqual([`${app}-0`]);
    await client.delete(CONFIG_MAPS, { namespace: NAMESPACE, name: `${app}-1` });
    await client.patch(
      CONFIG_MAPS,
      { namespace: NAMESPACE, name: `${app}-2` },
      { type: "merge", body: { metadata: { labels: { app: null } } } },
    );
    await waitFor("the news", () => informer.size === 18);
    // Told once, by the answer or by the watch, whichever was faster.
    const [first, ...others] = told;
    expect([`write: updated ${app}-0`, `watch: updated ${app}-0`]).toContain(first);
    expect(others).toEqual([`watch: deleted ${app}-1`, `watch: deleted ${app}-2`]);
    await informer.stop();
  });
});

describe("a lease", () => {
  it("is held by one at a time, and the next goes on as soon as it was given up", async () => {
    const stops = [new AbortController(), new AbortController()];
    const holders: string[] = [];
    const work =
      (identity: string) =>
      ({ stop }: Term): Promise<void> => {
        holders.push(identity);
        return new Promise((resolve) => stop.addEventListener("abort", () => resolve()));
      };
    const [a, b] = stops.map((controller, i) => {
      const identity = `candidate-${i}`;
      const election = createLeaderElection({
        client,
        namespace: NAMESPACE,
        name: "test",
        identity,
        labels: { app: "x" },
        // So long that whoever takes it over has not waited for it to run out.
        leaseDuration: 600_000,
        renewDeadline: 480_000,
        retryPeriod: 300_000,
      });
      return { election, ended: election.run(work(identity), controller.signal) };
    });
    await waitFor("a first holder", () => holders.length === 1);
    const lease = await client.get(LEASES, { namespace: NAMESPACE, name: "test" });
    expect(lease).toMatchObject({
      metadata: { labels: { app: "x" } },
      spec: { holderIdentity: holders[0], leaseDurationSeconds: 600 },
    });
    const first = holders[0] === "candidate-0" ? 0 : 1;
    await waitFor("the other knows", () => (first === 0 ? b : a)?.election.holder === holders[0]);
    stops[first]?.abort();
    await waitFor("the other holds it", () => holders.length === 2);
    stops[1 - first]?.abort();
    expect(await Promise.all([a?.ended, b?.ended])).toEqual(["stopped", "stopped"]);
  });
});

describe("events", () => {
  it("are taken by the server, and count up", async () => {
    const object = await client.create(CONFIG_MAPS, configMap("spoken-of"));
    const recorder = startEventRecorder({ client, component: "external-resizer test" });
    const tell = (): void => recorder.event(referenceTo(CONFIG_MAPS, object), "Normal", "Resizing", "it grows");
    const events = async () =>
      (await client.list(EVENTS, { namespace: NAMESPACE, fieldSelector: `involvedObject.name=spoken-of` })).items;
    tell();
    await waitFor("it is told", async () => (await events()).length === 1);
    tell();
    tell();
    await recorder.stop(60_000);
    expect(await events()).toMatchObject([
      { reason: "Resizing", message: "it grows", count: 3, source: { component: "external-resizer test" } },
    ]);
  });
});
