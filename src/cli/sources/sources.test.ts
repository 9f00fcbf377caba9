/** The verb on an embedded cluster, and without any. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { type Cluster, startCluster } from "../../cluster/index.ts";
import { DEFAULT_GATES } from "../../core/gates.ts";
import { createClient, createTransport, defineResource, type KubeClient, loadConfig } from "../../kube/index.ts";
import { silentLogger } from "../../kube/logger.ts";
import { EXPANSION_SOURCE_DEFINITION } from "../../source/install/definition.ts";
import { MOCO } from "../../source/presets/moco.ts";
import { PRESETS, sourceOf } from "../../source/presets/presets.ts";
import { EXPANSION_SOURCES } from "../../source/resource.ts";
import { runOutgrow } from "../fake-terminal.ts";

const DEFINITIONS = defineResource(
  "apiextensions.k8s.io/v1",
  "CustomResourceDefinition",
  "customresourcedefinitions",
  "Cluster",
);

let folder: string;
let cluster: Cluster;
let client: KubeClient;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "outgrow-sources-"));
  cluster = await startCluster({ folder, port: 0, gates: DEFAULT_GATES, logger: silentLogger });
  client = createClient(createTransport(await loadConfig({ env: {}, kubeconfig: cluster.kubeconfig })));
});
afterAll(async () => {
  await client?.close();
  await cluster?.stop();
  rmSync(folder, { recursive: true });
});

const sources = (...words: string[]) => runOutgrow(["sources", ...words, "--kubeconfig", cluster.kubeconfig]);
const NOWHERE = ["--kubeconfig", "/nonexistent/kubeconfig"];

describe("without a cluster", () => {
  test("list has every operator that is known, and says that it knows no more", async () => {
    const { code, out, err } = await runOutgrow(["sources", "list", ...NOWHERE]);
    expect(code).toBe(0);
    expect(
      out
        .split("\n")
        .slice(1, -1)
        .map((line) => line.split(/ +/)[0]),
    ).toEqual(PRESETS.map(({ name }) => name));
    expect(out).toContain("\nmoco                      MySQLCluster          Outgrow   ?        MOCO v0.36.0\n");
    expect(err).toMatch(/^outgrow: which are enabled is not known: .+\n$/);
  });

  test("list -o json is for programs", async () => {
    const { out } = await runOutgrow(["sources", "list", "-o", "json", ...NOWHERE]);
    const { sources: rows } = JSON.parse(out) as { sources: object[] };
    expect(rows[2]).toEqual({
      name: "moco",
      operator: "MOCO",
      version: "v0.36.0",
      kind: "MySQLCluster",
      grownBy: "Outgrow",
    });
  });

  test.each(PRESETS)("show $name is the source, ready to be applied, with what is known about it", async (preset) => {
    const { code, out } = await runOutgrow(["sources", "show", preset.name, ...NOWHERE]);
    expect(code).toBe(0);
    expect(parse(out)).toEqual(sourceOf(preset));
    const comments = out
      .split("\n")
      .filter((line) => line.startsWith("# "))
      .map((line) => line.slice(2))
      .join(" ");
    for (const note of [
      preset.operator,
      preset.version,
      preset.itself,
      preset.ours,
      preset.pausing,
      ...preset.limits,
    ]) {
      expect(comments).toContain(note);
    }
  });

  test("show -o json has the notes apart", async () => {
    const { out } = await runOutgrow(["sources", "show", "moco", "-o", "json", ...NOWHERE]);
    const { spec: _, ...notes } = MOCO;
    expect(JSON.parse(out)).toEqual({ source: sourceOf(MOCO), notes, enabled: false, conditions: [] });
  });

  test("enable --dry-run prints what would be applied, as outgrow manifests does", async () => {
    const { code, out } = await runOutgrow(["sources", "enable", "rabbitmq", "--dry-run"]);
    const documents = parseAllDocuments(out).map((document) => document.toJS() as { kind: string });
    expect(code).toBe(0);
    expect(documents.map(({ kind }) => kind)).toEqual(["ClusterRole", "ClusterRoleBinding", "ExpansionSource"]);
    expect((await runOutgrow(["sources", "enable", "rabbitmq", "-o", "yaml"])).out).toBe(out);
    const json = await runOutgrow(["sources", "enable", "rabbitmq", "-o", "json"]);
    expect(JSON.parse(json.out)).toEqual({ apiVersion: "v1", kind: "List", items: documents });
  });

  test.each<[string[], string]>([
    [[""], "list\nshow\nenable\ndisable\n"],
    [["e"], "enable\n"],
    [["enable", "vic"], "victoria-metrics-cluster\nvictoria-metrics-single\n"],
    [["enable", "moco", ""], ""],
  ])("a shell that completes %j gets %j", async (words, out) => {
    expect((await runOutgrow(["__complete", "sources", ...words])).out).toBe(out);
  });

  test.each<[string[], string]>([
    [["frobnicate"], '"frobnicate" is nothing that can be done; write list, show, enable, disable'],
    [["show"], "show what? Write outgrow sources show NAME; outgrow sources list has names"],
    [["show", "rabitmq", ...NOWHERE], 'Outgrow knows no source "rabitmq"; did you mean rabbitmq?'],
    [["enable", "mocco"], 'Outgrow knows no source "mocco"; did you mean moco?'],
    [["enable", "xyz"], `Outgrow knows no source "xyz"; there are ${PRESETS.map(({ name }) => name).join(", ")}`],
    [["list", "-f", "x.yaml"], "-f goes with enable, in the place of a name: outgrow sources enable -f FILE"],
    [["enable", "moco", "-f", "x.yaml"], "-f goes with enable, in the place of a name: outgrow sources enable -f FILE"],
  ])("%j is told in one line, with exit code 2", async (words, message) => {
    expect(await runOutgrow(["sources", ...words])).toEqual({ code: 2, out: "", err: `outgrow: ${message}\n` });
  });
});

describe("where Outgrow is not installed", () => {
  test("enable is refused with the way out", async () => {
    expect(await sources("enable", "moco")).toEqual({
      code: 1,
      out: "",
      err: "outgrow: this cluster does not know what an ExpansionSource is; outgrow manifests --image IMAGE | kubectl apply -f - installs it\n",
    });
  });

  test("list says so, and lists", async () => {
    const { code, out, err } = await sources("list");
    expect(code).toBe(0);
    expect(out).toContain("\nmoco                      MySQLCluster          Outgrow   no       MOCO v0.36.0\n");
    expect(err).toBe("outgrow: Outgrow is not installed in this cluster\n");
  });
});

describe("where it is", () => {
  beforeAll(async () => {
    await client.create(DEFINITIONS, {
      ...EXPANSION_SOURCE_DEFINITION,
      metadata: { name: "expansionsources.outgrow.dev" },
    });
  });

  const ROLE = "clusterrole.rbac.authorization.k8s.io/outgrow-source-rabbitmq";
  const BINDING = "clusterrolebinding.rbac.authorization.k8s.io/outgrow-source-rabbitmq";
  const SOURCE = "expansionsource.outgrow.dev/rabbitmq";

  test("enable makes the source and its role, and tells what follows from it", async () => {
    const { code, out, err } = await sources("enable", "rabbitmq");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out.split("\n").slice(0, 5)).toEqual([
      `${ROLE} created`,
      `${BINDING} created`,
      `${SOURCE} created`,
      "",
      "RabbitmqCluster: its operator grows volumes itself; Outgrow watches, and changes nothing.",
    ]);
  });

  test("enable again changes nothing", async () => {
    const { out } = await sources("enable", "rabbitmq");
    expect(out.split("\n").slice(0, 3)).toEqual([`${ROLE} unchanged`, `${BINDING} unchanged`, `${SOURCE} unchanged`]);
  });

  test("list and show tell what the source says of itself", async () => {
    const row = async () => (await sources("list")).out.split("\n").find((line) => line.startsWith("rabbitmq"));
    expect(await row()).toContain(" yes, not looked at yet ");
    const ready = { type: "Ready", status: "False", reason: "Forbidden", message: "the controller may not" };
    const body = { status: { resources: 3, conditions: [ready] } };
    await client.patch(EXPANSION_SOURCES, { name: "rabbitmq" }, { type: "merge", body }, { subresource: "status" });
    expect(await row()).toContain(" yes, but Forbidden ");
    expect((await sources("show", "rabbitmq")).out).toContain(
      "# In this cluster: Ready False, Forbidden: the controller may not (3 of them)\n",
    );
    const { out } = await sources("show", "rabbitmq", "-o", "json");
    expect(JSON.parse(out)).toMatchObject({ enabled: true, conditions: [ready] });
  });

  test("one's own source comes from a file, and is listed beside the others", async () => {
    const file = join(folder, "shelves.yaml");
    const spec = {
      resource: { group: "example.com", version: "v1", kind: "Shelf", plural: "shelves" },
      claims: [{ template: "books", path: ".spec.size" }],
      statefulSetName: "shelf-{name}",
    };
    const { apiVersion, kind } = sourceOf(MOCO);
    writeFileSync(file, JSON.stringify({ apiVersion, kind, metadata: { name: "shelves" }, spec }));
    const { code, out } = await sources("enable", "-f", file);
    expect(code).toBe(0);
    expect(out).toContain("expansionsource.outgrow.dev/shelves created\n");
    expect(out).toContain("\nShelf: a larger size in it makes its volumes grow from now on.\n");
    expect((await sources("list")).out).toMatch(/\nshelves +Shelf +Outgrow +yes, not looked at yet +\(one's own\)\n/);
    expect(parse((await sources("show", "shelves")).out)).toMatchObject({ metadata: { name: "shelves" }, spec });
    expect((await sources("show", "shelve")).err).toBe(
      'outgrow: Outgrow knows no source "shelve"; did you mean shelves?\n',
    );
  });

  test("what the cluster has and we know otherwise is told", async () => {
    const body = { spec: { statefulSetName: "{name}-other" } };
    await client.patch(EXPANSION_SOURCES, { name: "rabbitmq" }, { type: "merge", body });
    const { out } = await sources("show", "rabbitmq");
    expect(out).toContain("# What the cluster has, shown here, differs from what Outgrow knows of this operator.\n");
    expect(out).toContain('  statefulSetName: "{name}-other"\n');
  });

  test("disable says what it would take away, takes it away, and then finds nothing", async () => {
    const would = await sources("disable", "rabbitmq", "--dry-run");
    expect(would.out).toBe([SOURCE, BINDING, ROLE].map((name) => `${name} would be deleted\n`).join(""));
    const { code, out } = await sources("disable", "rabbitmq");
    expect(code).toBe(0);
    expect(out.split("\n").slice(0, 3)).toEqual([`${SOURCE} deleted`, `${BINDING} deleted`, `${ROLE} deleted`]);
    expect(await sources("disable", "rabbitmq")).toEqual({
      code: 0,
      out: "rabbitmq is not enabled in this cluster.\n",
      err: "",
    });
    expect(await sources("disable", "rabbit")).toMatchObject({
      code: 2,
      err: 'outgrow: Outgrow knows no source "rabbit"; did you mean rabbitmq?\n',
    });
  });
});
