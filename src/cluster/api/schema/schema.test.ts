import { describe, expect, test } from "vitest";
import type { Json } from "../json.ts";
import { emptyObject, kindType, knownKinds, shapeOf, structureOf, typeOfKey } from "./schema.ts";
import type { FieldType } from "./types.ts";

function typeAt(kind: string, ...path: string[]): FieldType | undefined {
  const [apiVersion, name] = [kind.slice(0, kind.lastIndexOf("/")), kind.slice(kind.lastIndexOf("/") + 1)];
  return path.reduce<FieldType | undefined>(
    (type, step) => {
      if (type === undefined) return undefined;
      const shape = shapeOf(type, {});
      if (shape.kind === "list") return shape.item;
      return shape.kind === "map" ? typeOfKey(shape, step) : undefined;
    },
    kindType(apiVersion, name),
  );
}

describe("what merges how, of the kinds that growing a volume meets", () => {
  test.each<[string, string, unknown]>([
    ["v1/Pod", "metadata.finalizers", { list: "string", set: true, merge: true }],
    ["v1/Pod", "metadata.ownerReferences", { list: { ref: "meta.v1.OwnerReference" }, keys: ["uid"], merge: "uid" }],
    ["v1/Pod", "spec.containers", { list: { ref: "core.v1.Container" }, keys: ["name"], merge: "name" }],
    ["v1/Pod", "spec.tolerations", { list: { ref: "core.v1.Toleration" } }],
    ["v1/Pod", "spec.nodeSelector", { map: "string", atomic: true }],
    [
      "v1/Pod",
      "spec.containers.item.ports",
      { list: { ref: "core.v1.ContainerPort" }, keys: ["containerPort", "protocol"], merge: "containerPort" },
    ],
    ["v1/Service", "spec.ports", { list: { ref: "core.v1.ServicePort" }, keys: ["port", "protocol"], merge: "port" }],
    ["apps/v1/StatefulSet", "spec.volumeClaimTemplates", { list: { ref: "core.v1.PersistentVolumeClaim" } }],
    [
      "v1/PersistentVolumeClaim",
      "status.conditions",
      { list: { ref: "core.v1.PersistentVolumeClaimCondition" }, keys: ["type"], merge: "type" },
    ],
    ["v1/PersistentVolumeClaim", "spec.accessModes", { list: "string" }],
    ["v1/PersistentVolumeClaim", "spec.resources.requests", { map: "quantity" }],
    ["v1/PersistentVolume", "spec.claimRef", { ref: "core.v1.ObjectReference", atomic: false }],
    ["v1/Service", "spec.ports.item.targetPort", "intOrString"],
    ["v1/Secret", "data", { map: "bytes" }],
    ["apps/v1/ControllerRevision", "data", "raw"],
  ])("%s %s", (kind, path, expected) => {
    expect(typeAt(kind, ...path.split("."))).toEqual(expected);
  });

  test.each(["meta.v1.LabelSelector", "core.v1.ObjectReference", "core.v1.SecretKeySelector", "core.v1.NodeSelector"])(
    "%s is replaced whole",
    (ref) => {
      expect(shapeOf({ ref }, {})).toMatchObject({ kind: "map", atomic: true });
    },
  );
});

test.each<[string, Json, unknown]>([
  ["a schema", { type: "string" }, { kind: "map", rest: "any" }],
  ["a list of schemas", [{ type: "string" }], { kind: "list" }],
  ["a truth value", true, { kind: "scalar" }],
])("where a definition has a schema or something else, %s is taken for what it is", (_, value, shape) => {
  expect(shapeOf({ ref: "apiextensions.v1.JSONSchemaPropsOrBool" }, value)).toMatchObject(shape as object);
});

test("a kind that is not known has no type", () => {
  expect([kindType("v1", "Unicorn"), kindType("apps/v9", "StatefulSet"), kindType("v1", "constructor")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("every kind and every type in it can be resolved", () => {
  const seen = new Set<string>();
  const visit = (type: FieldType): void => {
    if (typeof type === "string") return;
    if ("list" in type) return visit(type.list);
    if ("map" in type) return visit(type.map);
    if ("ref" in type && seen.has(type.ref)) return;
    if ("ref" in type) seen.add(type.ref);
    const structure = "ref" in type ? structureOf(type.ref) : type;
    Object.values(structure.fields).forEach(visit);
  };
  for (const kind of knownKinds()) visit(typeAt(kind) ?? "any");
  expect(seen.size).toBeGreaterThan(200);
});

test("a structure that is not there is a mistake of ours", () => {
  expect(() => structureOf("core.v1.Unicorn")).toThrow("no schema is called core.v1.Unicorn");
});

test("what may be anything takes the shape of the value", () => {
  expect([{}, [], "x", null].map((value) => shapeOf("any", value).kind)).toEqual(["map", "list", "scalar", "map"]);
  expect(shapeOf("raw", {})).toMatchObject({ atomic: true });
});

test("an empty object is written as Kubernetes writes it", () => {
  expect(emptyObject(kindType("v1", "PersistentVolumeClaim")!)).toEqual({
    metadata: {},
    spec: { resources: {} },
    status: {},
  });
  expect(emptyObject(kindType("apps/v1", "StatefulSet")!)).toMatchObject({
    spec: {
      selector: null,
      serviceName: "",
      template: { metadata: {}, spec: { containers: null } },
      updateStrategy: {},
    },
    status: { replicas: 0 },
  });
});
