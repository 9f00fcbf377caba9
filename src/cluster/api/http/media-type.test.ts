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
    ["informers of metadata take JSON where protobuf is not to be had", METADATA, ["metadata"], "metadata"],
    [
      "typed clients ask for protobuf first and take anything",
      "application/vnd.kubernetes.protobuf, */*",
      [],
      "object",
    ],
    ["curl", "*/*", [], "object"],
    ["no header", undefined, [], "object"],
  ] as const)("%s", (_, accept, offered, expected) => {
    expect(chooseAnswer(accept, offered)).toBe(expected);
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
