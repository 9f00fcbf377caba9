import { describe, expect, test } from "vitest";
import { storageClasses } from "../../../admission/storage-classes.ts";
import { fieldErrorText } from "../../../admission/verdict.ts";
import { DEFAULT_GATES } from "../../../core/gates.ts";
import { prepareForCreate } from "../defaults/creation.ts";
import { withDefaults } from "../defaults/defaults.ts";
import type { JsonObject } from "../json.ts";
import { BUILT_IN } from "../kinds/built-in.ts";
import { kindsOf } from "../kinds/kind.ts";
import { canonicalObject } from "../protobuf/canonical.ts";
import { validateCreate, validateUpdate } from "./validate.ts";

const elastic = { metadata: { name: "elastic" }, provisioner: "csi.example.com", allowVolumeExpansion: true };
const AROUND = { gates: DEFAULT_GATES, classes: storageClasses([elastic]) };

const kindNamed = (name: string) => BUILT_IN.find(({ kind, group }) => kind === name && group !== "events.k8s.io")!;
const stored = {
  name: "a",
  namespace: "default",
  uid: "u",
  resourceVersion: "7",
  creationTimestamp: "2024-01-01T00:00:00Z",
};

const configMap = (metadata: JsonObject) => ({ apiVersion: "v1", kind: "ConfigMap", metadata });

const texts = (errors: ReturnType<typeof validateCreate>) => errors.map(fieldErrorText);

function statefulSet(size: string, more: JsonObject = {}): JsonObject {
  const labels = { app: "db" };
  const template = {
    metadata: { name: "data" },
    spec: {
      accessModes: ["ReadWriteOnce"],
      storageClassName: "elastic",
      resources: { requests: { storage: size } },
    },
  };
  const volumeMounts = [{ name: "data", mountPath: "/data" }];
  const spec = {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: "main", image: "db:1", volumeMounts }] } },
    volumeClaimTemplates: [template],
    ...more,
  };
  const object = { apiVersion: "apps/v1", kind: "StatefulSet", metadata: stored, spec };
  return canonicalObject(prepareForCreate(withDefaults(object)));
}

describe("the metadata of a new object", () => {
  test.each<[string, string, JsonObject, string[]]>([
    [
      "needs a name",
      "ConfigMap",
      { namespace: "default" },
      ["metadata.name: Required value: name or generateName is required"],
    ],
    ["needs a namespace", "ConfigMap", { name: "a" }, ["metadata.namespace: Required value"]],
    [
      "has no namespace in a cluster's kind",
      "Node",
      { name: "a", namespace: "b" },
      ["metadata.namespace: Forbidden: not allowed on this type"],
    ],
    ["may name a role as a path can", "ClusterRole", { name: "system:a.B" }, []],
    [
      "names a role without slashes",
      "ClusterRole",
      { name: "a/b" },
      ["metadata.name: Invalid value: \"a/b\": may not contain '/'"],
    ],
    [
      "names a label in at most 63",
      "Namespace",
      { name: "a".repeat(64) },
      [`metadata.name: Invalid value: "${"a".repeat(64)}": must be no more than 63 characters`],
    ],
  ])("%s", (_, kind, metadata, expected) => {
    expect(texts(validateCreate(kindNamed(kind), { metadata }))).toEqual(expected);
  });

  test("of a custom resource may have any finalizer", () => {
    const [thing] = kindsOf("example.com/v1", [{ kind: "Thing", plural: "things" }]);
    const metadata = { name: "a", namespace: "default", finalizers: ["mine"] };
    expect(validateCreate(thing!, { metadata })).toEqual([]);
    expect(texts(validateCreate(kindNamed("ConfigMap"), { metadata }))).toEqual([
      'metadata.finalizers[0]: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified',
    ]);
  });

  test("has at most one controller among its owners", () => {
    const owner = (name: string) => ({ apiVersion: "v1", kind: "Pod", name, uid: name, controller: true });
    const metadata = { ...stored, ownerReferences: [owner("a"), owner("b")] };
    expect(texts(validateCreate(kindNamed("ConfigMap"), { metadata }))).toEqual([
      expect.stringContaining('Found "true" in references for Pod/a and Pod/b'),
    ]);
  });

  test("with a name of a million characters is refused at once", () => {
    const metadata = { name: `${"a-".repeat(500_000)}!`, namespace: "default" };
    expect(validateCreate(kindNamed("ConfigMap"), { metadata })).toHaveLength(2);
  });
});

describe("the metadata of an update", () => {
  test.each<[string, JsonObject, string[]]>([
    ["may change labels", { labels: { a: "b" } }, []],
    ["keeps its uid", { uid: "v" }, ['metadata.uid: Invalid value: "v": field is immutable']],
    ["keeps its name", { name: "b" }, ['metadata.name: Invalid value: "b": field is immutable']],
    [
      "names its version",
      { resourceVersion: "" },
      ['metadata.resourceVersion: Invalid value: "": must be specified for an update'],
    ],
  ])("%s", (_, change, expected) => {
    const errors = validateUpdate(
      kindNamed("ConfigMap"),
      configMap(stored),
      configMap({ ...stored, ...change }),
      AROUND,
    );
    expect(texts(errors)).toEqual(expected);
  });

  test("adds no finalizer to what is being deleted", () => {
    const old = { ...stored, deletionTimestamp: "2024-01-02T00:00:00Z", finalizers: ["a.example.com/x"] };
    const next = { ...old, finalizers: ["a.example.com/x", "b.example.com/x"] };
    expect(texts(validateUpdate(kindNamed("ConfigMap"), configMap(old), configMap(next), AROUND))).toEqual([
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"b.example.com/x"}',
    ]);
  });
});

describe("a StatefulSet", () => {
  const kind = kindNamed("StatefulSet");

  test("mounts what its templates claim", () => {
    expect(validateCreate(kind, statefulSet("1Gi"))).toEqual([]);
  });

  test("is told which template is wrong", () => {
    expect(texts(validateCreate(kind, statefulSet("0")))).toEqual([
      'spec.volumeClaimTemplates[0].spec.resources[storage]: Invalid value: "0": must be greater than zero',
    ]);
  });

  test("may grow in its templates with the gate on, and not with it off", () => {
    const [old, next] = [statefulSet("1Gi"), statefulSet("2Gi")];
    expect(validateUpdate(kind, old, next, AROUND)).toEqual([]);
    const gates = { ...DEFAULT_GATES, StatefulSetVolumeExpansion: false };
    expect(texts(validateUpdate(kind, old, next, { ...AROUND, gates }))).toEqual([
      expect.stringMatching(/^spec: Forbidden: updates to statefulset spec for fields other than 'replicas'/),
    ]);
  });
});
