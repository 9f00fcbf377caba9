/** The rules are those of k8s.io/csi-translation-lib, plugin by plugin. */
import { describe, expect, test } from "vitest";
import { OutgrowError } from "../../core/errors.ts";
import type { ObjectMeta, PersistentVolume } from "../../core/types.ts";
import { type VolumeSource, volumeSource } from "./volume-source.ts";

const volume = (spec: object, metadata: Partial<ObjectMeta> = {}): PersistentVolume => ({
  metadata: { name: "pv-1", ...metadata },
  spec: { accessModes: ["ReadWriteOnce"], ...spec },
});
const handle = (of: PersistentVolume, driver: string): string => volumeSource(of, driver).volumeHandle;
const refusal = (of: PersistentVolume, driver: string): string => {
  try {
    return `no error, but ${handle(of, driver)}`;
  } catch (error) {
    expect(error).toBeInstanceOf(OutgrowError);
    expect(error).toMatchObject({ code: "VOLUME_UNREADABLE" });
    return (error as Error).message;
  }
};

test("a CSI volume says itself how its driver knows it", () => {
  const secretRef = { namespace: "storage", name: "expand" };
  const csi = { driver: "csi.example.com", volumeHandle: "vol-1", fsType: "xfs", controllerExpandSecretRef: secretRef };
  expect(volumeSource(volume({ csi }), "csi.example.com")).toEqual({
    volumeHandle: "vol-1",
    fsType: "xfs",
    accessModes: ["ReadWriteOnce"],
    secretRef,
  });
});

test("a CSI volume of a driver that took over a plugin is not translated", () => {
  const csi = { driver: "ebs.csi.aws.com", volumeHandle: "aws://zone/vol-1" };
  expect(handle(volume({ csi }), "ebs.csi.aws.com")).toBe("aws://zone/vol-1");
});

test.each([
  ["an empty handle", { csi: { driver: "csi.example.com", volumeHandle: "" } }, "csi.example.com"],
  ["no source at all", {}, "csi.example.com"],
  ["a source of another plugin", { nfs: { server: "a", path: "/" } }, "ebs.csi.aws.com"],
  ["a source of a plugin that nobody took over", { awsElasticBlockStore: { volumeID: "vol-1" } }, "csi.example.com"],
])("%s is an error that names the volume", (_, spec, driver) => {
  expect(refusal(volume(spec), driver)).toBe(`volume pv-1: it has no handle for driver ${driver}: empty volume handle`);
});

describe("migrated volumes", () => {
  test.each<[driver: string, spec: object, expected: Partial<VolumeSource>]>([
    [
      "ebs.csi.aws.com",
      { awsElasticBlockStore: { volumeID: "vol-1", fsType: "ext4" } },
      { volumeHandle: "vol-1", fsType: "ext4" },
    ],
    [
      "pd.csi.storage.gke.io",
      { gcePersistentDisk: { pdName: "disk-1", fsType: "ext4" } },
      { volumeHandle: "projects/UNSPECIFIED/zones/UNSPECIFIED/disks/disk-1", fsType: "ext4" },
    ],
    [
      "cinder.csi.openstack.org",
      { cinder: { volumeID: "4f1b", fsType: "xfs" } },
      { volumeHandle: "4f1b", fsType: "xfs" },
    ],
    [
      "disk.csi.azure.com",
      { azureDisk: { diskName: "d", diskURI: "/subscriptions/s/disks/d", kind: "Managed", fsType: "ext4" } },
      { volumeHandle: "/subscriptions/s/disks/d", fsType: "ext4" },
    ],
    [
      "file.csi.azure.com",
      { azureFile: { shareName: "share", secretName: "azure-storage-account-acc-secret", secretNamespace: "ns" } },
      { volumeHandle: "#acc#share#pv-1#ns" },
    ],
    [
      "csi.vsphere.vmware.com",
      { vsphereVolume: { volumePath: "[store] kubevols/disk.vmdk", fsType: "ext4" } },
      { volumeHandle: "[store] kubevols/disk.vmdk", fsType: "ext4" },
    ],
    [
      "pxd.portworx.com",
      { portworxVolume: { volumeID: "123", fsType: "ext4" } },
      { volumeHandle: "123", fsType: "ext4" },
    ],
  ])("of %s", (driver, spec, expected) => {
    expect(volumeSource(volume(spec), driver)).toMatchObject({ accessModes: ["ReadWriteOnce"], ...expected });
  });
});

describe("ebs.csi.aws.com", () => {
  const ebs = (volumeID: string): PersistentVolume => volume({ awsElasticBlockStore: { volumeID } });

  test.each([
    ["vol-0a1b", "vol-0a1b"],
    ["aws://eu-west-1a/vol-0a1b", "vol-0a1b"],
    ["aws:///vol-0a1b", "vol-0a1b"],
    ["aws://eu-west-1a/vol-0a1b/", "vol-0a1b"],
  ])("knows %s as %s", (volumeID, known) => {
    expect(handle(ebs(volumeID), "ebs.csi.aws.com")).toBe(known);
  });

  test.each(["aws://eu-west-1a/disk-1", "aws://eu-west-1a/a/vol-1", "aws://vol-1"])("does not take %s", (volumeID) => {
    expect(refusal(ebs(volumeID), "ebs.csi.aws.com")).toBe(
      `volume pv-1: its volumeID "${volumeID}" is not an EBS volume`,
    );
  });
});

describe("pd.csi.storage.gke.io", () => {
  const BETA = "failure-domain.beta.kubernetes.io/zone";
  const STABLE = "topology.kubernetes.io/zone";
  const disk = (labels: Record<string, string>, accessModes = ["ReadWriteOnce"]): PersistentVolume =>
    volume({ gcePersistentDisk: { pdName: "d" }, accessModes }, { labels });

  test.each<[string, Record<string, string>, string]>([
    ["one zone", { [STABLE]: "europe-west1-b" }, "zones/europe-west1-b"],
    ["one zone, by the old label", { [BETA]: "europe-west1-b" }, "zones/europe-west1-b"],
    ["both labels: the old one counts", { [BETA]: "us-east1-c", [STABLE]: "us-east1-d" }, "zones/us-east1-c"],
    ["an empty old label", { [BETA]: "", [STABLE]: "us-east1-d" }, "zones/us-east1-d"],
    ["several zones of a region", { [STABLE]: "europe-west1-b__europe-west1-c" }, "regions/europe-west1"],
    ["no label", {}, "zones/UNSPECIFIED"],
  ])("with %s", (_, labels, place) => {
    expect(handle(disk(labels), "pd.csi.storage.gke.io")).toBe(`projects/UNSPECIFIED/${place}/disks/d`);
  });

  test.each(["europe-west1-b__us-east1-c", "b__c"])("with zones %s it is unreadable", (label) => {
    expect(refusal(disk({ [STABLE]: label }), "pd.csi.storage.gke.io")).toBe(
      `volume pv-1: its zones ${label.replace("__", ", ")} are not of one region`,
    );
  });

  test.each([
    [["ReadWriteMany"], ["ReadWriteOnce"]],
    [["ReadOnlyMany", "ReadWriteOnce"], ["ReadWriteOnce"]],
    [["ReadOnlyMany"], ["ReadOnlyMany"]],
    [["ReadWriteOnce"], ["ReadWriteOnce"]],
  ])("access modes %j are told as %j, as the plugin took them", (modes, told) => {
    expect(volumeSource(disk({}, modes), "pd.csi.storage.gke.io").accessModes).toEqual(told);
  });
});

test.each(["Shared", "Dedicated"])("an Azure disk of kind %s was never migrated", (kind) => {
  const of = volume({ azureDisk: { diskName: "d", diskURI: "https://a.blob/d.vhd", kind } });
  expect(refusal(of, "disk.csi.azure.com")).toBe(`volume pv-1: Azure disks of kind ${kind} are not migrated to CSI`);
});

describe("file.csi.azure.com", () => {
  const file = (source: object, spec: object = {}, metadata: Partial<ObjectMeta> = {}): PersistentVolume =>
    volume({ azureFile: { shareName: "share", ...source }, ...spec }, metadata);

  test.each<[string, PersistentVolume, string]>([
    [
      "a secret of another name is the account",
      file({ secretName: "mine", secretNamespace: "ns" }),
      "#mine#share#pv-1#ns",
    ],
    [
      "half of the usual name is another name",
      file({ secretName: "azure-storage-account-acc", secretNamespace: "ns" }),
      "#azure-storage-account-acc#share#pv-1#ns",
    ],
    [
      "the resource group is on the volume",
      file(
        { secretName: "s", secretNamespace: "ns" },
        {},
        { annotations: { "kubernetes.io/azure-file-resource-group": "group" } },
      ),
      "group#s#share#pv-1#ns",
    ],
    [
      "the secret's namespace is the claim's",
      file({ secretName: "s" }, { claimRef: { namespace: "prod", name: "data" } }),
      "#s#share#pv-1#prod",
    ],
  ])("%s", (_, of, expected) => {
    expect(handle(of, "file.csi.azure.com")).toBe(expected);
  });

  test("without a namespace for its secret it is unreadable", () => {
    expect(refusal(file({ secretName: "s" }), "file.csi.azure.com")).toBe(
      "volume pv-1: neither its source nor its claim names the namespace of its secret",
    );
  });
});

describe("pxd.portworx.com", () => {
  const name = "openstorage.io/auth-secret-name";
  const namespace = "openstorage.io/auth-secret-namespace";

  test.each<[string, Record<string, string>, VolumeSource["secretRef"]]>([
    [
      "the secret that the volume names",
      { [name]: "px", [namespace]: "kube-system" },
      { name: "px", namespace: "kube-system" },
    ],
    ["none when half of the name is missing", { [name]: "px" }, undefined],
    ["none when the volume names none", {}, undefined],
  ])("takes %s along", (_, annotations, expected) => {
    const of = volume({ portworxVolume: { volumeID: "1" } }, { annotations });
    expect(volumeSource(of, "pxd.portworx.com").secretRef).toEqual(expected);
  });
});
