/** Ways to lose something when a set is deleted and created again, each with what keeps it from happening. */
import { expect } from "vitest";
import { READY_ANNOTATION } from "../../../src/cluster/controllers/node/index.ts";
import { claimsHave, requestOf } from "./intact.ts";
import { isComplete, isReady, SET } from "./look.ts";
import { growsIntact, type Story } from "./story.ts";

const GROWN = { data: "2Gi" };

const POLICIES = [
  { whenDeleted: "Delete", whenScaled: "Delete" },
  { whenDeleted: "Delete", whenScaled: "Retain" },
  { whenDeleted: "Retain", whenScaled: "Delete" },
];

const KEPT: readonly Story[] = POLICIES.map((policy) => ({
  name: `claims survive the policy whenDeleted=${policy.whenDeleted}, whenScaled=${policy.whenScaled}, which is back afterwards`,
  async play(scene) {
    const before = await scene.create({ policy });
    await scene.wish("data=2Gi");
    const { set } = await growsIntact(scene, before, GROWN);
    expect(set?.spec.persistentVolumeClaimRetentionPolicy).toEqual(policy);
  },
}));

/** With fields of many kinds, and with sizes that are not written as the server would write them. */
const ELABORATE = {
  metadata: { labels: { app: SET }, annotations: { "example.com/note": 'a < b && "c"' } },
  spec: {
    terminationGracePeriodSeconds: 1,
    automountServiceAccountToken: false,
    hostAliases: [{ ip: "10.0.0.1", hostnames: ["one", "two"] }],
    securityContext: { fsGroup: 1000, sysctls: [{ name: "net.core.somaxconn", value: "1024" }] },
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: "zone",
        whenUnsatisfiable: "ScheduleAnyway",
        labelSelector: { matchLabels: { app: SET } },
      },
    ],
    initContainers: [{ name: "first", image: "init", restartPolicy: "Always" }],
    containers: [
      {
        name: "main",
        image: "database:1",
        env: [{ name: "EMPTY", value: "" }],
        resizePolicy: [{ resourceName: "cpu", restartPolicy: "NotRequired" }],
        livenessProbe: { httpGet: { path: "/", port: 80, scheme: "HTTP" }, timeoutSeconds: 3 },
        resources: { requests: { cpu: "0.5", memory: "1e6" } },
        volumeMounts: [{ name: "data", mountPath: "/data", subPath: "x" }],
      },
    ],
  },
};

const SURVIVES: readonly Story[] = [
  {
    name: "claims that scaling down left behind are untied from the set that goes, and stay",
    async play(scene) {
      await scene.create({ replicas: 3, policy: { whenDeleted: "Delete", whenScaled: "Retain" } });
      await scene.change({ spec: { replicas: 2 } });
      const before = await scene.until("the third pod to go", isReady);
      await scene.wish("data=2Gi");
      const after = await growsIntact(scene, before, GROWN);
      expect(after.claims).toHaveLength(3);
      expect(after.claims.map((claim) => requestOf(claim).toString())).toEqual(["2Gi", "2Gi", "1Gi"]);
    },
  },
  {
    name: "claims above the number of replicas grow when that is asked for",
    async play(scene) {
      await scene.create({ replicas: 2 });
      await scene.change({ spec: { replicas: 1 } });
      const before = await scene.until("the second pod to go", isReady);
      await scene.order({ beyondReplicas: "Grow" });
      await scene.wish("data=2Gi");
      const after = await growsIntact(scene, before, GROWN);
      expect(after.claims.map((claim) => requestOf(claim).toString())).toEqual(["2Gi", "2Gi"]);
    },
  },
  {
    name: "ordinals that do not begin at 0",
    async play(scene) {
      const before = await scene.create({ spec: { ordinals: { start: 5 } } });
      await scene.wish("data=2Gi");
      const { claims } = await growsIntact(scene, before, GROWN);
      expect(claims.map(({ metadata }) => metadata.name)).toEqual([`data-${SET}-5`, `data-${SET}-6`]);
    },
  },
  {
    name: "grows although no pod is ready, as when disks are full, and where pods wait for each other",
    async play(scene) {
      await scene.create({ spec: { podManagementPolicy: "OrderedReady" } });
      for (const pod of [`${SET}-0`, `${SET}-1`]) {
        await scene.plane.api.patch(scene.path("pods", pod), {
          metadata: { annotations: { [READY_ANNOTATION]: "false" } },
        });
      }
      const before = await scene.until("none to be ready", ({ set }) => (set?.status?.readyReplicas ?? 0) === 0);
      await scene.wish("data=2Gi");
      await growsIntact(scene, before, GROWN);
    },
  },
  {
    name: "sizes are compared as numbers, and a driver may round them up",
    async play(scene) {
      const before = await scene.create({ sizes: { data: "1Gi", wal: "1G" }, className: "whole-gigabytes" });
      await scene.wish("data=1500Mi,wal=1000M");
      const after = await growsIntact(scene, before, { data: "1500Mi", wal: "1G" });
      expect(after.claims.map(({ status }) => status?.capacity?.["storage"])).not.toContain("1500Mi");
    },
  },
  {
    name: "a template that somebody else brought along does not hide that the claims are behind",
    async play(scene) {
      const before = await scene.create();
      const kubectl = (...words: string[]) => scene.plane.kubectl(["-n", scene.namespace, ...words]);
      await kubectl("delete", "sts", SET, "--cascade=orphan");
      const { set } = before;
      const [data] = set?.spec.volumeClaimTemplates ?? [];
      const bigger = { ...data, spec: { ...data?.spec, resources: { requests: { storage: "2Gi" } } } };
      await scene.plane.api.create(scene.path("statefulsets"), {
        metadata: { name: SET, annotations: set?.metadata.annotations ?? {} },
        spec: { ...set?.spec, volumeClaimTemplates: [bigger] },
      });
      await growsIntact(scene, before, GROWN);
    },
  },
  {
    name: "a pod template comes out as it went in, to the last field, so that no pod is restarted",
    async play(scene) {
      const before = await scene.create({ spec: { template: ELABORATE } });
      await scene.wish("data=2Gi");
      await growsIntact(scene, before, GROWN);
    },
  },
  {
    name: "a wish that cannot be read is reported on the set and in the record, and nothing is done",
    async play(scene) {
      const before = await scene.create();
      await scene.annotate("data=much");
      const after = await scene.untilSaid('"much" is not a size');
      expect(after.set?.metadata.uid).toBe(before.set?.metadata.uid);
      expect(claimsHave(after, { data: "1Gi" })).toBe(true);
      await scene.annotate("data=2Gi");
      await growsIntact(scene, before, GROWN);
    },
  },
  {
    name: "pods are restarted only when asked for and only where the driver needs it, one at a time, within the budget",
    async play(scene) {
      const before = await scene.create({ className: "offline" });
      await scene.plane.api.create(scene.path("poddisruptionbudgets"), {
        metadata: { name: SET },
        spec: { minAvailable: 2, selector: { matchLabels: { app: SET } } },
      });
      await scene.wish("data=2Gi");
      await scene.until("the driver to refuse", ({ claims }) =>
        claims.every(({ status }) => status?.conditions?.some(({ type }) => type === "ControllerResizeError")),
      );
      await scene.order({ restartPods: "WhenNeeded" });
      await scene.untilSaid("budget");
      const held = await scene.look();
      expect(held.pods.map(({ metadata }) => metadata.uid)).toEqual(before.pods.map(({ metadata }) => metadata.uid));
      await scene.plane.api.patch(scene.path("poddisruptionbudgets", SET), { spec: { minAvailable: 1 } });
      const after = await scene.untilGrown(GROWN);
      expect(isComplete(after)).toBe(true);
      expect(after.claims.map(({ metadata }) => metadata.uid)).toEqual(
        before.claims.map(({ metadata }) => metadata.uid),
      );
    },
  },
];

export const SAFEGUARD_STORIES: readonly Story[] = [...KEPT, ...SURVIVES];
