import { expect, test } from "vitest";
import { checkParameters } from "./check-parameters.ts";

function aClass(provisioner: string, parameters: Readonly<Record<string, string>>) {
  const object = {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: { name: "gp3" },
    provisioner,
    parameters,
  };
  return { stages: [[{ object, owners: [] }]] };
}

test("a parameter that our driver does not take is named, and whose it is", () => {
  expect(() => checkParameters(aClass("memory.csi.outgrow.dev", { speed: "1" }))).toThrow(
    "StorageClass gp3: parameter speed is not known; there are fsType, ",
  );
  expect(() => checkParameters(aClass("memory.csi.outgrow.dev", { delay: "2s" }))).not.toThrow();
  expect(() => checkParameters(aClass("kubernetes.io/no-provisioner", { speed: "1" }))).not.toThrow();
});
