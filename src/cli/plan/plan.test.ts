import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { runOutgrow } from "../fake-terminal.ts";
import type { PlanReport } from "./report.ts";

const TESTDATA = join(import.meta.dirname, "testdata");
const CLUSTER = readFileSync(join(TESTDATA, "cluster.yaml"), "utf8");

const plan = (words: string, cluster = CLUSTER) => runOutgrow(["plan", "-f", "-", ...words.split(" ")], cluster);

/** The plan as data. */
async function report(words: string, cluster = CLUSTER): Promise<PlanReport> {
  return JSON.parse((await plan(`${words} -o json`, cluster)).out) as PlanReport;
}

/** The cluster without the objects of some kinds. */
function without(...kinds: string[]): string {
  const items = CLUSTER.split(/^(?=- )/m);
  return items.filter((item) => !kinds.some((kind) => item.includes(`\n  kind: ${kind}\n`))).join("");
}

describe("plans as they are printed", () => {
  const cases: [behaviour: string, words: string, code: number][] = [
    ["a set grows", "sts/db data=200Gi wal=20Gi -n prod", 0],
    ["a set with every kind of trouble", "sts/db -n staging", 0],
    ["a set recovers from a size that failed", "sts/db data=150Gi -n staging --include-unused", 0],
    ["too much for quota and limit range", "sts/db data=600Gi -n prod", 1],
    ["a set that an operator owns", "sts/moco-my mysql-data=40Gi", 1],
    ["a set that an operator owns, even so", "sts/moco-my mysql-data=40Gi --even-if-owned", 0],
    ["a driver that grows offline only", "sts/loop data=10Gi", 0],
    ["a set below its size", "sts/db data=50Gi -n prod", 1],
    ["a set as it is", "sts/db -n prod", 0],
    ["a claim grows", "pvc/uploads 20Gi", 0],
    ["a claim of a set grows alone", "pvc/data-db-0 200Gi -n prod", 0],
    ["a claim of a rigid class", "pvc/old 20Gi", 1],
    ["a claim that is not bound", "pvc/waiting 20Gi", 1],
    ["a claim under way", "pvc/halfway", 0],
    ["a claim under way is lowered", "pvc/halfway 15Gi", 0],
    ["a claim below what it has", "pvc/uploads 5Gi", 1],
  ];
  test.each(cases)("%s: %s", async (behaviour, words, wanted) => {
    const { code, out, err } = await plan(words);
    await expect(`$ outgrow plan -f cluster.yaml ${words}\n${out}`).toMatchFileSnapshot(
      join(TESTDATA, `${behaviour.replaceAll(/[, ]+/g, "-")}.txt`),
    );
    expect({ code, err }).toEqual({ code: wanted, err: "" });
  });
});

describe("plans as data", () => {
  test("json and yaml say the same", async () => {
    const words = "sts/db data=200Gi -n prod";
    expect(parse((await plan(`${words} -o yaml`)).out)).toEqual(await report(words));
  });

  test("sizes, claims, template, quota, restarts and checks", async () => {
    const { target, verdict, sizes, claims, template, quota, restarts, checks } =
      await report("sts/db data=200Gi -n prod");
    expect(target).toEqual({ kind: "StatefulSet", namespace: "prod", name: "db" });
    expect(verdict).toBe("would-be-done");
    expect(sizes).toEqual([
      { name: "data", from: "100Gi", to: "200Gi", because: "asked" },
      { name: "wal", from: "10Gi", to: "10Gi", because: "as-is" },
    ]);
    expect(claims[0]).toEqual({
      name: "data-db-2",
      now: "100Gi",
      after: "200Gi",
      capacity: "100Gi",
      turn: 1,
      action: "grow",
      reason: "grows from 100Gi to 200Gi",
    });
    expect(template?.changes).toEqual([{ template: "data", from: "100Gi", to: "200Gi" }]);
    expect(quota).toEqual([
      { quota: "storage", resource: "requests.storage", before: "340Gi", after: "640Gi", limit: "1Ti" },
    ]);
    expect(restarts).toEqual([]);
    expect(checks.map(({ outcome }) => outcome)).not.toContain("refuse");
  });

  test("a refused plan says so, and exits with 1 in every format", async () => {
    const { code, out } = await plan("sts/db data=600Gi -n prod -o json");
    expect(code).toBe(1);
    expect((JSON.parse(out) as PlanReport).verdict).toBe("refused");
  });

  test("what the command line asks for goes before the wish of the set", async () => {
    const wished = CLUSTER.replace("outgrow.dev/claims: data=200Gi", "outgrow.dev/claims: data=300Gi");
    expect((await report("sts/db -n staging", wished)).sizes[0]).toMatchObject({ to: "300Gi", because: "wish" });
    expect((await report("sts/db data=250Gi -n staging", wished)).sizes[0]).toMatchObject({
      to: "250Gi",
      because: "asked",
    });
  });

  test("ordinals take turns, from the highest down, ten at a time", async () => {
    const many = Array.from(
      { length: 13 },
      (_, n) =>
        `- apiVersion: v1\n  kind: PersistentVolumeClaim\n  metadata: {name: data-big-${n}, labels: {app: big}}\n  spec: {storageClassName: gp3, volumeName: v${n}, resources: {requests: {storage: 1Gi}}}\n  status: {phase: Bound, capacity: {storage: 1Gi}}\n`,
    ).join("");
    const set =
      "- apiVersion: apps/v1\n  kind: StatefulSet\n  metadata: {name: big}\n  spec: {replicas: 13, selector: {matchLabels: {app: big}}, template: {}, volumeClaimTemplates: [{metadata: {name: data}, spec: {storageClassName: gp3, resources: {requests: {storage: 1Gi}}}}]}\n";
    const { claims, order } = await report("sts/big data=2Gi", CLUSTER.replace("items:\n", `items:\n${set}${many}`));
    expect(claims.map(({ name }) => name).slice(0, 3)).toEqual(["data-big-12", "data-big-11", "data-big-10"]);
    expect(claims.map(({ turn }) => turn)).toEqual([...Array.from({ length: 10 }, () => 1), 2, 2, 2]);
    expect(order).toBe("at most 10 ordinals at a time, from the highest down");
  });

  test.each([
    ["--one-by-one", [1, 1, 2, 2, 3, 3], "one ordinal at a time, from the highest down"],
    ["--canary 1", [1, 1, 2, 2, 2, 2], "waits for the canaries: ordinal 2"],
    ["--canary 1 --one-by-one", [1, 1, 2, 2, 3, 3], "waits for the canaries: ordinal 2"],
    ["--max-concurrent 2", [1, 1, 1, 1, 2, 2], "at most 2 ordinals at a time, from the highest down"],
  ])("%s: the turns follow", async (flags, turns, words) => {
    const { claims, order } = await report(`sts/db data=200Gi wal=20Gi -n prod ${flags}`);
    expect(claims.map(({ turn }) => turn)).toEqual(turns);
    expect(order).toBe(words);
  });

  test.each([
    ["", "with-the-claims", undefined],
    ["--max-concurrent 1", "with-the-claims", undefined],
    ["--one-by-one", "after-the-claims", "the claims first; the template last, when all of them have their size"],
    [
      "--canary 1 --one-by-one",
      "after-the-claims",
      "the claims first; the template last, when all of them have their size",
    ],
    [
      "--canary 1",
      "after-the-canaries",
      "the canaries first; when they have their size the template, and the other claims",
    ],
  ])("%s: when the template has its turn", async (flags, follows, words) => {
    const asked = `sts/db data=200Gi -n prod ${flags}`.trim();
    expect((await report(asked)).template?.follows).toBe(follows);
    const { out } = await plan(asked);
    expect(/^ORDER {5}(.*)$/m.exec(out)?.[1]).toBe(words);
  });

  test("where claims have their size already, the template waits for nothing", async () => {
    const grown = CLUSTER.replaceAll("storage: 100Gi", "storage: 200Gi");
    const asked = "sts/db data=300Gi -n prod --one-by-one";
    expect((await report(asked, grown)).template?.follows).toBe("after-the-claims");
    const done = "sts/db data=200Gi wal=10Gi -n prod --one-by-one";
    expect((await report(done, grown)).template?.follows).toBe("with-the-claims");
  });

  test("a pod that is being restarted holds up the template, and not the claims", async () => {
    const held = CLUSTER.replace(
      '    name: db-2\n    namespace: prod\n    resourceVersion: "1028"\n',
      (found) => `    finalizers: [outgrow.dev/restart]\n${found}`,
    );
    expect(held).not.toBe(CLUSTER);
    const { template, checks, claims } = await report("sts/db data=200Gi -n prod", held);
    expect(template?.holds).toContainEqual({
      id: "restarting",
      reason: "pods are being restarted so that their volumes can grow; the template follows when that is done",
    });
    expect(checks.find(({ id }) => id === "rollout-in-progress")).toMatchObject({ outcome: "warn" });
    expect(claims.every(({ turn }) => turn === 1 || turn === undefined)).toBe(true);
  });

  test("pods that must stop are stopped by whoever is told to", async () => {
    expect(await report("sts/loop data=10Gi")).toMatchObject({ restarts: ["loop-0", "loop-1"], restartPods: "Never" });
    const { out } = await plan("sts/loop data=10Gi --restart-pods");
    expect(out).toContain("\nRESTARTS  loop-0, loop-1: by Outgrow, one at a time\n");
  });

  test("claims of the set that do not exist yet are in it, too", async () => {
    const scaled = CLUSTER.replace("    replicas: 3\n", "    replicas: 4\n");
    const { claims } = await report("sts/db data=200Gi -n prod", scaled);
    expect(claims.filter(({ action }) => action === "missing")).toMatchObject([
      { name: "data-db-3", now: "", after: "200Gi" },
      { name: "wal-db-3", now: "", after: "10Gi" },
    ]);
  });

  test("feature gates are heard", async () => {
    const { verdict, claims } = await report(
      "sts/db data=200Gi -n prod --feature-gates StatefulSetVolumeExpansion=false",
    );
    expect(verdict).toBe("refused");
    expect(claims[0]).toMatchObject({ action: "blocked" });
  });
});

describe("what is not in the input is not known, and said so", () => {
  const outcomes = async (cluster: string) =>
    (await report("sts/db data=200Gi -n prod", cluster)).checks
      .filter(({ outcome }) => outcome !== "pass")
      .map(({ outcome, id }) => `${outcome} ${id}`);

  test.each([
    ["StorageClass", ["warn class-expandable"]],
    ["Pod", ["warn node-or-offline"]],
    ["CSIDriver", []],
    ["PersistentVolume", []],
    ["ResourceQuota", []],
  ])("%s", async (kind, findings) => {
    expect(await outcomes(without(kind))).toEqual(findings);
  });

  test("neither volumes nor classes", async () => {
    expect(await outcomes(without("PersistentVolume", "StorageClass"))).toEqual([
      "warn class-expandable",
      "warn driver-can-expand",
    ]);
  });

  test("a quota from a manifest has no usage: the claims tell it", async () => {
    const manifest = CLUSTER.replace(/(?<=kind: ResourceQuota[^]*?) {2}status:\n(?: {4}.*\n)+/, "");
    const { quota } = await report("sts/db data=200Gi -n prod", manifest);
    expect(quota).toMatchObject([{ before: "340Gi", after: "640Gi" }]);
  });
});

describe("the target", () => {
  test.each(["sts", "statefulset", "statefulsets", "statefulset.apps", "STS"])("%s/db", async (kind) => {
    expect((await report(`${kind}/db -n prod`)).target.kind).toBe("StatefulSet");
  });
  test.each(["pvc", "persistentvolumeclaim", "persistentvolumeclaims"])("%s/uploads", async (kind) => {
    expect((await report(`${kind}/uploads`)).target).toEqual({
      kind: "PersistentVolumeClaim",
      namespace: "prod",
      name: "uploads",
    });
  });

  test.each([
    ["sts/db", 'outgrow: StatefulSet "db" is in more than one namespace: prod, staging; choose one with -n\n'],
    [
      "sts/dbx",
      'outgrow: there is no StatefulSet "dbx" in the input; there is prod/db, staging/db, staging/moco-my, staging/loop\n',
    ],
    [
      "sts/moco-my -n prod",
      'outgrow: there is no StatefulSet "moco-my" in namespace prod; there is prod/db, staging/db, staging/moco-my, staging/loop\n',
    ],
    ["sts/db -n prod log=1Gi", 'outgrow: StatefulSet prod/db has no claim template "log"; it has data, wal\n'],
  ])("%s", async (words, message) => {
    expect(await plan(words)).toEqual({ code: 2, out: "", err: message });
  });

  test("a list of candidates stays short", async () => {
    const { err } = await plan("pvc/nope");
    expect(err).toMatch(
      /^outgrow: there is no PersistentVolumeClaim "nope" in the input; there is (\S+, ){9}\S+ and \d+ more\n$/,
    );
  });

  test("an input without any", async () => {
    expect((await plan("sts/db", without("StatefulSet"))).err).toBe(
      'outgrow: there is no StatefulSet "db" in the input; there is none at all\n',
    );
  });
});

test("bad input is named by document and field, with exit code 2", async () => {
  const broken = CLUSTER.replace("storage: 100Gi", "storage: 100Q");
  const { code, out, err } = await plan("sts/db -n prod", broken);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toMatch(
    /^outgrow: standard input, document 1, item 8 \(StatefulSet prod\/db\): spec\.volumeClaimTemplates\[0\]\.spec\.resources\.requests\.storage: "100Q" is not a quantity; .*\n$/,
  );
});

test("a wish that cannot be read is named by its set", async () => {
  const broken = CLUSTER.replace("outgrow.dev/claims: data=200Gi", "outgrow.dev/claims: data");
  expect((await plan("sts/db -n staging", broken)).err).toMatch(
    /^outgrow: StatefulSet staging\/db: annotation outgrow\.dev\/claims: "data" is not a template and its size/,
  );
});

test("what a driver wrote cannot tear the plan apart or talk to the terminal", async () => {
  const evil = CLUSTER.replace(
    /message: '?resize volume[^]*?(?=\n {6}status)/,
    'message: "no\\nSECOND LINE \\u001b[2J"',
  );
  const { out } = await plan("sts/db -n staging", evil);
  expect(out).toContain("the storage refused 200Gi: no SECOND LINE  [2J");
});

test("colours mark outcomes, and nothing but colours differs", async () => {
  const words = ["plan", "-f", "-", "sts/db", "-n", "staging"];
  const coloured = await runOutgrow(words, CLUSTER, { colours: true });
  const plain = await runOutgrow(words, CLUSTER);
  expect(coloured.out).toContain("\u001b[33mwarn  \u001b[39m");
  // oxlint-disable-next-line no-control-regex
  expect(coloured.out.replaceAll(/\u001b\[\d+m/g, "")).toBe(plain.out);
});
