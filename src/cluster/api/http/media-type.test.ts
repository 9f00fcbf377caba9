import { describe, expect, test } from "vitest";
import { chooseAnswer, parseMediaTypes } from "./media-type.ts";

const KUBECTL_GET =
  "application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json";
const KUBECTL_DISCOVERY =
  "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";
const OLD_DISCOVERY = "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";
const METADATA =
  "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

describe("the form of an answer", () => {
  test.each([
    ["kubectl get asks for a Table", KUBECTL_GET, ["table"], "table"],
    ["a kind without columns gives the objects", KUBECTL_GET, [], "object"],
    [
      "kubectl 1.30 and later ask for all groups at once",
      KUBECTL_DISCOVERY,
      ["aggregated-discovery"],
      "aggregated-discovery",
    ],
    [
      "kubectl 1.29 knows only the beta of that, and gets the old form",
      OLD_DISCOVERY,
      ["aggregated-discovery"],
      "object",
    ],
    ["informers of metadata take JSON where protobuf is not to be had", METADATA, ["metadata-list"], "metadata-list"],
    [
      "typed clients ask for protobuf first and take anything",
      "application/vnd.kubernetes.protobuf, */*",
      [],
      "object",
    ],
    ["curl", "*/*", [], "object"],
    ["no header", undefined, [], "object"],
  ] as const)("%s", (_, accept, offered, expected) => {
    expect(chooseAnswer(accept, offered)).toEqual({ form: expected, encoding: "json", pretty: false });
  });

  test.each([
    ["application/yaml", { form: "object", encoding: "yaml", pretty: false }],
    ["application/yaml;q=0.1,application/json", { form: "object", encoding: "json", pretty: false }],
    ["application/yaml;as=Table;v=v1;g=meta.k8s.io", { form: "table", encoding: "yaml", pretty: false }],
    ["application/json;pretty=1", { form: "object", encoding: "json", pretty: true }],
    ["text/html,application/*", { form: "object", encoding: "json", pretty: false }],
  ] as const)("%s", (accept, expected) => {
    expect(chooseAnswer(accept, ["table"])).toEqual(expected);
  });

  test.each([
    ["application/vnd.kubernetes.protobuf", "protobuf"],
    ["application/vnd.kubernetes.protobuf,application/json", "json"],
    ["application/vnd.kubernetes.protobuf,application/yaml;q=0.1", "yaml"],
    ["application/vnd.kubernetes.protobuf, */*", "json"],
  ] as const)("protobuf is for who takes nothing else: %s", (accept, encoding) => {
    expect(chooseAnswer(accept, [], true)).toEqual({ form: "object", encoding, pretty: false });
  });

  test("there is no protobuf of tables, and of custom resources none but of their metadata", () => {
    const table = "application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io";
    const metadata = "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
    expect(chooseAnswer(table, ["table", "metadata"], true)).toBeUndefined();
    expect(chooseAnswer("application/vnd.kubernetes.protobuf", ["table", "metadata"], false)).toBeUndefined();
    expect(chooseAnswer(metadata, ["metadata"], false)).toMatchObject({ form: "metadata", encoding: "protobuf" });
  });

  test("nothing that is taken is offered", () => {
    expect(chooseAnswer("application/cbor", [])).toBeUndefined();
    expect(chooseAnswer("text/html", ["table"])).toBeUndefined();
    expect(chooseAnswer("application/json;q=0", [])).toBeUndefined();
  });
});

test("quality orders, and keeps the order of equals", () => {
  expect(parseMediaTypes("a/b;q=0.5, c/d, e/f;q=0.9, nonsense, g/h").map(({ type }) => type)).toEqual([
    "c/d",
    "g/h",
    "e/f",
    "a/b",
  ]);
});
