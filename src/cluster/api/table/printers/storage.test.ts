import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../json.ts";
import { cellsByName, made } from "../fixtures.ts";
import { csiDrivers, persistentVolumeClaims, persistentVolumes, storageClasses, volumeAttachments } from "./storage.ts";

const DELETED = { deletionTimestamp: "2026-03-01T11:59:00Z" };

describe("a claim", () => {
  const bound = { phase: "Bound", capacity: { storage: "10Gi" }, accessModes: ["ReadOnlyMany", "ReadWriteOnce"] };
  const cases: readonly [string, JsonObject, Readonly<Record<string, Json>>][] = [
    [
      "that waits for a volume has no size, whatever it asks for",
      made({ spec: { resources: { requests: { storage: "10Gi" } } }, status: { phase: "Pending" } }),
      { Status: "Pending", Volume: "", Capacity: "", "Access Modes": "", VolumeAttributesClass: "<unset>" },
    ],
    [
      "that is bound has the size and modes of its volume",
      made({ spec: { volumeName: "pv-1", storageClassName: "fast" }, status: bound }),
      { Status: "Bound", Volume: "pv-1", Capacity: "10Gi", "Access Modes": "RWO,ROX", StorageClass: "fast" },
    ],
    [
      "whose volume has not told its size has none",
      made({ spec: { volumeName: "pv-1" }, status: { phase: "Pending" } }),
      { Capacity: "0", "Access Modes": "" },
    ],
    [
      "shows its size in canonical form",
      made({ spec: { volumeName: "pv-1" }, status: { ...bound, capacity: { storage: "1.5Gi" } } }),
      { Capacity: "1536Mi" },
    ],
    ["that is being deleted is Terminating", made({ status: bound }, DELETED), { Status: "Terminating" }],
    [
      "goes by the class in its annotation",
      made(
        { spec: { storageClassName: "new" } },
        { annotations: { "volume.beta.kubernetes.io/storage-class": "old" } },
      ),
      { StorageClass: "old" },
    ],
    [
      "names its attributes and mode",
      made({ spec: { volumeAttributesClassName: "gold", volumeMode: "Block" } }),
      { VolumeAttributesClass: "gold", VolumeMode: "Block", Age: "5d12h" },
    ],
  ];
  test.each(cases)("%s", (_, claim, shows) => {
    expect(cellsByName(persistentVolumeClaims, claim)).toMatchObject(shows);
  });
});

describe("a volume", () => {
  const spec = {
    capacity: { storage: "10Gi" },
    accessModes: ["ReadWriteMany", "ReadWriteOncePod"],
    persistentVolumeReclaimPolicy: "Retain",
    claimRef: { namespace: "prod", name: "data-db-0" },
  };
  test("that was released still names its claim", () => {
    expect(cellsByName(persistentVolumes, made({ spec, status: { phase: "Released" } }))).toEqual({
      Name: "it",
      Capacity: "10Gi",
      "Access Modes": "RWX,RWOP",
      "Reclaim Policy": "Retain",
      Status: "Released",
      Claim: "prod/data-db-0",
      StorageClass: "",
      VolumeAttributesClass: "<unset>",
      Reason: "",
      Age: "5d12h",
      VolumeMode: "<unset>",
    });
  });
  test("that is being deleted is Terminating", () => {
    const shown = cellsByName(persistentVolumes, made({ status: { phase: "Bound", reason: "x" } }, DELETED));
    expect(shown).toMatchObject({ Status: "Terminating", Claim: "", Reason: "x" });
  });
});

describe("a class", () => {
  test.each([
    ["storageclass.kubernetes.io/is-default-class", "true", "it (default)"],
    ["storageclass.beta.kubernetes.io/is-default-class", "true", "it (default)"],
    ["storageclass.kubernetes.io/is-default-class", "false", "it"],
  ])("with %s=%s is shown as %s", (annotation, value, name) => {
    const shown = cellsByName(storageClasses, made({}, { annotations: { [annotation]: value } }));
    expect(shown["Name"]).toBe(name);
  });
  test("has defaults where it says nothing", () => {
    expect(cellsByName(storageClasses, made({ provisioner: "csi.example.com" }))).toMatchObject({
      Provisioner: "csi.example.com",
      ReclaimPolicy: "Delete",
      VolumeBindingMode: "Immediate",
      AllowVolumeExpansion: false,
    });
  });
});

test("an attachment is not attached until it says so", () => {
  const spec = { attacher: "csi.example.com", nodeName: "node-a", source: { persistentVolumeName: "pv-1" } };
  const shown = { Attacher: "csi.example.com", PV: "pv-1", Node: "node-a" };
  expect(cellsByName(volumeAttachments, made({ spec }))).toMatchObject({ ...shown, Attached: false });
  expect(cellsByName(volumeAttachments, made({ spec, status: { attached: true } }))["Attached"]).toBe(true);
});

test("a driver needs attaching unless it says otherwise", () => {
  const plain = { AttachRequired: true, PodInfoOnMount: false, TokenRequests: "<unset>", Modes: "<none>" };
  expect(cellsByName(csiDrivers, made({ spec: {} }))).toMatchObject(plain);
  const spec = {
    attachRequired: false,
    tokenRequests: [{ audience: "a" }, { audience: "b" }],
    volumeLifecycleModes: ["Persistent", "Ephemeral"],
  };
  const shown = { AttachRequired: false, TokenRequests: "a,b", Modes: "Persistent,Ephemeral" };
  expect(cellsByName(csiDrivers, made({ spec }))).toMatchObject(shown);
});
