import { describe, expect, test } from "vitest";
import { parseFieldSelector } from "./field-selector.ts";

const POD = {
  metadata: { name: "db-0", namespace: "prod" },
  spec: { nodeName: "n1", restartPolicy: "Always" },
  status: { phase: "Running", podIP: "10.0.0.1" },
};

describe("a field selector", () => {
  test.each([
    ["", true],
    ["metadata.name=db-0", true],
    ["metadata.name==db-0,metadata.namespace=prod", true],
    ["metadata.name!=db-0", false],
    ["spec.nodeName=n1,status.phase!=Succeeded", true],
    ["spec.host=n1", true],
    ["spec.hostNetwork=false", true],
    ["status.nominatedNodeName=", true],
    ["metadata.name=db\\,0", false],
    ["=", true],
  ])("%j matches the pod: %s", (text, expected) => {
    expect(parseFieldSelector(text, "v1", "Pod").matches(POD)).toBe(expected);
  });

  test.each([
    ["v1", "Pod", "spec.other=x", "field label not supported: spec.other"],
    ["batch/v1", "Job", "spec.other=x", 'field label "spec.other" not supported for Job'],
    [
      "apps/v1",
      "StatefulSet",
      "spec.replicas=1",
      '"spec.replicas" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
    ["v1", "Pod", "metadata.name", "invalid selector: 'metadata.name'; can't understand 'metadata.name'"],
    ["v1", "Pod", "metadata.name=a\\b", "invalid field selector: invalid escape sequence: \\b"],
    ["v1", "Pod", "metadata.name=a\\", "invalid field selector: invalid escape sequence: \\"],
    ["v1", "Pod", "metadata.name=a=b", "invalid field selector: unescaped character in value: 61"],
  ])("%s %s: %j is refused", (apiVersion, kind, text, message) => {
    expect(() => parseFieldSelector(text, apiVersion, kind)).toThrow(
      expect.objectContaining({ code: 400, reason: "BadRequest", message }),
    );
  });

  test("of an event asks for its source, or for who reports it", () => {
    const { matches } = parseFieldSelector("source=kubelet", "v1", "Event");
    expect(matches({ source: { component: "kubelet" } })).toBe(true);
    expect(matches({ reportingComponent: "kubelet" })).toBe(true);
    expect(matches({ source: { component: "other" }, reportingComponent: "kubelet" })).toBe(false);
  });

  test("of a custom resource may name the fields that it offers", () => {
    expect(parseFieldSelector("spec.size=1", "x.io/v1", "X", ["spec.size"]).matches({ spec: { size: 1 } })).toBe(true);
  });

  test("says which value a field must have", () => {
    const selector = parseFieldSelector("metadata.name=db,status.phase!=Failed", "v1", "Pod");
    expect([selector.exactly("metadata.name"), selector.exactly("status.phase")]).toEqual(["db", undefined]);
  });
});
