/** Sizes in custom resources, judged by policies in a stock API server that are made from sources. */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { storageClasses } from "../../../src/admission/storage-classes.ts";
import { fieldErrorText } from "../../../src/admission/verdict.ts";
import { validateResourceUpdate } from "../../../src/source/decide/validate-resource.ts";
import { policiesForSource } from "../../../src/source/install/policies.ts";
import { run } from "../clients/run.ts";
import { connectTo, program, type Server } from "../clients/server.ts";
import { words } from "../clients/words.ts";
import { startControlPlane } from "../control-plane.ts";
import { install } from "../policies/installed.ts";
import { CLASSES } from "../policies/set.ts";
import { waitFor } from "../wait.ts";
import { AGREEMENT_SETS, provesAgreement } from "./agreement.ts";
import { CASES, type Case } from "./cases.ts";
import { aFollower, aResource, DATABASE, KINDS, template } from "./kinds.ts";
import { edit, furnish, nameOf, pathOf, refusalOf, SETS } from "./scene.ts";

let server: Server;
const VERBS = ["apply", "apply --server-side", "replace"];
const nameFor = (verb: string): string => `by-${verb.replaceAll(/\W+/g, "-")}`;

beforeAll(async () => {
  const plane = await startControlPlane({ controllers: ["validatingadmissionpolicy-status-controller"] });
  const folder = await mkdtemp(join(tmpdir(), "outgrow-source-admission-"));
  server = connectTo("theirs", plane.admin.kubeconfig, folder, () => plane.stop());
  await furnish(server, [...VERBS.map((verb) => aFollower(`moco-${nameFor(verb)}`, "10Gi")), ...AGREEMENT_SETS]);
  const policies = KINDS.flatMap(({ source }) => policiesForSource(source));
  await install(server, policies);
  await act();
});
afterAll(() => server?.stop());

/** Each policy is seen to refuse something: an API server learns of them by watching, and sets and classes as well. */
async function act(): Promise<void> {
  const probes = CASES.filter(({ refused, byPolicy }) => refused !== undefined && byPolicy === undefined);
  for (const [index, probe] of probes.entries()) {
    const name = `probe-${index}`;
    const { kind, before, after, sets } = probe;
    for (const set of sets?.(name) ?? []) await server.api.create(SETS, set);
    const stored = await server.api.create<object>(pathOf(kind), aResource(kind, name, before));
    await waitFor(`a policy to refuse: ${probe.name}`, async () => {
      const answer = await refusalOf(
        server.api.replace(`${pathOf(kind, name)}?dryRun=All`, { ...stored, spec: after }),
      );
      return answer !== undefined;
    });
  }
}

describe("what the policies say is what the rules say", () => {
  test.each(CASES.map((each, index) => [each.name, each, nameOf(index)] as const))("%s", async (_, each, name) => {
    expect(ruled(each, name).join(", ")).toEqual(
      each.refused === undefined ? "" : expect.stringContaining(each.refused),
    );
    const answer = await edit(server, each, name);
    const expected = each.byPolicy === undefined ? each.refused : each.byPolicy.refused;
    expect(answer).toEqual(expected === undefined ? undefined : expect.stringContaining(expected));
  });
});

/** The answer of the rules to the same edit. */
function ruled({ kind, before, after, sets }: Case, name: string): string[] {
  return validateResourceUpdate({
    spec: kind.source.spec,
    old: aResource(kind, name, before),
    next: aResource(kind, name, after),
    sets: sets?.(name) ?? [],
    classes: storageClasses(CLASSES),
  }).map(fieldErrorText);
}

provesAgreement(() => server);

describe("by kubectl", () => {
  async function kubectl(line: string, input?: object, env: Record<string, string> = {}) {
    const { folder: HOME, kubeconfig: KUBECONFIG } = await server.home(`kubectl-${++homes}`);
    const text = input === undefined ? {} : { input: JSON.stringify(input) };
    return run(program("kubectl"), words(line), { cwd: HOME, env: { HOME, KUBECONFIG, ...env }, ...text });
  }
  let homes = 0;
  const sized = (name: string, storage: string) =>
    aResource(DATABASE, name, { volumeClaimTemplates: [template(storage)] });

  test.each(VERBS)("%s: up is taken, down is refused", async (verb) => {
    const name = nameFor(verb);
    const first = verb === "replace" ? "create" : verb;
    expect(await kubectl(`${first} -f -`, sized(name, "10Gi"))).toMatchObject({ code: 0 });
    expect(await kubectl(`${verb} -f -`, sized(name, "20Gi"))).toMatchObject({ code: 0 });
    expect(await kubectl(`${verb} -f -`, sized(name, "5Gi"))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`5Gi is less than the 10Gi of StatefulSet "moco-${name}"; ask for that or more`),
    });
  });

  test("edit and patch: the class has a say", async () => {
    const rigid = { volumeClaimTemplates: [template("10Gi", { storageClassName: "rigid" })] };
    await server.api.create(pathOf(DATABASE), aResource(DATABASE, "rigid", rigid));
    const refused = 'storage class "rigid" of template "data" does not allow expansion';
    const edited = await kubectl("edit database/rigid", undefined, { KUBE_EDITOR: "sed -i s/10Gi/20Gi/" });
    expect(edited).toMatchObject({ code: 1, stderr: expect.stringContaining(refused) });
    const body = [
      { op: "replace", path: "/spec/volumeClaimTemplates/0/spec/resources/requests/storage", value: "20Gi" },
    ];
    const patched = await kubectl(`patch database/rigid --type json -p '${JSON.stringify(body)}'`);
    expect(patched).toMatchObject({ code: 1, stderr: expect.stringContaining(refused) });
  });
});

describe("nothing else is in the way", () => {
  test("of a resource that the policies would refuse, status, labels and finalizers are written as ever", async () => {
    const name = "bad";
    await server.api.create(SETS, aFollower(`moco-${name}`, "10Gi"));
    const low = aResource(DATABASE, name, { volumeClaimTemplates: [template("5Gi", { storageClassName: "rigid" })] });
    const stored = await server.api.create<typeof low>(pathOf(DATABASE), low);
    const path = pathOf(DATABASE, name);
    expect(await refusalOf(server.api.patch(path, { metadata: { labels: { a: "b" } } }))).toBeUndefined();
    expect(await refusalOf(server.api.patch(path, { metadata: { finalizers: ["example.com/wait"] } }))).toBeUndefined();
    expect(await refusalOf(server.api.patch(`${path}/status`, { status: { ready: 1 } }))).toBeUndefined();
    expect(await refusalOf(server.api.delete(path))).toBeUndefined();
    expect(await refusalOf(server.api.patch(path, { metadata: { finalizers: [] } }))).toBeUndefined();
    expect(stored.metadata.uid).toBeTruthy();
  });

  test("the server has nothing against the types in their expressions", async () => {
    interface Checked {
      readonly status?: { readonly typeChecking?: { readonly expressionWarnings?: readonly unknown[] } };
    }
    const path = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
    const items = await waitFor("all policies to be checked", async () => {
      const list = await server.api.get<{ items: Checked[] }>(path);
      return list.items.every(({ status }) => status?.typeChecking !== undefined) && list.items;
    });
    expect(items.length).toBe(KINDS.flatMap(({ source }) => policiesForSource(source)).length / 2);
    expect(items.flatMap(({ status }) => status?.typeChecking?.expressionWarnings ?? [])).toEqual([]);
  });
});
