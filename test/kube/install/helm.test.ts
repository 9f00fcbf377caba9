/** The chart, as Helm takes it: linted, rendered to just what `outgrow manifests` prints, installed, upgraded and removed. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import type { InstallOptions } from "../../../src/cli/manifests/options.ts";
import type { Manifest } from "../../../src/cli/manifests/part.ts";
import { PRESETS, sourceOf } from "../../../src/source/presets/presets.ts";
import { type Ended, run } from "../clients/run.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { createNamespace } from "../fixtures.ts";
import { findTool } from "../tools.ts";
import { waitFor } from "../wait.ts";
import { expectGrowth, userOf } from "./growth.ts";
import { check, definitionsServed, NAMESPACE, objectsOf } from "./installed.ts";

const CHART = join(import.meta.dirname, "../../../deploy/chart");
const DEFINITIONS = ["volumeexpansions.outgrow.dev", "expansionsources.outgrow.dev"];

const SOURCES = PRESETS.filter(({ name }) => ["moco", "rabbitmq"].includes(name)).map(sourceOf);

let cwd: string;
let plane: ControlPlane;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "outgrow-chart-"));
  plane = await startControlPlane({ controllers: [] });
});
afterAll(async () => {
  await plane?.stop();
  await rm(cwd, { recursive: true, force: true });
});

const tryHelm = (...words: string[]): Promise<Ended> =>
  run(findTool("helm"), words, { cwd, env: { KUBECONFIG: plane.admin.kubeconfig }, timeoutMs: 120_000 });

async function helm(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await tryHelm(...words);
  expect(code, `helm ${words.join(" ")}: ${stderr}`).toBe(0);
  return stdout;
}

/** In an order that does not depend on who prints them, and without what only Helm needs to know. */
function comparable(objects: readonly Manifest[]): Manifest[] {
  return objects
    .filter(({ kind }) => kind !== "Namespace")
    .map((object) => {
      const { annotations: { "helm.sh/resource-policy": _, ...annotations } = {}, ...metadata } = object.metadata;
      return { ...object, metadata: { ...metadata, ...(Object.keys(annotations).length > 0 ? { annotations } : {}) } };
    })
    .sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
}

function idOf({ kind, metadata }: Manifest): string {
  return `${kind} ${metadata.name} ${metadata.namespace}`;
}

async function rendered(...words: string[]): Promise<Manifest[]> {
  const text = await helm("template", "any", CHART, "--include-crds", "--namespace", NAMESPACE, ...words);
  return comparable(parseAllDocuments(text).map((document) => document.toJS() as Manifest));
}

test("lint has nothing to say", async () => {
  expect(await helm("lint", "--strict", CHART)).toContain("1 chart(s) linted, 0 chart(s) failed");
});

describe("helm template renders what outgrow manifests prints", () => {
  test.each<[string, string[], Partial<InstallOptions>]>([
    ["on Kubernetes 1.36", ["--kube-version=1.36.0"], {}],
    ["on a later one of some provider", ["--kube-version=1.37.2-eks-1"], {}],
    ["on an older one", ["--kube-version=1.34.0"], { admission: "webhook" }],
    ["without admission", ["--kube-version=1.36.0", "--set=admission=none"], { admission: "none" }],
    [
      "in some namespaces only",
      ["--kube-version=1.36.0", "--set=namespaces={prod,staging}"],
      { watched: ["prod", "staging"] },
    ],
    [
      "in some namespaces only of an older one",
      ["--kube-version=1.34.0", "--set=namespaces={prod,staging}"],
      { watched: ["prod", "staging"], admission: "webhook" },
    ],
    ["with sources", ["--kube-version=1.36.0", "--set=sources={moco,rabbitmq}"], { sources: SOURCES }],
    [
      "with sources, in some namespaces only of an older one",
      ["--kube-version=1.34.0", "--set=sources={moco,rabbitmq},namespaces={prod,staging}"],
      { sources: SOURCES, watched: ["prod", "staging"], admission: "webhook" },
    ],
    ["with a monitor", ["--kube-version=1.36.0", "--set=podMonitor.enabled=true"], { podMonitor: true }],
    [
      "with another image in another namespace",
      ["--kube-version=1.36.0", "--namespace=storage", "--set=image.repository=registry.example/outgrow,image.tag=x"],
      { namespace: "storage", image: "registry.example/outgrow:x" },
    ],
  ])("%s", async (_, words, options) => {
    expect(await rendered(...words)).toEqual(comparable(objectsOf(options)));
  });
});

test("values reach their places", async () => {
  const values = [
    "replicas=3",
    "image.pullPolicy=Always",
    "image.pullSecrets[0].name=mine",
    "resources.limits.memory=1Gi",
    "nodeSelector.disk=ssd",
    "tolerations[0].operator=Exists",
    "priorityClassName=system-cluster-critical",
    "networkPolicy.apiServerPorts={7443}",
    "podMonitor.enabled=true",
    "podMonitor.labels.release=prometheus",
  ];
  const objects = await rendered("--kube-version=1.36.0", `--set=${values.join(",")}`);
  const find = (kind: string) => objects.find((object) => object.kind === kind);
  expect(find("Deployment")).toMatchObject({
    spec: {
      replicas: 3,
      template: {
        spec: {
          imagePullSecrets: [{ name: "mine" }],
          nodeSelector: { disk: "ssd" },
          tolerations: [{ operator: "Exists" }],
          priorityClassName: "system-cluster-critical",
          containers: [{ imagePullPolicy: "Always", resources: { limits: { memory: "1Gi" } } }],
        },
      },
    },
  });
  expect(find("NetworkPolicy")).toMatchObject({ spec: { egress: [{ ports: [{ port: 7443, protocol: "TCP" }] }] } });
  expect(find("PodMonitor")?.metadata.labels).toEqual({
    "app.kubernetes.io/part-of": "outgrow",
    release: "prometheus",
  });
});

test("a value that is none of the chart's, or cannot be, is refused", async () => {
  const { stderr } = await tryHelm("template", "any", CHART, "--set=replica=3,admission=maybe");
  expect(stderr).toContain("additional properties 'replica' not allowed");
  expect(stderr).toContain("value must be one of 'auto', 'policies', 'webhook', 'none'");
});

describe("on a cluster", () => {
  const install = ["upgrade", "--install", "grow", CHART, "--namespace", NAMESPACE, "--create-namespace"];
  const versions = async () => {
    const kinds =
      "deployments,poddisruptionbudgets,networkpolicies,serviceaccounts,clusterroles,customresourcedefinitions";
    const policies = "mutatingadmissionpolicies,validatingadmissionpolicies";
    const words = ["get", `${kinds},${policies}`, "-A", "-l", "app.kubernetes.io/part-of=outgrow", "-o", "json"];
    const { items } = JSON.parse(await plane.kubectl(words)) as { items: Manifest[] };
    return items.map(({ kind, metadata }) => `${kind} ${metadata.name} ${metadata.resourceVersion}`);
  };

  test("it is installed with sources at once, since Helm brings their definition before", async () => {
    // Helm waits for a definition to be established, which Kubernetes says a moment before it serves the kind.
    const { code, stderr } = await waitFor("the kind to be served", async () => {
      const ended = await tryHelm(...install, "--set=sources={moco}");
      return !ended.stderr.includes("ensure CRDs are installed first") && ended;
    });
    expect(code, stderr).toBe(0);
    expect(await plane.kubectl(["get", "expansionsources", "-o", "name"])).toBe("expansionsource.outgrow.dev/moco\n");
    await helm(...install, "--set-json=sources=[]");
    expect(await plane.kubectl(["get", "expansionsources", "-o", "name"])).toBe("");
    await helm("uninstall", "grow", "--namespace", NAMESPACE);
    await plane.kubectl(["delete", "customresourcedefinition", ...DEFINITIONS]);
  });

  test("it is installed, with policies on this one, and says what to do now", async () => {
    const { stdout, stderr, code } = await tryHelm(...install);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("apply it as always; admission policies take it from there.");
    await definitionsServed(plane);
    expect(await versions()).toHaveLength(12);
  });

  test("an upgrade to the same changes nothing, one with other values changes them", async () => {
    const before = await versions();
    await helm(...install);
    expect(await versions()).toEqual(before);
    await helm(...install, "--set=replicas=1");
    expect((await versions()).filter((version) => !before.includes(version))).toEqual([
      expect.stringMatching(/^Deployment outgrow-controller /),
    ]);
  });

  test("into some namespaces only, it grows sets there, and has no rights elsewhere", async () => {
    await createNamespace(plane, "prod");
    await helm(...install, "--set=namespaces={prod}");
    const user = await userOf(plane);
    await expectGrowth(plane, user, "prod");
    const can = async (namespace: string) =>
      (await plane.tryKubectl(["auth", "can-i", "list", "pods", "-n", namespace], { kubeconfig: user.kubeconfig }))
        .stdout;
    expect([await can("prod"), await can("default")]).toEqual(["yes\n", "no\n"]);
    await plane.kubectl(["delete", "statefulset,volumeexpansion", "db", "--namespace=prod"]);
  });

  test("outgrow uninstall --check knows that it came with Helm; Helm removes all but the definitions", async () => {
    const { code, out } = await check(plane);
    expect(code).toBe(0);
    expect(out).toContain(
      `  helm uninstall grow --namespace ${NAMESPACE}\n  kubectl delete --ignore-not-found customresourcedefinition ${DEFINITIONS.join(" ")}\n`,
    );
    await helm("uninstall", "grow", "--namespace", NAMESPACE);
    expect((await versions()).map((version) => version.split(" ")[1] ?? "").toSorted()).toEqual(DEFINITIONS.toSorted());
    expect((await check(plane)).out).toContain("To remove it, once nothing is in flight:\n  kubectl delete ");
    await plane.kubectl(["delete", "customresourcedefinition", ...DEFINITIONS]);
  });
});
