import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { runOutgrow } from "../fake-terminal.ts";
import { installation } from "./installation.ts";
import { admissionFor, DEFAULTS } from "./options.ts";
import type { Manifest } from "./part.ts";

async function manifests(...words: string[]): Promise<Manifest[]> {
  const { code, out, err } = await runOutgrow(["manifests", ...words]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return parseAllDocuments(out).map((document) => document.toJS() as Manifest);
}

const idOf = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`;

test("what is printed is what is installed, in order", async () => {
  const objects = installation(DEFAULTS).flatMap((part) => part.objects.map(({ object }) => object));
  expect(await manifests()).toEqual(objects);
  expect(objects.slice(0, 12).map(idOf)).toEqual([
    "Namespace outgrow-system",
    "CustomResourceDefinition volumeexpansions.outgrow.dev",
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

test("--namespace and --image are what every object goes by", async () => {
  const objects = await manifests("--namespace", "storage", "--image", "registry.example/outgrow:1");
  const text = JSON.stringify(objects);
  expect(text).not.toContain(DEFAULTS.namespace);
  expect(text).not.toContain(DEFAULTS.image);
  expect(text).toContain('"image":"registry.example/outgrow:1"');
  const places = objects.map(({ metadata }) => metadata.namespace).filter((namespace) => namespace !== undefined);
  expect(new Set(places)).toEqual(new Set(["storage"]));
});

test("--pod-monitor adds just that", async () => {
  const [plain, monitored] = [await manifests(), await manifests("--pod-monitor")];
  const added = monitored.filter((object) => !plain.some((other) => idOf(other) === idOf(object)));
  expect(added.map(idOf)).toEqual(["PodMonitor outgrow-controller"]);
});

describe("what cannot be meant is one line, and exit code 2", () => {
  test.each<[words: string[], message: string]>([
    [
      ["--namespace", "Storage"],
      '"Storage" is no name of a namespace; write small letters, digits and hyphens, at most 63',
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
  ["1.27", "webhook"],
  ["v1.33.5-eks-113cf36", "webhook"],
  ["v1.34.1+k3s1", "webhook"],
])("on Kubernetes %s sizes come in by %s", (version, admission) => {
  expect(admissionFor(version)).toBe(admission);
});
