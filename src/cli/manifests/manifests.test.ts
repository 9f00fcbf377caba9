import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { ADMISSION_POLICIES } from "../../admission/policies/index.ts";
import { runOutgrow } from "../fake-terminal.ts";
import { installation } from "./installation.ts";
import { admissionFor, DEFAULTS } from "./options.ts";
import type { Manifest } from "./part.ts";

async function manifests(...words: string[]): Promise<Manifest[]> {
  const { code, out, err } = await runOutgrow(["manifests", ...words]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return parseAllDocuments(out).map((document) => document.toJS() as Manifest);
}

interface Bound extends Manifest {
  readonly roleRef: { readonly name: string };
}

const idOf = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`;

test("what is printed is what is installed, in order", async () => {
  const objects = installation(DEFAULTS).flatMap((part) => part.objects.map(({ object }) => object));
  expect(await manifests()).toEqual(objects);
  expect(objects.slice(0, 13).map(idOf)).toEqual([
    "Namespace outgrow-system",
    "CustomResourceDefinition volumeexpansions.outgrow.dev",
    "CustomResourceDefinition expansionsources.outgrow.dev",
    "ServiceAccount outgrow-controller",
    "ClusterRole outgrow-controller",
    "ClusterRoleBinding outgrow-controller",
    "Role outgrow-controller",
    "RoleBinding outgrow-controller",
    "ClusterRole outgrow-view",
    "ClusterRole outgrow-edit",
    "Deployment outgrow-controller",
    "PodDisruptionBudget outgrow-controller",
    "NetworkPolicy outgrow-controller",
  ]);
});

test("the same words print the same", async () => {
  const words = ["manifests", "--kubernetes-version", "1.34", "--pod-monitor"];
  expect(await runOutgrow(words)).toEqual(await runOutgrow(words));
});

test("every object says that it is ours, and has a line about it", async () => {
  const { out } = await runOutgrow(["manifests", "--pod-monitor"]);
  for (const document of out.split("---\n")) {
    expect(document).toMatch(/^# [A-Z].*[.]\napiVersion: /);
    expect(document).toContain("app.kubernetes.io/part-of: outgrow\n");
  }
});

test("with a source, the two commands that a cluster without Outgrow needs stand at the top", async () => {
  const { out } = await runOutgrow(["manifests", "--source", "moco", "--source", "rabbitmq"]);
  expect(out.split("\n\n")[0]?.split("\n").slice(2)).toEqual([
    "#   outgrow manifests | kubectl apply -f -",
    "#   outgrow manifests --source moco --source rabbitmq | kubectl apply -f -",
  ]);
  const without = (await runOutgrow(["manifests"])).out;
  expect(without).toMatch(/^# A place of its own/);
  expect(out).toContain(without);
});

test("--namespace and --image are what every object goes by", async () => {
  const objects = await manifests("--namespace", "storage", "--image", "registry.example/outgrow:1");
  const text = JSON.stringify(objects);
  expect(text).not.toContain(DEFAULTS.namespace);
  expect(text).not.toContain(DEFAULTS.image);
  expect(text).toContain('"image":"registry.example/outgrow:1"');
  const places = objects.map(({ metadata }) => metadata.namespace).filter((namespace) => namespace !== undefined);
  expect(new Set(places)).toEqual(new Set(["storage"]));
});

test("--keep-namespace leaves out the Namespace, and nothing else", async () => {
  const [first, ...rest] = await manifests("--namespace", "storage");
  expect(first?.kind).toBe("Namespace");
  expect(await manifests("--namespace", "storage", "--keep-namespace")).toEqual(rest);
});

describe("--watch-namespace", () => {
  const WORDS = ["--watch-namespace", "prod", "--watch-namespace", "dev", "--watch-namespace", "prod"];

  test("gives the controller its rights there, and beyond only sight of storage classes and sources", async () => {
    const bindings = (await manifests(...WORDS))
      .filter(({ kind }) => kind.endsWith("RoleBinding"))
      .map((object) => `${idOf(object)} ${object.metadata.namespace}: ${(object as Bound).roleRef.name}`);
    expect(bindings).toEqual([
      "ClusterRoleBinding outgrow-controller-cluster undefined: outgrow-controller-cluster",
      "RoleBinding outgrow-controller-growth dev: outgrow-controller",
      "RoleBinding outgrow-controller-growth prod: outgrow-controller",
      "RoleBinding outgrow-controller outgrow-system: outgrow-controller",
    ]);
    const beyond = (await manifests(...WORDS)).find(({ metadata }) => metadata.name === "outgrow-controller-cluster");
    const { rules } = beyond as Manifest & { rules: readonly { resources: string[]; verbs: string[] }[] };
    expect(rules.map(({ resources, verbs }) => `${resources.join()}: ${verbs.join()}`).sort()).toEqual([
      "expansionsources/status: patch",
      "expansionsources: get,list,watch",
      "storageclasses: list,watch",
    ]);
  });

  test.each([[[]], [["--kubernetes-version", "1.34"]]])("lets sizes in only there, with %j", async (words) => {
    const matched = JSON.stringify({
      matchExpressions: [{ key: "kubernetes.io/metadata.name", operator: "In", values: ["dev", "prod"] }],
    });
    const gates = (await manifests(...WORDS, ...words)).filter(({ kind }) => /PolicyBinding|WebhookConf/.test(kind));
    expect(gates.length).toBeGreaterThan(1);
    for (const gate of gates) expect(JSON.stringify(gate)).toContain(`"namespaceSelector":${matched}`);
  });

  test("is told to the controller", async () => {
    const { out } = await runOutgrow(["manifests", ...WORDS]);
    expect(out).toContain("        - --namespace=dev\n        - --namespace=prod\n");
  });
});

test("--pod-monitor adds just that", async () => {
  const [plain, monitored] = [await manifests(), await manifests("--pod-monitor")];
  const added = monitored.filter((object) => !plain.some((other) => idOf(other) === idOf(object)));
  expect(added.map(idOf)).toEqual(["PodMonitor outgrow-controller"]);
});

describe("sizes come in", () => {
  const rest = new Set(
    installation({ ...DEFAULTS, admission: "none" }).flatMap(({ objects }) =>
      objects.map(({ object }) => idOf(object)),
    ),
  );
  const byWhat = async (...words: string[]) => (await manifests(...words)).map(idOf).filter((id) => !rest.has(id));

  test("by policies, and neither webhook nor certificate, unless told otherwise", async () => {
    expect(await byWhat()).toEqual([
      "MutatingAdmissionPolicy outgrow-take-wish",
      "MutatingAdmissionPolicyBinding outgrow-take-wish",
      "ValidatingAdmissionPolicy outgrow-check-wish",
      "ValidatingAdmissionPolicyBinding outgrow-check-wish",
      "ValidatingAdmissionPolicy outgrow-check-class",
      "ValidatingAdmissionPolicyBinding outgrow-check-class",
    ]);
    expect(await byWhat("--kubernetes-version", "1.36")).toEqual(await byWhat());
  });

  test("by the webhook on an older cluster, which the controller is told to serve", async () => {
    expect(await byWhat("--kubernetes-version", "1.34")).toEqual([
      "Service outgrow-webhook",
      "ClusterRole outgrow-webhook",
      "ClusterRoleBinding outgrow-webhook",
      "Role outgrow-webhook",
      "RoleBinding outgrow-webhook",
      "MutatingWebhookConfiguration outgrow-webhook",
      "ValidatingWebhookConfiguration outgrow-webhook",
    ]);
    const { out } = await runOutgrow(["manifests", "--kubernetes-version", "1.34"]);
    expect(out).toContain("- --webhook-port=8443\n");
    expect((await runOutgrow(["manifests"])).out).not.toContain("webhook");
  });

  test("by every policy that there is", () => {
    const parts = installation(DEFAULTS).filter(({ name }) => name.startsWith("policy-"));
    expect(parts.flatMap(({ objects }) => objects).length).toBe(ADMISSION_POLICIES.length);
  });

  test("not at all with --no-policies, whatever the cluster", async () => {
    expect(await byWhat("--no-policies")).toEqual([]);
    expect(await byWhat("--no-policies", "--kubernetes-version", "1.34")).toEqual([]);
  });
});

describe("what cannot be meant is one line, and exit code 2", () => {
  test.each<[words: string[], message: string]>([
    [
      ["--namespace", "Storage"],
      '"Storage" is no name of a namespace; write small letters, digits and hyphens, at most 63',
    ],
    [
      ["--namespace", "kube-system"],
      "namespace kube-system is not ours to make; add --keep-namespace to use it as it is",
    ],
    [["--image", "two words"], '"two words" is no image'],
    [["--kubernetes-version", "2"], '"2" is not a release of Kubernetes; write it as 1.34 or v1.36.3'],
    [["--nope"], "unknown option '--nope'; see outgrow manifests --help"],
  ])("%j", async (words, message) => {
    expect(await runOutgrow(["manifests", ...words])).toEqual({ code: 2, out: "", err: `outgrow: ${message}\n` });
  });
});

test.each([
  ["1.36", "policies"],
  ["v1.36.3", "policies"],
  ["1.37.0-alpha.1", "policies"],
  ["1.36+", "policies"],
  ["1.35", "webhook"],
  ["1.29", "webhook"],
  ["v1.33.5-eks-113cf36", "webhook"],
  ["v1.34.1+k3s1", "webhook"],
])("on Kubernetes %s sizes come in by %s", (version, admission) => {
  expect(admissionFor(version)).toBe(admission);
});

describe("--source", () => {
  const added = async (...words: string[]) => {
    const plain = new Set((await manifests()).map(idOf));
    return (await manifests(...words)).filter((object) => !plain.has(idOf(object)));
  };

  test("adds the source, what refuses at once, and a role with just what it takes; nothing is without it", async () => {
    const objects = await added("--source", "moco");
    expect(objects.map(idOf)).toEqual([
      "ClusterRole outgrow-source-moco",
      "ClusterRoleBinding outgrow-source-moco",
      "ValidatingAdmissionPolicy outgrow-source-moco",
      "ValidatingAdmissionPolicyBinding outgrow-source-moco",
      "ValidatingAdmissionPolicy outgrow-source-moco-class",
      "ValidatingAdmissionPolicyBinding outgrow-source-moco-class",
      "ValidatingAdmissionPolicy outgrow-source-moco-set",
      "ValidatingAdmissionPolicyBinding outgrow-source-moco-set",
      "ExpansionSource moco",
    ]);
    expect(objects[0]).toMatchObject({
      rules: [
        { apiGroups: ["moco.cybozu.com"], resources: ["mysqlclusters"], verbs: ["get", "list", "watch"] },
        { apiGroups: ["moco.cybozu.com"], resources: ["mysqlclusters/status"], verbs: ["patch"] },
      ],
    });
    expect(
      (await manifests()).map(idOf).filter((id) => id.includes("source-") || id.startsWith("ExpansionSource")),
    ).toEqual([]);
  });

  test("of an operator that grows its volumes itself takes only to read", async () => {
    const objects = await added("--source", "rabbitmq");
    expect(objects.map(idOf)).toEqual([
      "ClusterRole outgrow-source-rabbitmq",
      "ClusterRoleBinding outgrow-source-rabbitmq",
      "ExpansionSource rabbitmq",
    ]);
    expect(objects[0]).toMatchObject({ rules: [{ resources: ["rabbitmqclusters"], verbs: ["get", "list", "watch"] }] });
  });

  test("may be given again, and the same one twice", async () => {
    const objects = await added("--source", "strimzi", "--source", "rabbitmq", "--source", "strimzi");
    expect(objects.filter(({ kind }) => kind === "ExpansionSource").map(({ metadata }) => metadata.name)).toEqual([
      "strimzi",
      "rabbitmq",
    ]);
  });

  test("with --watch-namespace gives rights there and nowhere else", async () => {
    const objects = await added("--source", "rabbitmq", "--watch-namespace", "dev", "--watch-namespace", "prod");
    const bindings = objects.filter(({ metadata }) => metadata.name === "outgrow-source-rabbitmq").slice(1);
    expect(bindings.map(({ kind, metadata }) => `${kind} ${metadata.namespace}`)).toEqual([
      "RoleBinding dev",
      "RoleBinding prod",
    ]);
  });

  test("with --no-policies or on an older cluster brings no policies", async () => {
    for (const words of [["--no-policies"], ["--kubernetes-version", "1.34"]]) {
      const kinds = (await manifests("--source", "moco", ...words)).map(idOf);
      expect(kinds.filter((id) => /Policy/.test(id) && id.includes("moco"))).toEqual([]);
    }
  });

  test("that nobody knows is told with the nearest names", async () => {
    expect(await runOutgrow(["manifests", "--source", "mocco"])).toEqual({
      code: 2,
      out: "",
      err: 'outgrow: Outgrow knows no source "mocco"; did you mean moco?\n',
    });
  });

  test("reads one's own from a file, and says what is wrong with it", async () => {
    const source = (statefulSetName: string) => `
apiVersion: outgrow.dev/v1alpha1
kind: ExpansionSource
metadata: {name: shelves}
spec:
  resource: {group: example.com, version: v1, kind: Shelf, plural: shelves}
  claims: [{template: books, path: .spec.size}]
  statefulSetName: "${statefulSetName}"
`;
    const { code, out } = await runOutgrow(["manifests", "--source", "-"], source("shelf-{name}"));
    expect(code).toBe(0);
    expect(out).toContain("  name: outgrow-source-shelves\n");
    expect(await runOutgrow(["manifests", "--source", "-"], source("shelf"))).toEqual({
      code: 2,
      out: "",
      err: 'outgrow: standard input, document 1: spec.statefulSetName: Invalid value: "shelf": every resource would follow the same set; have {name} in it\n',
    });
  });
});
