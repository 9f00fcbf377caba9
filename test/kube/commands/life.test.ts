/** The commands on a cluster in which things grow, fail, and take their time. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Run, runOutgrow, type Traits } from "../../../src/cli/fake-terminal.ts";
import { STATEFUL_SETS } from "../../../src/kube/index.ts";
import { VOLUME_EXPANSIONS } from "../../../src/statefulset/resource.ts";
import { NAMESPACE, openScene, type Scene } from "../life/scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
  await scene.createQuota("100Gi");
});
afterAll(() => scene?.[Symbol.asyncDispose]());

const at = (words: string): string[] => [
  ...words.split(" "),
  "-n",
  NAMESPACE,
  "--kubeconfig",
  scene.cluster.kubeconfig,
];
const run = (words: string, traits: Traits = {}): Promise<Run> =>
  runOutgrow(at(words), "", { now: () => Date.now(), ...traits });

test("a set is asked for more, and watched until all of it has that", async () => {
  await scene.createSet("db", { size: "1Gi" });
  await scene.podsAreReady("db-0", "db-1");
  const { code, out } = await run("resize sts/db data=2Gi --watch");
  expect(code).toBe(0);
  expect(out).toMatch(/^sts\/db asks for data=2Gi now, and its claims follow\n/);
  expect(out).toMatch(/^data-db-1 {2}(?:1Gi → )?2Gi {2}Done$/m);
  expect(out).toMatch(/\nsts\/db is done: it has 2Gi\.\n$/);
  for (const name of ["data-db-0", "data-db-1"]) await scene.claimIs(name, { request: "2Gi", capacity: "2Gi" });
  expect(await run("watch sts/db")).toMatchObject({ code: 0 });
});

test("an order is kept by the controller, and the template follows", async () => {
  const { code, out } = await run("resize sts/db data=3Gi --one-by-one --watch");
  expect(code).toBe(0);
  expect(out).toMatch(/\nsts\/db is done: it has 3Gi\.\n$/);
  const record = await scene.client.get(VOLUME_EXPANSIONS, { namespace: NAMESPACE, name: "db" });
  expect(record.spec.rollout).toEqual({ mode: "OneByOne" });
  const { spec } = await scene.client.get(STATEFUL_SETS, { namespace: NAMESPACE, name: "db" });
  expect(spec.volumeClaimTemplates?.[0]?.spec.resources?.requests).toEqual({ storage: "3Gi" });
});

test("what fails is explained, and recovered from with the whole set", async () => {
  await scene.createSet("weak", { size: "1Gi", storageClass: "flaky-infeasible" });
  await scene.podsAreReady("weak-0", "weak-1");
  const grown = await run("resize sts/weak data=20Gi --watch");
  expect(grown.code).toBe(1);
  expect(grown.out).toMatch(/sts\/weak is stuck: data-weak-1, data-weak-0 failed; see outgrow recover sts\/weak\n$/);

  const { out: table } = await run("status");
  expect(table).toMatch(/^data-weak-1 {2}1Gi {3}20Gi {2}1Gi {7}Failed {2}the storage refused 20Gi: .*OutOfRange/m);
  expect(await run("recover pvc/data-weak-0 --to 5Gi")).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      /^outgrow: sts\/weak wants 20Gi of data and would ask pvc\/data-weak-0 for it again/,
    ) as string,
  });
  const explained = await run("recover sts/weak");
  expect(explained).toMatchObject({
    code: 1,
    err: "outgrow: nothing was done; go for a size with: outgrow recover sts/weak --to data=2Gi -n prod\n",
  });
  expect(explained.out).toMatch(/^FAILED {2}data: 2 claims \(data-weak-0, data-weak-1\): asked for 20Gi, has 1Gi/);

  const recovered = await run("recover sts/weak --to 5Gi --watch");
  expect(recovered).toMatchObject({ code: 0, err: "" });
  for (const name of ["data-weak-0", "data-weak-1"]) await scene.claimIs(name, { request: "5Gi", capacity: "5Gi" });
  await scene.quotaIs("16Gi");
  expect((await run("recover sts/weak")).out).toMatch(/^sts\/weak has nothing to recover from/);
});

test("a person at a terminal is asked, and may name another size", async () => {
  await scene.createClaim("fragile", "1Gi", { storageClass: "flaky-infeasible" });
  await scene.claimIs("fragile", { capacity: "1Gi" });
  expect((await run("resize pvc/fragile 20Gi --watch")).code).toBe(1);
  const questions: string[] = [];
  const answering = (answer: string | undefined): Traits => ({
    ask: (question) => {
      questions.push(question);
      return Promise.resolve(answer);
    },
  });
  expect((await run("recover pvc/fragile", answering(undefined))).code).toBe(1);
  expect((await run("recover pvc/fragile", answering("no"))).code).toBe(1);
  await scene.claimIs("fragile", { request: "20Gi" });
  expect((await run("recover pvc/fragile", answering("3Gi"))).code).toBe(0);
  await scene.claimIs("fragile", { request: "3Gi", capacity: "3Gi" });
  expect(questions[0]).toBe("Go for 2Gi? Yes, another size, or nothing to leave it: ");
});

test("Ctrl-C ends the watching, and nothing else", async () => {
  await scene.createClaim("slow", "1Gi", { storageClass: "flaky-slow" });
  await scene.claimIs("slow", { capacity: "1Gi" });
  const interruption = new AbortController();
  const screen = { columns: () => 80, rows: () => 24 };
  // As soon as something is drawn.
  const onWrite = (text: string): void => {
    if (text.includes("█")) interruption.abort();
  };
  const { code, out } = await run("resize pvc/slow 2Gi --watch", {
    interruption: interruption.signal,
    screen,
    onWrite,
  });
  expect(code).toBe(130);
  expect(out).toMatch(/^pvc\/slow asks for 2Gi now\nslow {2}1Gi → 2Gi {2}█.*\n$/);
  await scene.claimIs("slow", { request: "2Gi" });
  const { out: data } = await run("status -o json");
  expect(JSON.parse(data)).toMatchObject({
    items: [{ name: "slow", outcome: "growing", claims: [{ state: "Growing" }] }],
  });
});
