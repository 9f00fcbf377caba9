import { describe, expect, test } from "vitest";
import { Quantity } from "../../core/quantity.ts";
import type { LimitRange, StorageClass } from "../../core/types.ts";
import { aClass, aQuota } from "../fixtures.ts";
import { storageClasses } from "../storage-classes.ts";
import type { SetFacts } from "./facts.ts";
import { aVolume, type Cases, casesById, claimFacts, found, setFacts } from "./fixtures.ts";

const size = (text: string) => Quantity.parse(text);
const ALONE = { set: undefined };
const classes = (...list: StorageClass[]) => ({ classes: storageClasses(list) });
const set = (facts: Partial<SetFacts>) => ({ set: setFacts(facts) });
const limited = (max: string): LimitRange[] => [
  { metadata: { name: "range" }, spec: { limits: [{ type: "PersistentVolumeClaim", max: { storage: max } }] } },
];
const done = claimFacts({ step: "none" }, { name: "data-db-1", request: "200Gi", capacity: "200Gi" });

const CASES: Cases = {
  "size-below": [
    ["a larger size", {}, ["pass: no claim is larger than what is asked for"]],
    [
      "a claim of a set that is larger is left alone",
      {
        claims: [
          claimFacts(),
          claimFacts({ step: "none" }, { name: "data-db-1", request: "300Gi", capacity: "300Gi" }),
        ],
      },
      ["pass: 1 claim already larger than that, and left alone: data-db-1"],
    ],
    [
      "a size below the template, with nothing to recover from",
      set({ sizes: [{ template: "data", now: size("100Gi"), desired: size("50Gi") }] }),
      [
        "refuse: data: 50Gi is below the 100Gi of the template, and volumes never shrink → ask for more than 100Gi; to shrink, copy the data to a new set",
      ],
    ],
    [
      "a size below the template, while a larger one may still succeed",
      {
        ...set({ sizes: [{ template: "data", now: size("300Gi"), desired: size("200Gi") }] }),
        claims: [claimFacts({ step: "none" }, { request: "300Gi", capacity: "100Gi" })],
      },
      [
        "warn: growing to more than that is under way and may still succeed: data-db-0 → nothing is lowered before it has failed",
      ],
    ],
    [
      "a size below the template, to recover from one that failed",
      {
        ...set({ sizes: [{ template: "data", now: size("300Gi"), desired: size("200Gi") }] }),
        claims: [claimFacts({ step: "recover" }, { request: "300Gi" })],
      },
      ["pass: no claim is larger than what is asked for"],
    ],
    ["a claim on its own that grows: the question does not arise", ALONE, []],
    [
      "a claim lowered to what it has",
      { ...ALONE, claims: [claimFacts({ step: "none" }, { request: "300Gi", capacity: "200Gi" })] },
      [
        "refuse: data-db-0 asks for 300Gi and has 200Gi, so 200Gi is refused: field can not be less than status.capacity → ask for more than 200Gi",
      ],
    ],
    [
      "a claim lowered below what it has",
      { ...ALONE, claims: [claimFacts({ step: "none" }, { request: "300Gi", capacity: "300Gi" })] },
      [
        "refuse: data-db-0 asks for 300Gi and has 300Gi, so 200Gi is refused: field can not be less than status.capacity → ask for more than 300Gi; to shrink, copy the data to a new claim",
      ],
    ],
    [
      "a claim lowered while the recovery gate is off",
      {
        ...ALONE,
        claims: [claimFacts({ step: "none" }, { request: "300Gi", capacity: "100Gi" })],
        gates: { StatefulSetVolumeExpansion: true, RecoverExpansionFailure: false },
      },
      [
        "refuse: data-db-0 asks for 300Gi and has 100Gi, so 200Gi is refused: field can not be less than previous value → turn feature gate RecoverExpansionFailure on to go back to a smaller size",
      ],
    ],
    [
      "a claim lowered to above what it has",
      { ...ALONE, claims: [claimFacts({ step: "recover" }, { request: "300Gi", capacity: "100Gi" })] },
      ["pass: 200Gi is less than data-db-0 asks for, and more than the 100Gi that it has"],
    ],
  ],
  rounding: [
    ["a whole number of Gi", {}, ["pass: whole numbers of Gi: 200Gi"]],
    [
      "a decimal size",
      { claims: [claimFacts({ to: size("200G") })] },
      [
        "warn: 200G is not a whole number of Gi: many drivers round up, here to 187Gi, and quota counts 200G → ask for 187Gi to have both the same",
      ],
    ],
    [
      "a fraction of a byte",
      { claims: [claimFacts({ to: size("214748364800001m") })] },
      [
        'warn: spec.resources.requests[storage]: fractional byte value "214748364800001m" is invalid, must be an integer → ask for 214748364801',
      ],
    ],
    ["nothing changes: the question does not arise", { claims: [done] }, []],
  ],
  "claims-stuck": [
    ["a claim in good health", {}, ["pass: the claim is not stuck"]],
    ["claims in good health", { claims: [claimFacts(), done] }, ["pass: 2 claims, none of them stuck"]],
    [
      "one of several is stuck: the others go on",
      {
        claims: [
          claimFacts(),
          claimFacts({ step: "none", stuck: "its volume is gone; restore it" }, { name: "data-db-1" }),
        ],
      },
      ["warn: data-db-1: its volume is gone → restore it; the other claims grow without it"],
    ],
    [
      "all are stuck: there is nothing to start",
      { claims: [claimFacts({ step: "none", stuck: "is not bound to a volume yet; only a bound claim can grow" })] },
      ["refuse: data-db-0: is not bound to a volume yet → only a bound claim can grow"],
    ],
    [
      "many are stuck: the first few are told apart",
      { claims: Array.from({ length: 7 }, (_, n) => claimFacts({ step: "none", stuck: "no" }, { name: `c${n}` })) },
      [
        ...[0, 1, 2, 3, 4].map((n) => `refuse: c${n}: no → mend the claim first`),
        "refuse: 2 more claims stuck → mend them first",
      ],
    ],
    ["no claims: the question does not arise", { claims: [] }, []],
  ],
  "class-expandable": [
    ["a class that allows it", {}, ['pass: storage class "fast" allows expansion']],
    [
      "a rigid class",
      classes(aClass("fast", { allowVolumeExpansion: false })),
      ['refuse: storage class "fast" does not allow expansion → set allowVolumeExpansion: true on it'],
    ],
    [
      "a class that is gone",
      classes(aClass("other")),
      ['refuse: storage class "fast" does not exist → create it with allowVolumeExpansion: true'],
    ],
    [
      "a claim without a class",
      { claims: [claimFacts({}, { spec: { resources: { requests: { storage: "100Gi" } }, storageClassName: "" } })] },
      [
        "refuse: no storage class is named by data-db-0 → only claims of a class that allows expansion can grow; make new ones, and copy the data",
      ],
    ],
    [
      "classes that nobody has told us about",
      { classes: undefined },
      [
        'warn: whether storage class "fast" allows expansion is not known: no storage class was read → let the plan read the storage classes, too (kubectl get sc)',
      ],
    ],
    ["nothing grows: the question does not arise", { claims: [done] }, []],
  ],
  "driver-can-expand": [
    ["a driver known to grow volumes in use", {}, ["pass: ebs.csi.aws.com grows volumes, also while they are in use"]],
    [
      "a volume from before CSI, whose driver took over",
      { claims: [claimFacts({ volume: aVolume({ csi: undefined, awsElasticBlockStore: {} } as object) })] },
      ["pass: ebs.csi.aws.com grows volumes, also while they are in use"],
    ],
    [
      "one of our own drivers, offline only",
      {
        ...classes(aClass("fast", { provisioner: "loop.csi.outgrow.dev", parameters: { online: "false" } })),
        claims: [claimFacts({ volume: undefined, users: [] })],
        drivers: undefined,
      },
      ["pass: loop.csi.outgrow.dev grows volumes"],
    ],
    [
      "one of our own drivers, told to grow nothing",
      {
        ...classes(
          aClass("fast", {
            provisioner: "memory.csi.outgrow.dev",
            parameters: { controllerExpansion: "false", nodeExpansion: "false" },
          }),
        ),
        claims: [claimFacts({ volume: undefined })],
      },
      [
        "refuse: memory.csi.outgrow.dev does not grow volumes: the class turns both halves of expansion off (controllerExpansion, nodeExpansion) (data-db-0) → move the data to claims of a class whose driver can",
      ],
    ],
    [
      "volumes made by hand",
      {
        ...classes(aClass("fast", { provisioner: "kubernetes.io/no-provisioner" })),
        claims: [claimFacts({ volume: undefined })],
      },
      [
        "refuse: kubernetes.io/no-provisioner does not grow volumes: volumes of this class are made by hand, and nobody grows them (data-db-0) → move the data to claims of a class whose driver can",
      ],
    ],
    [
      "a volume that is a folder of the node",
      { claims: [claimFacts({ volume: aVolume({ csi: undefined, hostPath: {} } as object) })] },
      [
        "refuse: ebs.csi.aws.com does not grow volumes: volume pv-1 is a hostPath volume (data-db-0) → move the data to claims of a class whose driver can",
      ],
    ],
    [
      "a driver that nobody knows",
      {
        claims: [claimFacts({ volume: aVolume({ csi: { driver: "x.example.com", volumeHandle: "" } }) })],
        drivers: undefined,
      },
      [
        "warn: whether x.example.com grows volumes is not known: only the driver itself tells → see its documentation; a resizer must run beside its controller",
      ],
    ],
    [
      "a driver that is not registered",
      { drivers: new Set(["other.example.com"]) },
      [
        'warn: no CSIDriver "ebs.csi.aws.com" is registered; if the driver is not installed, the claims wait for ever → install the driver, with its resizer',
      ],
    ],
    [
      "neither volume nor class is known",
      { classes: undefined, claims: [claimFacts({ volume: undefined })] },
      [
        "warn: which driver grows data-db-0 is not known → let the plan read the volumes and storage classes, too (kubectl get pv,sc)",
      ],
    ],
  ],
  quota: [
    ["no quota", {}, ["pass: no quota of the namespace limits this"]],
    [
      "room for all",
      { quotas: [aQuota("storage", { "requests.storage": "1Ti" }, { "requests.storage": "100Gi" })] },
      ['pass: quota "storage" has room: requests.storage 200Gi of 1Ti afterwards'],
    ],
    [
      "room for each, but not for all together",
      {
        claims: [claimFacts(), claimFacts({}, { name: "data-db-1" })],
        quotas: [aQuota("storage", { "requests.storage": "300Gi" }, { "requests.storage": "200Gi" })],
      },
      [
        'refuse: exceeded quota: storage, requested: requests.storage=200Gi, used: requests.storage=200Gi, limited: requests.storage=300Gi → raise quota "storage", free storage in the namespace, or ask for less',
      ],
    ],
    [
      "a quota for the class",
      {
        quotas: [
          aQuota(
            "gold",
            { "fast.storageclass.storage.k8s.io/requests.storage": "150Gi" },
            { "fast.storageclass.storage.k8s.io/requests.storage": "100Gi" },
          ),
        ],
      },
      [
        'refuse: exceeded quota: gold, requested: fast.storageclass.storage.k8s.io/requests.storage=100Gi, used: fast.storageclass.storage.k8s.io/requests.storage=100Gi, limited: fast.storageclass.storage.k8s.io/requests.storage=150Gi → raise quota "gold", free storage in the namespace, or ask for less',
      ],
    ],
    [
      "what an earlier, larger attempt was promised is counted already",
      {
        claims: [claimFacts({}, { allocated: "150Gi" })],
        quotas: [aQuota("storage", { "requests.storage": "200Gi" }, { "requests.storage": "150Gi" })],
      },
      ['pass: quota "storage" has room: requests.storage 200Gi of 200Gi afterwards'],
    ],
    ["nothing grows: the question does not arise", { claims: [done] }, []],
  ],
  "limit-range": [
    ["no limit range: the question does not arise", {}, []],
    ["within", { limitRanges: limited("200Gi") }, ["pass: 200Gi per claim is within the limit range"]],
    [
      "beyond",
      { limitRanges: limited("150Gi") },
      [
        "refuse: maximum storage usage per PersistentVolumeClaim is 150Gi, but request is 200Gi (data-db-0) → ask for a size within the limit range, or change the limit range",
      ],
    ],
  ],
  "node-or-offline": [
    ["mounted by its pod", {}, ["pass: every volume is where its file system can be grown"]],
    [
      "a claim without a pod stays pending until one mounts it",
      { claims: [claimFacts({ users: [] })] },
      [
        "warn: no pod uses data-db-0: the volume grows, the file system waits for a pod → nothing is lost by that; it is grown when a pod mounts it",
      ],
    ],
    [
      "a raw block volume needs no pod",
      {
        claims: [
          claimFacts(
            { users: [] },
            { spec: { volumeMode: "Block", storageClassName: "fast", resources: { requests: { storage: "100Gi" } } } },
          ),
        ],
      },
      ["pass: every volume is where its file system can be grown"],
    ],
    [
      "an offline-only driver and a running pod",
      {
        ...classes(aClass("fast", { provisioner: "loop.csi.outgrow.dev", parameters: { online: "false" } })),
        claims: [claimFacts({ volume: undefined })],
      },
      [
        "warn: loop.csi.outgrow.dev grows a volume only while no pod uses it; in use by db-0 → each of these pods must be stopped until its volumes have grown",
      ],
    ],
    [
      "mounted read-only",
      { claims: [claimFacts({ users: [{ pod: "db-0", readOnly: true }] })] },
      [
        "warn: data-db-0 mounted read-only: kubelet does not grow such a file system → mount it writable once, for the file system to grow",
      ],
    ],
    [
      "pods that nobody has told us about",
      { claims: [claimFacts({ users: undefined })] },
      [
        "warn: whether pods use the claims is not known: no pod was read → let the plan read the pods, too (kubectl get pod)",
      ],
    ],
    ["nothing grows: the question does not arise", { claims: [done] }, []],
  ],
};

describe.each(casesById(CASES))("%s", (id, cases) => {
  test.each(cases)("%s", (_, facts, findings) => {
    expect(found(id, facts)).toEqual(findings);
  });
});
