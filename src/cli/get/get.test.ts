import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cluster, startCluster } from "../../cluster/index.ts";
import { DEFAULT_GATES } from "../../core/gates.ts";
import { CLAIMS, createClient, createTransport, EVENTS, loadConfig } from "../../kube/index.ts";
import { silentLogger } from "../../kube/logger.ts";
import { runOutgrow } from "../fake-terminal.ts";

let folder: string;
let cluster: Cluster;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "outgrow-get-"));
  cluster = await startCluster({ folder, port: 0, gates: DEFAULT_GATES, logger: silentLogger });
  const client = createClient(createTransport(await loadConfig({ env: {}, kubeconfig: cluster.kubeconfig })));
  for (const name of ["data-db-0", "data-db-1"]) {
    await client.create(CLAIMS, {
      metadata: { name, namespace: "default", labels: { name } },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    });
  }
  for (const [name, second] of [
    ["later", "05"],
    ["sooner", "01"],
  ] as const) {
    await client.create(EVENTS, {
      metadata: { name, namespace: "default" },
      involvedObject: { kind: "PersistentVolumeClaim", namespace: "default", name: "data-db-0" },
      type: "Normal",
      reason: "Growing",
      message: `${name}, that is`,
      lastTimestamp: `2026-01-01T00:00:${second}Z`,
    });
  }
  await client.close();
});
afterAll(async () => {
  await cluster?.stop();
  await rm(folder, { recursive: true });
});

const run = (...words: string[]) => runOutgrow([...words, "--kubeconfig", cluster.kubeconfig]);
/** Without the columns that change with time. */
const cells = (text: string): string[][] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => line.split(/ {2,}/).slice(0, 2));

describe("outgrow get", () => {
  test.each([["pvc"], ["persistentvolumeclaims"], ["PersistentVolumeClaim"], ["persistentvolumeclaim"]])(
    "knows a kind as %s",
    async (kind) => {
      const { out, code } = await run("get", kind);
      expect(cells(out)).toEqual([
        ["NAME", "STATUS"],
        ["data-db-0", "Pending"],
        ["data-db-1", "Pending"],
      ]);
      expect(code).toBe(0);
    },
  );

  test.each([
    ["one", ["get", "pvc", "data-db-0"]],
    ["one, in one word", ["get", "pvc/data-db-0"]],
    ["those with a label", ["get", "pvc", "-l", "name=data-db-0"]],
  ])("shows %s", async (_, words) => {
    expect(cells((await run(...words)).out)).toEqual([
      ["NAME", "STATUS"],
      ["data-db-0", "Pending"],
    ]);
  });

  test("tells the namespace of objects of all of them, and no more than asked for", async () => {
    const { out } = await run("get", "pvc", "-A");
    expect(cells(out)[1]).toEqual(["default", "data-db-0"]);
    expect((await run("get", "pvc", "-o", "wide")).out).toContain("VOLUMEMODE");
    expect(out).not.toContain("VOLUMEMODE");
  });

  test("gives objects to programs", async () => {
    const { out } = await run("get", "pvc", "data-db-0", "-o", "json");
    expect(JSON.parse(out)).toMatchObject({ kind: "PersistentVolumeClaim", metadata: { name: "data-db-0" } });
    expect((await run("get", "ns", "default", "-o", "yaml")).out).toMatch(/^kind: Namespace$/m);
  });

  test.each([
    [["get", "sts"], 0, "No statefulsets in namespace default.\n"],
    [["get", "nodes"], 0, "No nodes in the cluster.\n"],
    [["get", "nonsense"], 2, 'outgrow: the cluster has no kind called "nonsense"\n'],
    [
      ["get", "pvc", "none"],
      1,
      'outgrow: GET /api/v1/namespaces/default/persistentvolumeclaims/none: persistentvolumeclaims "none" not found\n',
    ],
    [["get", "pvc", "x", "-A"], 2, "outgrow: an object is in one namespace: leave out --all-namespaces, or the name\n"],
    [["get", "pvc/x/y"], 2, 'outgrow: "pvc/x/y" names no object; write KIND NAME or KIND/NAME\n'],
    [["get", "pvc", "-o", "xml"], 2, 'outgrow: "xml" is not an output format; choose json or yaml\n'],
  ] as const)("says what is missing: %j", async (words, code, err) => {
    expect(await run(...words)).toEqual({ code, out: "", err });
  });

  test("says where it looked for a cluster", async () => {
    const { code, err } = await runOutgrow(["get", "pvc", "--kubeconfig", join(folder, "none")]);
    expect({ code, lines: err.split("\n").length }).toEqual({ code: 2, lines: 2 });
    expect(err).toContain(join(folder, "none"));
  });
});

test("outgrow events: what happened last stands at the end", async () => {
  const { out } = await run("events");
  expect(out.indexOf("sooner, that is")).toBeGreaterThan(0);
  expect(out.indexOf("later, that is")).toBeGreaterThan(out.indexOf("sooner, that is"));
  expect((await run("events", "-n", "kube-system")).out).toBe("Nothing has happened in the last hour.\n");
});
