/** The commands on a Kubernetes as it is released, and as somebody who may not read everything. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Run, runOutgrow } from "../../../src/cli/fake-terminal.ts";
import type { PersistentVolumeClaim, StatefulSet } from "../../../src/core/types.ts";
import { VOLUME_EXPANSION_DEFINITION } from "../../../src/statefulset/install/definition.ts";
import type { VolumeExpansion } from "../../../src/statefulset/types.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import type { User } from "../credentials.ts";
import { defineKind } from "../custom-kinds.ts";
import { createBoundClaims, createNamespace, createStorageClass } from "../fixtures.ts";
import { userFor } from "../rbac.ts";
import { waitFor } from "../wait.ts";

const NAMESPACE = "prod";
const DRIVER = "csi.example.com";
/** A person who works in a namespace, and sees nothing beyond it. */
const MANIFEST = `
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: developer}
rules:
- {apiGroups: [""], resources: [persistentvolumeclaims, pods, resourcequotas, limitranges], verbs: [get, list, watch]}
- {apiGroups: [""], resources: [persistentvolumeclaims], verbs: [patch]}
- {apiGroups: [apps], resources: [statefulsets], verbs: [get, list, watch, patch]}
`;
/** The same person, where Outgrow is installed. */
const WITH_RECORDS = `${MANIFEST}
- {apiGroups: [outgrow.dev], resources: [volumeexpansions], verbs: [get, list, watch, create, patch]}
`;

let plane: ControlPlane;
let developer: User;
beforeAll(async () => {
  plane = await startControlPlane({ controllers: [] });
  developer = await userFor(plane, { namespace: NAMESPACE, account: "developer", manifest: MANIFEST });
  await createStorageClass(plane, "elastic", DRIVER);
});
afterAll(() => plane?.stop());

const as = (user: User, words: string): Promise<Run> =>
  runOutgrow([...words.split(" "), "-n", NAMESPACE, "--kubeconfig", user.kubeconfig], "", { now: () => Date.now() });

const SETS = `/apis/apps/v1/namespaces/${NAMESPACE}/statefulsets`;
const CLAIMS = `/api/v1/namespaces/${NAMESPACE}/persistentvolumeclaims`;
const RECORDS = `/apis/outgrow.dev/v1alpha1/namespaces/${NAMESPACE}/volumeexpansions`;

async function createSet(name: string): Promise<void> {
  const labels = { app: name };
  const spec = {
    accessModes: ["ReadWriteOnce"],
    storageClassName: "elastic",
    resources: { requests: { storage: "1Gi" } },
  };
  await plane.api.create(SETS, {
    metadata: { name },
    spec: {
      serviceName: name,
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "main", image: "database" }] } },
      volumeClaimTemplates: [{ metadata: { name: "data" }, spec }],
    },
  });
  const claims = [0, 1].map((ordinal) => `data-${name}-${ordinal}`);
  const fixture = { namespace: NAMESPACE, size: "1Gi", driver: DRIVER, className: "elastic", metadata: { labels } };
  await createBoundClaims(
    plane,
    claims.map((claim) => ({ ...fixture, name: claim })),
  );
}

async function wishOf(name: string): Promise<string | undefined> {
  return (await plane.api.get<StatefulSet>(`${SETS}/${name}`)).metadata.annotations?.["outgrow.dev/claims"];
}

/** What the resizer and the node would do. */
async function grow(claim: string, size: string): Promise<void> {
  await plane.api.patch<PersistentVolumeClaim>(`${CLAIMS}/${claim}`, {
    spec: { resources: { requests: { storage: size } } },
  });
  await plane.api.patch(`${CLAIMS}/${claim}/status`, { status: { capacity: { storage: size } } });
}

test("a plan is made of few reads, and says in one line what may not be read", async () => {
  await createNamespace(plane, NAMESPACE);
  await createSet("db");
  const since = await plane.auditMark();
  const { code, out, err } = await as(developer, "plan sts/db data=2Gi");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/^data-db-1 {2}1Gi {2}2Gi {4}1Gi {7}1 {5}grow$/m);
  expect(out).toMatch(
    /^NOT READ {2}storageclasses, csidrivers, persistentvolumes, a dry run of creating the set anew: you may not; the plan goes without$/m,
  );
  expect(out).toMatch(
    /^ {2}warn {4}class-expandable {5}whether storage class "elastic" allows expansion is not known/m,
  );
  expect(await plane.auditCounts({ user: developer.name, since })).toEqual({
    "list persistentvolumeclaims": 1,
    "list statefulsets": 1,
    "list pods": 1,
    "list resourcequotas": 1,
    "list limitranges": 1,
    "list storageclasses": 1,
    "list csidrivers": 1,
    "get volumeexpansions": 1,
    // That was refused, although there is no such kind: discovery tells.
    "get /apis/outgrow.dev/v1alpha1": 1,
    "get persistentvolumes": 1,
    "patch statefulsets": 1,
    "create statefulsets": 1,
  });
});

test("the administrator's plan knows the class, and that a set this young is not re-created yet", async () => {
  const { code, out } = await as(plane.admin, "plan sts/db data=2Gi -o json");
  expect(code).toBe(0);
  const plan = JSON.parse(out) as { notRead: string[]; template: { way: string; holds: { id: string }[] } };
  expect(plan.notRead).toEqual([]);
  expect(plan.template.way).toBe("wait");
  expect(plan.template.holds.map(({ id }) => id)).toContain("too-young");
  expect(plan.template.holds.map(({ id }) => id)).not.toContain("create-refused");
  const { metadata } = await plane.api.get<StatefulSet>(`${SETS}/db`);
  expect([metadata.generation, metadata.annotations]).toEqual([1, undefined]);
});

test("where Outgrow is not installed that is said, and claims can be asked one by one", async () => {
  const { code, err } = await as(developer, "resize sts/db data=2Gi");
  expect(code).toBe(1);
  expect(err).toMatch(/^outgrow: Outgrow is not installed in this cluster; install it with: outgrow manifests/);
  expect(await as(developer, "resize pvc/data-db-0 2Gi")).toMatchObject({ code: 0 });
  const { out } = await as(developer, "status");
  expect(out).toMatch(/^data-db-0 {2}1Gi {3}2Gi {2}1Gi {7}/m);
});

test("where it is, the wish is noted, watched, and taken back", async () => {
  await defineKind(plane.api, VOLUME_EXPANSION_DEFINITION);
  expect((await as(developer, "status sts/db")).out).toContain(
    "not read: volumeexpansions, storageclasses; you may not",
  );
  await userFor(plane, { namespace: NAMESPACE, account: "developer", manifest: WITH_RECORDS });
  await waitFor("the rights to count", async () => {
    return !(await as(developer, "status sts/db")).out.includes("volumeexpansions");
  });
  await createSet("shop");
  expect(await as(developer, "resize sts/shop data=3Gi --one-by-one")).toMatchObject({
    code: 0,
    out: "sts/shop asks for data=3Gi now, and its claims follow; see outgrow watch sts/shop -n prod\n",
  });
  expect(await wishOf("shop")).toBe("data=3Gi");
  const record = await plane.api.get<VolumeExpansion>(`${RECORDS}/shop`);
  expect(record.spec).toEqual({ statefulSetName: "shop", rollout: { mode: "OneByOne" } });

  const watching = as(developer, "watch sts/shop");
  await grow("data-shop-1", "3Gi");
  await grow("data-shop-0", "3Gi");
  const row = { from: "1Gi", to: "3Gi", capacity: "3Gi", state: "Done", message: "" };
  await plane.api.patch(`${RECORDS}/shop/status`, {
    status: { phase: "Done", claims: ["data-shop-1", "data-shop-0"].map((name) => ({ name, ...row })) },
  });
  const { code, out } = await watching;
  expect(code).toBe(0);
  expect(out).toMatch(/^sts\/shop is done: it has 3Gi\.$/m);

  expect((await as(developer, "resize sts/shop --cancel")).out).toBe(
    "sts/shop no longer asks for data=3Gi\ngrown already, and volumes never shrink: data-shop-1, data-shop-0\n",
  );
  expect(await wishOf("shop")).toBeUndefined();
});

test("what may not be done is one line", async () => {
  const { code, err } = await as(developer, "status -A");
  expect(code).toBe(1);
  expect(err).toMatch(/^outgrow: list persistentvolumeclaims: .* cannot list resource "persistentvolumeclaims".*\n$/);
});
