/** What this project is about, as kubectl users meet it: classes, claims, volumes, quotas, and what is refused of their changes. */
import type { Session } from "../session.ts";
import { claim, statefulSet } from "./manifests.ts";

const storageClass = (name: string, allowVolumeExpansion: boolean) => ({
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  metadata: { name },
  provisioner: "csi.example.com",
  allowVolumeExpansion,
});
const volume = {
  apiVersion: "v1",
  kind: "PersistentVolume",
  metadata: { name: "storage-volume" },
  spec: {
    capacity: { storage: "5Gi" },
    accessModes: ["ReadWriteOnce"],
    storageClassName: "storage-elastic",
    csi: { driver: "csi.example.com", volumeHandle: "handle" },
  },
};
const request = (storage: string) => `-p '${JSON.stringify({ spec: { resources: { requests: { storage } } } })}'`;
const status = (more: object) => `--subresource=status --type=merge -p '${JSON.stringify({ status: more })}'`;
const bound = { phase: "Bound", accessModes: ["ReadWriteOnce"], capacity: { storage: "2Gi" } };
const hard = { "requests.storage": "6Gi", persistentvolumeclaims: "2" };
const set = statefulSet("db", { podManagementPolicy: "Parallel" });

export const storing: readonly Session[] = [
  {
    name: "storage",
    files: {
      "classes.yaml": [storageClass("storage-elastic", true), storageClass("storage-rigid", false)],
      "volume.yaml": volume,
      "data.yaml": claim("data", "2Gi", "storage-elastic"),
      "rigid.yaml": claim("rigid", "2Gi", "storage-rigid"),
      "wrong.yaml": {
        ...claim("wrong", "-1Gi"),
        spec: { accessModes: ["Sometimes"], resources: { requests: { storage: "-1Gi" } } },
      },
      "nothing.yaml": { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name: "nothing" }, spec: {} },
      "set.yaml": set,
    },
    steps: [
      "create -f classes.yaml -f volume.yaml",
      "get sc",
      "get pv",
      "get pv -o wide",
      "create -f data.yaml -f rigid.yaml",
      "create -f wrong.yaml",
      "create -f nothing.yaml",
      "get pvc",
      "get pvc -o wide",
      "get pvc data -o yaml",
      `patch pvc data ${status(bound)}`,
      `patch pvc rigid ${status(bound)}`,
      'patch pvc data -p \'{"spec":{"volumeName":"storage-volume"}}\'',
      `patch pvc data ${request("3Gi")}`,
      `patch pvc rigid ${request("3Gi")}`,
      `patch pvc data ${request("1Gi")}`,
      `patch pvc data ${request("2Gi")}`,
      `patch pvc data ${request("much")}`,
      `patch pvc data ${status({ allocatedResources: { storage: "3Gi" }, allocatedResourceStatuses: { storage: "ControllerResizeInProgress" } })}`,
      `patch pvc data ${status({ allocatedResourceStatuses: { storage: "Nonsense" } })}`,
      `patch pvc data ${status({ conditions: [{ type: "Resizing", status: "True" }] })}`,
      "get pvc data",
      "describe pvc data",
      'patch pv storage-volume --type=merge -p \'{"spec":{"capacity":{"storage":"8Gi"}}}\'',
      'patch pv storage-volume --type=merge -p \'{"spec":{"csi":{"volumeHandle":"other"}}}\'',
      "patch sc storage-rigid --type=merge -p '{\"allowVolumeExpansion\":true}'",
      'patch sc storage-rigid --type=merge -p \'{"provisioner":"other"}\'',
      'patch sc storage-rigid -p \'{"metadata":{"annotations":{"storageclass.kubernetes.io/is-default-class":"true"}}}\'',
      "get sc storage-rigid",
      "create -f set.yaml",
      "get sts db -o jsonpath={.spec.volumeClaimTemplates}",
      "delete sc storage-rigid storage-elastic",
      "delete pv storage-volume --wait=false",
      "get pv storage-volume",
    ],
  },
  {
    name: "quota",
    files: {
      "first.yaml": claim("first", "2Gi"),
      "second.yaml": claim("second", "5Gi"),
      "third.yaml": claim("third", "1Gi"),
      "fourth.yaml": claim("fourth", "1Gi"),
    },
    steps: [
      "create quota q --hard=requests.storage=6Gi,persistentvolumeclaims=2",
      "create -f first.yaml",
      `patch quota q ${status({ hard, used: { "requests.storage": "2Gi", persistentvolumeclaims: "1" } })}`,
      "get quota",
      "create -f second.yaml",
      "create -f third.yaml --dry-run=server",
      "create -f third.yaml",
      "get quota q -o yaml",
      "create -f fourth.yaml",
      `patch pvc first ${status(bound)}`,
      `patch pvc first ${request("6Gi")}`,
      "describe quota q",
      "describe ns quota",
      "delete pvc first --wait=false",
      "create quota wrong --hard=requests.storage=many",
      "create quota wrong --hard=pods=-1",
      "create quota wrong --hard=nonsense=1",
    ],
  },
];
