import { expect, test } from "vitest";
import { type InstalledBinding, type Presence, removalCommands } from "./removal.ts";

const binding = (namespace: string, annotations: Record<string, string> = {}): InstalledBinding => ({
  metadata: { name: "outgrow-controller", annotations },
  subjects: [{ namespace }],
});
const NOWHERE: Presence = { binding: undefined, definition: false, wishes: 0, version: "v1.36.3" };
const DEFINITION = "kubectl delete customresourcedefinition volumeexpansions.outgrow.dev";

test.each<[string, Partial<Presence>, string[]]>([
  ["nothing is there", {}, []],
  [
    "it came from outgrow manifests",
    { binding: binding("outgrow-system"), definition: true },
    ["outgrow manifests | kubectl delete --ignore-not-found -f -"],
  ],
  [
    "it came into another namespace of an older cluster",
    { binding: binding("storage"), definition: true, version: "v1.34.1+k3s1" },
    [
      "outgrow manifests --namespace storage --kubernetes-version v1.34.1+k3s1 | kubectl delete --ignore-not-found -f -",
    ],
  ],
  [
    "Helm brought it",
    {
      binding: binding("storage", {
        "meta.helm.sh/release-name": "grow",
        "meta.helm.sh/release-namespace": "storage",
      }),
      definition: true,
    },
    ["helm uninstall grow --namespace storage", DEFINITION],
  ],
  ["only the definition is left", { definition: true }, [DEFINITION]],
  ["wishes are left", { wishes: 2 }, ["kubectl annotate statefulsets --all --all-namespaces outgrow.dev/claims-"]],
])("when %s", (_, presence, commands) => {
  expect(removalCommands({ ...NOWHERE, ...presence })).toEqual(commands);
});
