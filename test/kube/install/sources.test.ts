/** Sources on a stock cluster: installed with what they take, and refused when nobody could follow them. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runOutgrow } from "../../../src/cli/fake-terminal.ts";
import { checkSource } from "../../../src/source/decide/check-source.ts";
import { MOCO } from "../../../src/source/presets/moco.ts";
import { PRESETS, sourceOf } from "../../../src/source/presets/presets.ts";
import type { ExpansionSourceSpec } from "../../../src/source/types.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import type { User } from "../credentials.ts";
import { waitFor } from "../wait.ts";
import { userOf } from "./growth.ts";
import { definitionsServed, manifests } from "./installed.ts";

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane({ controllers: ["validatingadmissionpolicy-status-controller"] });
});
afterAll(() => plane?.stop());

const EVERY_SOURCE = PRESETS.flatMap(({ name }) => ["--source", name]);
const apply = async (...words: string[]) =>
  plane.tryKubectl(["apply", "--validate=strict", "-f", "-"], { input: await manifests(...words) });

describe("outgrow manifests --source NAME | kubectl apply -f -", () => {
  test("on a cluster without Outgrow kubectl applies all but the sources, whose kind it does not know yet", async () => {
    const { code, stderr } = await apply(...EVERY_SOURCE);
    expect(code).toBe(1);
    expect(stderr).toContain('no matches for kind "ExpansionSource" in version "outgrow.dev/v1alpha1"');
  });

  test("once more, and every source is there", async () => {
    await definitionsServed(plane);
    expect(await apply(...EVERY_SOURCE)).toMatchObject({ code: 0, stderr: "" });
    const names = await plane.kubectl(["get", "xs", "-o", "jsonpath={.items[*].metadata.name}"]);
    expect(names.split(" ").sort()).toEqual(PRESETS.map(({ name }) => name));
  });

  test("what the server stores of a source is what was written", async () => {
    for (const preset of PRESETS) {
      const stored = await plane.api.get<{ spec: object }>(
        `/apis/outgrow.dev/v1alpha1/expansionsources/${preset.name}`,
      );
      expect(stored.spec).toEqual(preset.spec);
    }
  });

  test("a third time changes nothing", async () => {
    const { stdout } = await apply(...EVERY_SOURCE);
    const changed = stdout
      .trim()
      .split("\n")
      .filter((line) => !/ unchanged$|^poddisruptionbudget/.test(line));
    expect(changed).toEqual([]);
  });

  test("the type checker has nothing to say about the policies of sources", async () => {
    interface Policy {
      readonly metadata: { readonly name: string; readonly generation: number };
      readonly status?: { readonly observedGeneration?: number; readonly typeChecking?: object };
    }
    const path = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies?labelSelector=outgrow.dev/source";
    const items = await waitFor(
      "the type checker to look at all of them",
      async () => {
        const { items: found } = await plane.api.get<{ items: Policy[] }>(path);
        return found.every(({ metadata, status }) => status?.observedGeneration === metadata.generation) && found;
      },
      { timeoutMs: 60_000 },
    );
    expect(items.length).toBeGreaterThan(2);
    expect(items.filter(({ status }) => JSON.stringify(status?.typeChecking ?? {}) !== "{}")).toEqual([]);
  });
});

describe("the controller's account", () => {
  let account: User;
  beforeAll(async () => {
    account = await userOf(plane);
  });
  /** Asked as the account itself, of kinds that need not exist. */
  const can = async (verb: string, resource: string, group: string, subresource = "") => {
    const review = {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SelfSubjectAccessReview",
      spec: { resourceAttributes: { verb, group, resource, subresource, namespace: "default" } },
    };
    const words = ["create", "--validate=false", "-o", "jsonpath={.status.allowed}", "-f", "-"];
    return plane.kubectl(words, { input: JSON.stringify(review), kubeconfig: account.kubeconfig });
  };
  const canListClusters = () => can("list", "mysqlclusters", "moco.cybozu.com");

  test("may read the kinds of sources, report where that is asked for, and write nothing else in them", async () => {
    const verbs = ["get", "list", "watch", "patch", "update", "delete"];
    const may = await Promise.all(verbs.map((verb) => can(verb, "mysqlclusters", "moco.cybozu.com")));
    expect(may).toEqual(["true", "true", "true", "false", "false", "false"]);
    expect(await can("patch", "mysqlclusters", "moco.cybozu.com", "status")).toBe("true");
    expect(await can("list", "rabbitmqclusters", "rabbitmq.com")).toBe("true");
    expect(await can("patch", "rabbitmqclusters", "rabbitmq.com", "status")).toBe("false");
    expect(await can("list", "unknowns", "example.com")).toBe("false");
  });

  test("gets the right to a kind whose source was applied by hand from that source itself", async () => {
    const source = {
      ...sourceOf(MOCO),
      metadata: { name: "shelves" },
      spec: {
        resource: { group: "example.com", version: "v1", kind: "Shelf", plural: "shelves" },
        claims: [{ template: "books", path: ".spec.size" }],
        statefulSetName: "shelf-{name}",
      },
    };
    await plane.kubectl(["apply", "-f", "-"], { input: JSON.stringify(source) });
    expect(await can("list", "shelves", "example.com")).toBe("false");
    const stored = await plane.kubectl(["get", "xs", "shelves", "-o", "yaml"]);
    const words = ["sources", "enable", "-f", "-", "--kubeconfig", plane.admin.kubeconfig];
    const { code, out, err } = await runOutgrow(words, stored);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("clusterrole.rbac.authorization.k8s.io/outgrow-source-shelves created\n");
    await waitFor("the right to be there", async () => (await can("list", "shelves", "example.com")) === "true");
  });

  test("loses the right with outgrow sources disable, and has it again with enable", async () => {
    const sources = (...words: string[]) => runOutgrow(["sources", ...words, "--kubeconfig", plane.admin.kubeconfig]);
    expect(await sources("disable", "moco")).toMatchObject({ code: 0, err: "" });
    expect(
      await plane.kubectl([
        "get",
        "clusterroles,validatingadmissionpolicies",
        "-o",
        "name",
        "-l",
        "outgrow.dev/source=moco",
      ]),
    ).toBe("");
    await waitFor("the right to be gone", async () => (await canListClusters()) === "false");
    const { code, out, err } = await sources("enable", "moco");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out.split("\n")[0]).toBe("clusterrole.rbac.authorization.k8s.io/outgrow-source-moco created");
    await waitFor("the right to be back", async () => (await canListClusters()) === "true");
    const again = await sources("enable", "moco");
    expect(
      again.out
        .split("\n\n")[0]
        ?.split("\n")
        .filter((line) => !line.endsWith(" unchanged")),
    ).toEqual([]);
  });
});

describe("a source that nobody could follow is refused when it is written, and by the controller's check alike", () => {
  const { resource } = MOCO.spec;
  const claim = { template: "data", path: ".spec.size" };
  const create = (spec: object) => {
    const source = { ...sourceOf(MOCO), metadata: { name: "bad" }, spec };
    return plane.tryKubectl(["create", "--dry-run=server", "-f", "-"], { input: JSON.stringify(source) });
  };

  test.each<[string, object, string]>([
    [
      "a path, with the position",
      { ...MOCO.spec, claimTemplatesPath: ".spec..templates" },
      'spec.claimTemplatesPath: Invalid value: ".spec..templates": is no path from "..templates" on',
    ],
    [
      "a path of a claim, with the position",
      { resource, claims: [{ ...claim, path: ".spec.a b" }], statefulSetName: "{name}" },
      'spec.claims[0].path: Invalid value: ".spec.a b": is no path from " b" on',
    ],
    ["no place for sizes", { resource, statefulSetName: "{name}" }, "exactly one of claimTemplatesPath"],
    ["two", { ...MOCO.spec, claims: [claim] }, "exactly one of claimTemplatesPath"],
    [
      "nobody who follows",
      { resource, claims: [claim] },
      "one of statefulSetName, statefulSetSelector and claimSelector",
    ],
    [
      "several who follow",
      { ...MOCO.spec, statefulSetSelector: { matchLabels: { a: "{name}" } } },
      "only one of statefulSetName, statefulSetSelector and claimSelector",
    ],
    [
      "an unknown placeholder",
      { ...MOCO.spec, statefulSetName: "{name}-{nme}" },
      "has a placeholder that nothing fills; there are {name}, {namespace}",
    ],
    ["the same set for all", { ...MOCO.spec, statefulSetName: "mysql" }, "every resource would follow the same set"],
    ["two lists", { ...MOCO.spec, claimTemplatesPath: ".a[*].b[*].c" }, "goes through more than one list"],
    [
      "a selector that takes everything",
      { resource, claims: [claim], claimSelector: { matchLabels: { a: "b" } } },
      "every resource would have the same",
    ],
    [
      "our own kinds",
      { ...MOCO.spec, resource: { ...resource, group: "outgrow.dev" } },
      "these kinds are Outgrow's own",
    ],
    [
      "StatefulSets",
      { ...MOCO.spec, resource: { ...resource, group: "apps" } },
      "spec.resource.group in body should match",
    ],
    ["a choice that is none", { ...MOCO.spec, grownBy: "Me" }, 'spec.grownBy: Unsupported value: "Me"'],
    [
      "a rollout",
      { ...MOCO.spec, rollout: { maxConcurrent: 0 } },
      "spec.rollout.maxConcurrent in body should be greater",
    ],
    [
      "a place for a condition without its type",
      { ...MOCO.spec, condition: undefined, conditionsPath: ".status.conditions" },
      "conditionsPath needs condition",
    ],
  ])("%s", async (_, spec, message) => {
    const { code, stderr } = await create(spec);
    expect(stderr).toContain(message);
    expect(code).toBe(1);
    expect(checkSource(spec as ExpansionSourceSpec)).not.toEqual([]);
  });

  test("one that is right passes both", async () => {
    expect(await create(MOCO.spec)).toMatchObject({ code: 0, stderr: "" });
    expect(checkSource(MOCO.spec)).toEqual([]);
  });
});
