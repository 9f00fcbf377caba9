import { expect, test } from "vitest";
import { type InstalledDeployment, type Presence, removalCommands } from "./removal.ts";

const deployment = (
  namespace: string,
  args: readonly string[] = [],
  annotations: Record<string, string> = {},
): InstalledDeployment => ({
  metadata: { name: "outgrow-controller", namespace, annotations },
  spec: { template: { spec: { containers: [{ args }] } } },
});
const NOWHERE: Presence = { deployment: undefined, definition: false, sources: [], wishes: 0, version: "v1.36.3" };
const DEFINITION =
  "kubectl delete --ignore-not-found customresourcedefinition volumeexpansions.outgrow.dev expansionsources.outgrow.dev";

test.each<[string, Partial<Presence>, string[]]>([
  ["nothing is there", {}, []],
  [
    "it came from outgrow manifests",
    { deployment: deployment("outgrow-system", ["--leader-election"]), definition: true },
    ["outgrow manifests | kubectl delete --ignore-not-found -f -"],
  ],
  [
    "it serves a webhook, and two namespaces",
    {
      deployment: deployment("storage", ["--webhook-port=8443", "--namespace=a", "--namespace=b"]),
      definition: true,
      version: "v1.34.1+k3s1",
    },
    [
      "outgrow manifests --namespace storage --keep-namespace --watch-namespace a --watch-namespace b --kubernetes-version v1.34.1+k3s1 | kubectl delete --ignore-not-found -f -",
    ],
  ],
  [
    "Helm brought it",
    { deployment: deployment("storage", [], { "meta.helm.sh/release-name": "grow" }), definition: true },
    ["helm uninstall grow --namespace storage", DEFINITION],
  ],
  [
    "sources are followed",
    { deployment: deployment("outgrow-system"), definition: true, sources: ["moco", "shelves"] },
    [
      "outgrow sources disable moco",
      "outgrow sources disable shelves",
      "outgrow manifests | kubectl delete --ignore-not-found -f -",
    ],
  ],
  ["only the definition is left", { definition: true }, [DEFINITION]],
  ["wishes are left", { wishes: 2 }, ["kubectl annotate statefulsets --all --all-namespaces outgrow.dev/claims-"]],
])("when %s", (_, presence, commands) => {
  expect(removalCommands({ ...NOWHERE, ...presence })).toEqual(commands);
});
