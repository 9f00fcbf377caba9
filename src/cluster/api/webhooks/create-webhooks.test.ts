/** Against real HTTPS webhooks on loopback; test/kube/webhooks asks a real kube-apiserver the same. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { hasOpenssl } from "../../../kube/testing/certificates.ts";
import type { JsonObject } from "../json.ts";
import { StatusError } from "../status-error.ts";
import { type HookBench, openHookBench, requestFor } from "./testing/hook-bench.ts";
import { BEHAVIOURS, configurationOf, SCENES, type Scene } from "./testing/hook-scenes.ts";
import { answering, type Behaviour, type HookServer, patching, startHookServer } from "./testing/hook-server.ts";
import { MAX_ANSWER_BYTES } from "./transport.ts";

const label = (key: string): Behaviour => patching({ op: "add", path: `/metadata/labels/${key}`, value: "yes" });
const mapOf = (scene: string): JsonObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: scene, namespace: "default", labels: { scene } },
});
const labelsOf = (object: JsonObject | undefined) =>
  (object?.["metadata"] as { labels: JsonObject } | undefined)?.labels;

describe.skipIf(!hasOpenssl)("webhooks", () => {
  let server: HookServer;
  let bench: HookBench;
  let onCall: () => Promise<void> = async () => {};
  beforeAll(async () => {
    server = await startHookServer({
      ...BEHAVIOURS,
      "/one": label("one"),
      "/two": label("two"),
      "/moves": patching({ op: "replace", path: "/metadata/namespace", value: "kube-system" }),
      "/huge": answering({ allowed: true, status: { message: "x".repeat(MAX_ANSWER_BYTES) } }),
      "/calls-back": async (review) => {
        await onCall();
        return answering({ allowed: true })(review);
      },
    });
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    server.forget();
    bench = openHookBench();
  });
  afterEach(() => bench.close());

  async function register(...scenes: Scene[]): Promise<void> {
    for (const type of ["mutating", "validating"] as const) await bench.put(configurationOf(type, scenes, server));
  }
  const create = (scene: string) => bench.admit(requestFor(bench.catalog, "CREATE", mapOf(scene)));
  async function refusal(act: Promise<unknown>): Promise<StatusError> {
    const error = await act.then(
      () => new Error("it was not refused"),
      (reason: unknown) => reason,
    );
    if (!(error instanceof StatusError)) throw error;
    return error;
  }

  test("are not there at first, and leave everything as it is", async () => {
    const request = requestFor(bench.catalog, "CREATE", mapOf("a"));
    expect(await bench.admit(request)).toBe(request.object);
  });

  test.each(SCENES.filter(({ name }) => /deny|silent$/.test(name)))("refuse: $name", async (scene) => {
    await register(scene);
    const { message, code } = await refusal(
      bench.admit(requestFor(bench.catalog, scene.operation ?? "CREATE", mapOf(scene.name))),
    );
    expect(message).toContain(`webhook "${scene.name}.scenes.test"`);
    expect(code).toBeGreaterThanOrEqual(400);
  });

  test("hold from the moment on at which they are stored, and no longer than that", async () => {
    await register({ name: "s", type: "validating", path: "/deny" });
    expect((await refusal(create("s"))).code).toBe(403);
    await register({ name: "s", type: "validating", path: "/allow" });
    await create("s");
    expect(server.asked("/allow")).toHaveLength(1);
  });

  test("that change the object are asked in the order of their configurations, each with what the former left", async () => {
    const scenes = (path: string): Scene => ({ name: "s", type: "mutating", path });
    await bench.put({ ...configurationOf("mutating", [scenes("/two")], server), metadata: { name: "b" } });
    await bench.put({ ...configurationOf("mutating", [scenes("/one")], server), metadata: { name: "a" } });
    expect(labelsOf(await create("s"))).toEqual({ scene: "s", one: "yes", two: "yes" });
    expect(labelsOf(server.asked("/one")[0]?.request["object"] as JsonObject)).toEqual({ scene: "s" });
    expect(labelsOf(server.asked("/two")[0]?.request["object"] as JsonObject)).toEqual({ scene: "s", one: "yes" });
  });

  test("that want it are asked again when a later one changed the object, once", async () => {
    const again = { reinvocationPolicy: "IfNeeded" };
    const selector = { objectSelector: { matchLabels: { scene: "s" } } };
    await register(
      { name: "first", type: "mutating", path: "/one", webhook: { ...selector, ...again } },
      { name: "second", type: "mutating", path: "/two", webhook: { ...selector, ...again } },
      { name: "third", type: "mutating", path: "/allow", webhook: selector },
    );
    await create("s");
    expect(["/one", "/two", "/allow"].map((path) => server.asked(path).length)).toEqual([2, 1, 1]);
  });

  test("cannot move an object to another namespace", async () => {
    await register({ name: "s", type: "mutating", path: "/moves" });
    expect((await refusal(create("s"))).message).toMatch(/^the namespace of the provided object does not match/);
  });

  test("that only look see the object as it was changed", async () => {
    await register({ name: "s", type: "mutating", path: "/one" }, { name: "s", type: "validating", path: "/allow" });
    await create("s");
    expect(labelsOf(server.asked("/allow")[0]?.request["object"] as JsonObject)).toEqual({ scene: "s", one: "yes" });
  });

  test("that only look are all asked, also when one says no, and the first in order is told", async () => {
    const selector = { objectSelector: { matchLabels: { scene: "s" } } };
    await register(
      { name: "b", type: "validating", path: "/deny", webhook: selector },
      { name: "c", type: "validating", path: "/deny-silently", webhook: selector },
      { name: "d", type: "validating", path: "/allow", webhook: selector },
    );
    expect((await refusal(create("s"))).message).toBe(
      'admission webhook "b.scenes.test" denied the request: not today',
    );
    expect(["/deny", "/deny-silently", "/allow"].map((path) => server.asked(path).length)).toEqual([1, 1, 1]);
  });

  test("with side effects are not called in a dry run", async () => {
    await register({ name: "s", type: "validating", path: "/allow", webhook: { sideEffects: "Some" } });
    const request = requestFor(bench.catalog, "CREATE", mapOf("s"), { dryRun: true });
    const { code, message } = await refusal(bench.admit(request));
    expect([code, message]).toEqual([400, 'admission webhook "s.scenes.test" does not support dry run']);
    expect(server.asked("/allow")).toEqual([]);
  });

  test("keep their connections", async () => {
    await register({ name: "s", type: "validating", path: "/allow" });
    await create("s");
    const before = server.connections;
    for (let call = 0; call < 20; call++) await create("s");
    // A connection whose answer was read just now may not be free yet: then there are two, not twenty.
    expect(server.connections - before).toBeLessThan(5);
    expect(server.asked("/allow")).toHaveLength(21);
  });

  test("cannot fill the memory with an answer that has no end", async () => {
    await register({ name: "s", type: "validating", path: "/huge" });
    expect((await refusal(create("s"))).message).toMatch(/the response is larger than 4194304 bytes$/);
  });

  test("may call back, and are stopped when they write what they are called for without end", async () => {
    await register({ name: "s", type: "validating", path: "/calls-back", webhook: { timeoutSeconds: 30 } });
    const outcomes: string[] = [];
    onCall = () =>
      create("s").then(
        () => void outcomes.push("stored"),
        (error: StatusError) => void outcomes.push(error.message),
      );
    await create("s");
    expect(outcomes).toHaveLength(256);
    expect(outcomes[0]).toMatch(/256 calls of it are under way; does it write what it is called for\?$/);
    // Each call has a handshake of its own, inside of the one before.
  }, 60_000);

  test("may be behind a Service that an EndpointSlice leads to, by the Service's name", async () => {
    const metadata = { name: "hook", namespace: "default", labels: { "kubernetes.io/service-name": "hook" } };
    await register({
      name: "s",
      type: "validating",
      path: "/allow",
      client: ({ caBundle }) => ({ service: { namespace: "default", name: "hook", path: "/allow" }, caBundle }),
    });
    expect((await refusal(create("s"))).message).toMatch(
      /"https:\/\/hook\.default\.svc:443\/allow\?timeout=10s": service "hook" not found$/,
    );
    await bench.put({ apiVersion: "v1", kind: "Service", metadata, spec: { ports: [{ port: 443, name: "https" }] } });
    expect((await refusal(create("s"))).message).toMatch(
      /no endpoints available for service "hook"; run the webhook on this/,
    );
    await bench.put({
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata,
      addressType: "IPv4",
      ports: [{ name: "https", port: server.port }],
      endpoints: [{ addresses: ["127.0.0.2"], conditions: { ready: false } }, { addresses: ["127.0.0.1"] }],
    });
    await create("s");
    expect(server.asked("/allow")).toHaveLength(1);
  });
});
