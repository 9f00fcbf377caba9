/**
 * The admission rules against the original: every edit is made on a real API server, and its answer must be the one that
 * our rules give, word for word. No controllers run: each test writes the status that it needs.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  admitClaimStatusUpdate,
  admitClaimUpdate,
  type ClaimAdmission,
  type Surroundings,
} from "../../src/admission/claim-admission.ts";
import { aClaim, aClass, aQuota, type ClaimTraits } from "../../src/admission/fixtures.ts";
import { isTemplateImmutableError, validateStatefulSetUpdate } from "../../src/admission/statefulset-update.ts";
import { storageClasses } from "../../src/admission/storage-classes.ts";
import { statefulSetTarget, toStatus } from "../../src/admission/verdict.ts";
import { BETA_STORAGE_CLASS } from "../../src/core/names.ts";
import type { LimitRange, PersistentVolumeClaim, ResourceQuota, StatefulSet } from "../../src/core/types.ts";
import { ApiRefusal } from "./api.ts";
import { type ControlPlane, startControlPlane } from "./control-plane.ts";
import { createNamespace } from "./fixtures.ts";
import { waitFor } from "./wait.ts";

const GATES = { StatefulSetVolumeExpansion: false, RecoverExpansionFailure: true };
const CLASSES = [aClass("fast"), aClass("rigid", { allowVolumeExpansion: false })];
const RANGE: LimitRange = {
  metadata: { name: "sizes" },
  spec: { limits: [{ type: "PersistentVolumeClaim", min: { storage: "2Gi" }, max: { storage: "50Gi" } }] },
};
const BY_CLASS = "fast.storageclass.storage.k8s.io/requests.storage";
const HARD = { "requests.storage": "50Gi", [BY_CLASS]: "45Gi", persistentvolumeclaims: "100" };
const USED = { "requests.storage": "10Gi", [BY_CLASS]: "10Gi", persistentvolumeclaims: "1" };

const SURROUNDINGS: Surroundings = {
  gates: GATES,
  classes: storageClasses(CLASSES),
  limitRanges: [],
  quotas: [],
};

let plane: ControlPlane;
let made = 0;

beforeAll(async () => {
  plane = await startControlPlane({ controllers: [] });
  await Promise.all(CLASSES.map((each) => plane.api.create("/apis/storage.k8s.io/v1/storageclasses", each)));
  await createNamespace(plane, "plain");
  await createNamespace(plane, "ranged");
  await plane.api.create("/api/v1/namespaces/ranged/limitranges", RANGE);
  await untilRefused("ranged", "maximum storage usage");
  const grown = await stored("plain", {});
  const sent = { ...grown, spec: { ...grown.spec, resources: { requests: { storage: "20Gi" } } } };
  await waitFor(
    "the classes to be seen",
    async () => (await answerTo(() => plane.api.replace(pathOf(sent), sent))) === "taken",
  );
});
afterAll(() => plane?.stop());

describe("an edit of a claim", () => {
  const none = { storageClassName: null as never };
  const annotated = { [BETA_STORAGE_CLASS]: "gold" };

  it.each<[string, ClaimTraits, ClaimTraits]>([
    ["grows", {}, { request: "20Gi" }],
    ["grows while pending", { phase: "Pending" }, { request: "20Gi" }],
    ["grows while lost", { phase: "Lost" }, { request: "20Gi" }],
    ["is lowered to above the capacity", { request: "100Gi" }, { request: "20Gi" }],
    ["is lowered to the capacity", { request: "100Gi" }, { request: "10Gi" }],
    ["is lowered to below the capacity", { request: "100Gi" }, { request: "5Gi" }],
    ["is lowered while pending", { phase: "Pending", request: "20Gi" }, { request: "5Gi" }],
    ["grows to below the capacity", { request: "5Gi" }, { request: "8Gi" }],
    ["is lowered without a known capacity", { request: "20Gi", status: { capacity: {} } }, { request: "1Gi" }],
    ["is the same in another notation", { request: "1Gi", phase: "Pending" }, { request: "1024Mi" }],
    ["asks for a fraction of a byte", { request: "1", capacity: "1" }, { request: "1001m" }],
    ["asks for nothing", {}, { request: null }],
    ["asks for zero", {}, { request: "0" }],
    ["asks for less than zero", {}, { request: "-1Gi" }],
    ["loses its access modes", {}, { spec: { accessModes: [] } }],
    ["gets an access mode that does not exist", {}, { spec: { accessModes: ["Often"] } }],
    [
      "gets an access mode that wants to be alone",
      {},
      { spec: { accessModes: ["ReadWriteOncePod", "ReadWriteOnce"] } },
    ],
    ["gets a limit", {}, { spec: { resources: { requests: { storage: "10Gi" }, limits: { storage: "20Gi" } } } }],
    ["gets another volume", {}, { spec: { volumeName: "pv-2" } }],
    ["gets a volume", { phase: "Pending", spec: { volumeName: "" } }, {}],
    ["gets an empty selector", {}, { spec: { selector: {} } }],
    ["gets another class", {}, { spec: { storageClassName: "rigid" } }],
    ["gets a class at last", { spec: none }, {}],
    ["gets a class where none was wanted", { spec: { storageClassName: "" } }, {}],
    [
      "moves its class from the annotation",
      { annotations: annotated, spec: none },
      { spec: { storageClassName: "gold" } },
    ],
    ["loses the annotation", { annotations: annotated, spec: none }, { spec: none }],
    ["gets the annotation", {}, { annotations: annotated }],
    ["changes its volume mode", {}, { spec: { volumeMode: "Block" } }],
    ["gets a data source", {}, { spec: { dataSource: { kind: "PersistentVolumeClaim", name: "other" } } }],
    [
      "leaves out one of the two data sources",
      { spec: { dataSource: { kind: "PersistentVolumeClaim", name: "other" } } },
      { spec: { dataSourceRef: { kind: "PersistentVolumeClaim", name: "other" } } },
    ],
    ["gets an attributes class", {}, { spec: { volumeAttributesClassName: "a" } }],
    ["gets an attributes class while pending", { phase: "Pending" }, { spec: { volumeAttributesClassName: "a" } }],
    [
      "gives back an attributes class that is in force",
      { spec: { volumeAttributesClassName: "a" }, status: { currentVolumeAttributesClassName: "a" } },
      {},
    ],
    [
      "empties an attributes class that is in force",
      { spec: { volumeAttributesClassName: "a" }, status: { currentVolumeAttributesClassName: "a" } },
      { spec: { volumeAttributesClassName: "" } },
    ],
    [
      "grows in a rigid class",
      { spec: { storageClassName: "rigid" } },
      { request: "20Gi", spec: { storageClassName: "rigid" } },
    ],
    [
      "is lowered in a rigid class",
      { request: "20Gi", spec: { storageClassName: "rigid" } },
      { request: "15Gi", spec: { storageClassName: "rigid" } },
    ],
    [
      "grows in a class that is gone",
      { spec: { storageClassName: "gone" } },
      { request: "20Gi", spec: { storageClassName: "gone" } },
    ],
    ["grows without a class", { spec: { storageClassName: "" } }, { request: "20Gi", spec: { storageClassName: "" } }],
  ])("%s", async (_, before, after) => {
    await compareEdit("plain", before, after);
  });

  it.each(["60Gi", "1Gi", "40Gi"])("is held against a range: %s", async (request) => {
    await compareEdit("ranged", {}, { request }, { limitRanges: [RANGE] });
  });
});

describe("quota", () => {
  it.each<[string, ClaimTraits, ClaimTraits]>([
    ["an edit within it", {}, { request: "20Gi" }],
    ["an edit that exceeds the one for its class", {}, { request: "48Gi" }],
    ["an edit that exceeds both", {}, { request: "100Gi" }],
    ["growing to what is allocated already", { allocated: "90Gi" }, { request: "90Gi", allocated: "90Gi" }],
    ["growing beyond what is allocated", { allocated: "90Gi" }, { request: "200Gi", allocated: "90Gi" }],
    ["lowering", { request: "90Gi" }, { request: "20Gi" }],
    ["a fraction of a byte", { request: "1", capacity: "1" }, { request: "2001m" }],
  ])("%s", async (_, before, after) => {
    const { old, quota, usage } = await underQuota(before);
    const sent = { ...aClaim(after), metadata: old.metadata };
    const admission = admitClaimUpdate(old, sent, { ...SURROUNDINGS, quotas: [quota] });
    expect(await answerTo(() => plane.api.replace(pathOf(old), sent))).toEqual(expected(admission));
    expect(await usage()).toEqual(usageIn(admission) ?? USED);
  });

  it.each(["20Gi", "60Gi"])("a status that records %s: booked, never refused", async (allocated) => {
    const { old, quota, usage } = await underQuota({});
    const sent = { ...old, status: { ...old.status, allocatedResources: { storage: allocated } } };
    const admission = admitClaimStatusUpdate(old, sent, { gates: GATES, quotas: [quota] });
    expect(await answerTo(() => plane.api.replace(`${pathOf(old)}/status`, sent))).toBe("taken");
    expect(await usage()).toEqual(usageIn(admission));
  });
});

describe("a write to the status of a claim", () => {
  it.each<[string, ClaimTraits["status"]]>([
    [
      "what a resizer writes",
      { allocatedResources: { storage: "20Gi" }, allocatedResourceStatuses: { storage: "ControllerResizeInProgress" } },
    ],
    ["a word of an older dialect", { allocatedResourceStatuses: { storage: "ControllerResizeFailed" } }],
    ["an empty word", { allocatedResourceStatuses: { storage: "" } }],
    ["a resource that claims do not have", { allocatedResources: { cpu: "1" } }],
    ["a state of one", { allocatedResourceStatuses: { "kubernetes.io/iops": "NodeResizePending" } }],
    ["somebody's own resource", { allocatedResources: { "example.com/iops": "5" } }],
    ["no qualified name", { allocatedResources: { "a/b/c": "5" } }],
    ["a negative capacity", { capacity: { storage: "-1" } }],
    ["a negative allocation", { allocatedResources: { storage: "-1Gi" } }],
    ["a smaller capacity", { capacity: { storage: "1Gi" } }],
  ])("%s", async (_, status) => {
    const old = await stored("plain", {});
    const sent = { ...old, status: { ...old.status, ...status } };
    const path = `${pathOf(old)}/status`;
    expect(await answerTo(() => plane.api.replace(path, sent))).toEqual(
      expected(admitClaimStatusUpdate(old, sent, { gates: GATES, quotas: [] })),
    );
  });
});

describe("an edit of a StatefulSet", () => {
  const set = (size: string, spec: Partial<StatefulSet["spec"]> = {}): StatefulSet => ({
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { name: "db", namespace: "plain" },
    spec: {
      serviceName: "db",
      selector: { matchLabels: { app: "db" } },
      template: { metadata: { labels: { app: "db" } }, spec: { containers: [{ name: "a", image: "a" }] } },
      volumeClaimTemplates: [
        {
          metadata: { name: "data" },
          spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: size } } },
        },
      ],
      ...spec,
    },
  });

  it.each<[string, StatefulSet]>([
    ["nothing, in other words", set("1024Mi")],
    ["replicas", set("1Gi", { replicas: 5 })],
    ["a size, which a stock server refuses", set("2Gi")],
    ["the service", set("1Gi", { serviceName: "other" })],
    ["the pod management policy", set("1Gi", { podManagementPolicy: "Parallel" })],
    ["an empty selector in the template", set("1Gi", { volumeClaimTemplates: [withSelector(set("1Gi"))] })],
  ])("%s", async (_, next) => {
    const path = "/apis/apps/v1/namespaces/plain/statefulsets";
    const old = await plane.api.create<StatefulSet>(path, set("1Gi"));
    const errors = validateStatefulSetUpdate(old, next, GATES, SURROUNDINGS.classes);
    const refusal = toStatus({ kind: "invalid", target: statefulSetTarget("db"), errors });
    const answer = await answerTo(() => plane.api.replace(`${path}/db`, next));
    await plane.api.delete(`${path}/db`);
    expect(answer).toEqual(errors.length === 0 ? "taken" : firstLine(refusal));
    expect(isTemplateImmutableError(answer === "taken" ? "" : answer.message)).toBe(errors.length > 0);
  });
});

interface Answer {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
}

/** Makes the edit on the server and by our rules; the answers must be equal. */
async function compareEdit(
  namespace: string,
  before: ClaimTraits,
  after: ClaimTraits,
  more: Partial<Surroundings> = {},
): Promise<void> {
  const old = await stored(namespace, before);
  const sent = { ...aClaim(after), metadata: { ...old.metadata, annotations: after.annotations ?? {} } };
  const answer = await answerTo(() => plane.api.replace(pathOf(old), sent));
  expect(answer).toEqual(expected(admitClaimUpdate(old, sent, { ...SURROUNDINGS, ...more })));
}

function expected(admission: ClaimAdmission): Answer | "taken" {
  return admission.kind === "admitted" ? "taken" : firstLine(toStatus(admission.refusal));
}

/** What follows the first line is a diff, and its form is everybody's own. */
function firstLine({ code, reason, message }: Answer): Answer {
  return { code, reason, message: message.split("\n")[0] ?? "" };
}

async function answerTo(call: () => Promise<unknown>): Promise<Answer | "taken"> {
  try {
    await call();
    return "taken";
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error;
    return firstLine({ code: error.status, reason: error.reason, message: error.message });
  }
}

/** A claim with this spec and status, as the server has it. */
async function stored(namespace: string, traits: ClaimTraits): Promise<PersistentVolumeClaim> {
  const claim = aClaim({ ...traits, name: `claim-${made++}` });
  const { resourceVersion: _, ...metadata } = claim.metadata;
  const path = `/api/v1/namespaces/${namespace}/persistentvolumeclaims`;
  const created = await plane.api.create<PersistentVolumeClaim>(path, {
    ...claim,
    metadata: { ...metadata, namespace },
  });
  return plane.api.replace(`${pathOf(created)}/status`, { ...created, status: claim.status });
}

function pathOf({ metadata }: PersistentVolumeClaim): string {
  return `/api/v1/namespaces/${metadata.namespace}/persistentvolumeclaims/${metadata.name}`;
}

/** A claim in a namespace of its own, under a quota whose usage is known. */
async function underQuota(traits: ClaimTraits) {
  const namespace = `limited-${made}`;
  await createNamespace(plane, namespace);
  const old = await stored(namespace, traits);
  const path = `/api/v1/namespaces/${namespace}/resourcequotas`;
  const { spec } = aQuota("q", HARD, USED);
  const created = await plane.api.create<ResourceQuota>(path, { metadata: { name: "q" }, spec });
  const status = { hard: HARD, used: USED };
  const quota = await plane.api.replace<ResourceQuota>(`${path}/q/status`, { ...created, status });
  await untilRefused(namespace, "exceeded quota: q");
  return { old, quota, usage: async () => (await plane.api.get<ResourceQuota>(`${path}/q`)).status?.used };
}

function usageIn(admission: ClaimAdmission): Record<string, string> | undefined {
  return admission.kind === "admitted" ? admission.quotas[0]?.status?.used : undefined;
}

/** Admission looks at caches of its own; this waits until they show what a new claim is refused for. */
async function untilRefused(namespace: string, text: string): Promise<void> {
  const { metadata: _, status: __, ...claim } = aClaim({ request: "1Ti" });
  const path = `/api/v1/namespaces/${namespace}/persistentvolumeclaims?dryRun=All`;
  await waitFor(`a claim to be refused: ${text}`, async () => {
    const answer = await answerTo(() => plane.api.create(path, { ...claim, metadata: { name: "probe" } }));
    return answer !== "taken" && answer.message.includes(text);
  });
}

function withSelector({ spec }: StatefulSet) {
  const [template] = spec.volumeClaimTemplates ?? [];
  return { ...template!, spec: { ...template!.spec, selector: {} } };
}
