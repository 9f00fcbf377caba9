/** `outgrow manifests | kubectl apply -f -` on a stock cluster: what is taken, what it amounts to, and how it goes again. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CONTROLLER_RULES, LEADER_RULES, type PolicyRule } from "../../../src/statefulset/index.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import type { User } from "../credentials.ts";
import { createNamespace } from "../fixtures.ts";
import { waitFor } from "../wait.ts";
import { expectGrowth, expectNoSetElsewhere, userOf } from "./growth.ts";
import { check, definitionsServed, manifests, NAMESPACE, objectsOf, versions } from "./installed.ts";

let plane: ControlPlane;
let printed: string;
beforeAll(async () => {
  plane = await startControlPlane({
    controllers: [
      "namespace-controller",
      "clusterrole-aggregation-controller",
      "validatingadmissionpolicy-status-controller",
    ],
    users: [{ name: "viewer" }, { name: "editor" }],
  });
  printed = await manifests();
});
afterAll(() => plane?.stop());

const lines = (text: string) => text.trim().split("\n");

describe("kubectl apply", () => {
  const apply = (...flags: string[]) =>
    plane.tryKubectl(["apply", "--validate=strict", ...flags, "-f", "-"], { input: printed });

  test("takes everything, without a warning", async () => {
    const { code, stdout, stderr } = await apply();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(lines(stdout).map((line) => line.split(" ")[1])).toEqual(objectsOf().map(() => "created"));
  });

  test("the type checker has looked at the policies then, and has nothing to say", async () => {
    interface Policy {
      readonly metadata: { readonly name: string; readonly generation: number };
      readonly status?: { readonly observedGeneration?: number; readonly typeChecking?: object };
    }
    const ours = objectsOf().filter(({ kind }) => kind === "ValidatingAdmissionPolicy");
    expect(ours).not.toEqual([]);
    for (const { metadata } of ours) {
      const path = `/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/${metadata.name}`;
      const { status } = await waitFor(
        `the type checker to look at ${metadata.name}`,
        async () => {
          const policy = await plane.api.get<Policy>(path);
          return policy.status?.observedGeneration === policy.metadata.generation && policy;
        },
        { timeoutMs: 60_000 },
      );
      expect(status?.typeChecking).toEqual({});
    }
  });

  test("a second time changes nothing", async () => {
    await definitionsServed(plane);
    const before = await versions(plane);
    const { stdout, stderr } = await apply();
    expect(stderr).toBe("");
    // Of a budget, kubectl sends the selector each time.
    expect(lines(stdout).filter((line) => !/ unchanged$|^poddisruptionbudget/.test(line))).toEqual([]);
    expect(await versions(plane)).toEqual(before);
  });

  test("may be changed for server-side apply, which finds nothing in its way, and nothing to change", async () => {
    expect(await apply("--server-side")).toMatchObject({ code: 0, stderr: "" });
    const before = await versions(plane);
    expect(await apply("--server-side")).toMatchObject({ code: 0, stderr: "" });
    expect(await versions(plane)).toEqual(before);
  });

  test("may go to another namespace and get a webhook, for an older cluster, at any time", async () => {
    const input = await manifests("--kubernetes-version", "1.34", "--namespace", "elsewhere");
    await plane.kubectl(["create", "namespace", "elsewhere"]);
    const { code, stderr } = await plane.tryKubectl(
      ["apply", "--server-side", "--dry-run=server", "--validate=strict", "-f", "-"],
      { input },
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  test("leaves whom to trust to the webhook, which writes it into its configurations", async () => {
    const documents = (await manifests("--kubernetes-version", "1.34")).split("---\n");
    const input = documents.filter((document) => document.includes("WebhookConfiguration\n")).join("---\n");
    const path = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/outgrow-webhook";
    const caBundle = Buffer.from(plane.ca).toString("base64");
    await plane.kubectl(["apply", "-f", "-"], { input });
    const value = { op: "add", path: "/webhooks/0/clientConfig/caBundle", value: caBundle };
    await plane.api.patch(path, [value], "json");
    for (const flags of [[], ["--server-side"]]) {
      await plane.kubectl(["apply", ...flags, "-f", "-"], { input });
      const { webhooks } = await plane.api.get<{ webhooks: { clientConfig: object }[] }>(path);
      expect(webhooks.map(({ clientConfig }) => clientConfig)).toEqual([expect.objectContaining({ caBundle })]);
    }
    await plane.kubectl(["delete", "-f", "-"], { input });
  });
});

describe("under the restricted pod security standard", () => {
  const deployment = () => objectsOf().find(({ kind }) => kind === "Deployment");

  test("the Deployment draws no warning", async () => {
    await plane.kubectl(["label", "namespace", NAMESPACE, "pod-security.kubernetes.io/warn=restricted"]);
    const { stderr } = await plane.tryKubectl(["replace", "--dry-run=server", "-f", "-"], {
      input: JSON.stringify(deployment()),
    });
    expect(stderr).toBe("");
  });

  test("its pods are let in, and others are not", async () => {
    const { spec } = deployment() as unknown as { spec: { template: { metadata: object; spec: object } } };
    const pod = { apiVersion: "v1", kind: "Pod", ...spec.template };
    const create = (metadata: object, own: object) =>
      plane.tryKubectl(["create", "--dry-run=server", "-f", "-"], {
        input: JSON.stringify({ ...pod, metadata: { ...spec.template.metadata, ...metadata }, spec: own }),
      });
    expect(await create({ name: "ours", namespace: NAMESPACE }, spec.template.spec)).toMatchObject({ code: 0 });
    const { stderr } = await create({ name: "other", namespace: NAMESPACE }, { ...spec.template.spec, hostPID: true });
    expect(stderr).toContain('violates PodSecurity "restricted:latest"');
  });
});

describe("the controller's account", () => {
  let account: User;
  let stranger: User;
  beforeAll(async () => {
    await plane.kubectl(["create", "serviceaccount", "stranger", "--namespace", NAMESPACE]);
    [account, stranger] = await Promise.all([userOf(plane), userOf(plane, "stranger")]);
  });

  /** What a user may do beyond what every account may, as `kubectl auth can-i --list` has it: `resources.group verbs`. */
  async function rightsOf({ kubeconfig }: User, namespace: string): Promise<string[]> {
    const list = ["auth", "can-i", "--list", "--no-headers", "--namespace", namespace];
    const [own, common] = await Promise.all([
      plane.kubectl(list, { kubeconfig }),
      plane.kubectl(list, { kubeconfig: stranger.kubeconfig }),
    ]);
    const rights = (listed: string) => lines(listed.replaceAll("[]", "").replaceAll(/ +/g, " ")).sort();
    const others = new Set(rights(common));
    return rights(own).filter((line) => !others.has(line));
  }

  const asListed = (rules: readonly PolicyRule[]) =>
    rules.flatMap(({ apiGroups, resources, verbs }) =>
      resources.map((resource) => {
        const [name, subresource] = resource.split("/");
        const group = apiGroups[0] === "" ? "" : `.${apiGroups[0]}`;
        return `${name}${group}${subresource === undefined ? "" : `/${subresource}`} [${verbs.join(" ")}]`;
      }),
    );

  test("may do its work, and nothing else, in any namespace; and have its lease in its own", async () => {
    expect(await rightsOf(account, "default")).toEqual(asListed(CONTROLLER_RULES).sort());
    expect(await rightsOf(account, NAMESPACE)).toEqual(asListed([...CONTROLLER_RULES, ...LEADER_RULES]).sort());
  });

  test("grows a set whose size somebody edits, with just these rights", async () => {
    await expectGrowth(plane, account, "default");
  });

  test("lends its rights in other namespaces to nobody who writes a record", async () => {
    await createNamespace(plane, "tenant");
    await expectNoSetElsewhere(plane, account, "tenant");
  });
});

describe("people of a namespace", () => {
  beforeAll(async () => {
    for (const role of ["view", "edit"]) {
      await plane.kubectl([
        "create",
        "rolebinding",
        role,
        `--clusterrole=${role}`,
        `--user=${role === "view" ? "viewer" : "editor"}`,
      ]);
    }
  });

  const can = async (name: string, verb: string, subresource?: string) => {
    const kubeconfig = plane.users.get(name)?.kubeconfig ?? "";
    const { stdout } = await plane.tryKubectl(
      ["auth", "can-i", verb, "volumeexpansions", ...(subresource === undefined ? [] : ["--subresource", subresource])],
      { kubeconfig },
    );
    return stdout.trim() === "yes";
  };

  test("who may view sees records; who may edit says how they grow; neither writes what the controller saved", async () => {
    await waitFor("the roles to be joined", () => can("editor", "patch"), { timeoutMs: 60_000 });
    expect(await Promise.all(["get", "list", "watch", "patch"].map((verb) => can("viewer", verb)))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(await Promise.all(["get", "create", "delete"].map((verb) => can("editor", verb)))).toEqual([
      true,
      true,
      true,
    ]);
    expect(await can("editor", "patch", "status")).toBe(false);
  });
});

describe("removal", () => {
  const REMOVE = [
    "To remove it, once nothing is in flight:",
    "  outgrow manifests | kubectl delete --ignore-not-found -f -",
  ];

  test("outgrow uninstall --check tells of the growth that is in flight", async () => {
    const { code, out, err } = await check(plane);
    expect({ code, err }).toEqual({ code: 1, err: "" });
    expect(out.split("\n")).toEqual([
      "default sts/db: wants data=2Gi (now 1Gi)",
      "  without Outgrow: new replicas come up with the template's size",
      expect.stringMatching(/^default vx\/db: growing: /),
      "  without Outgrow: claims that were asked go on by themselves, the others and the template stay as they are",
      "",
      expect.stringMatching(/^2 things are in flight\. Let the controller finish /),
      "",
      ...REMOVE,
      "  kubectl annotate statefulsets --all --all-namespaces outgrow.dev/claims-",
      "",
    ]);
  });

  test("the command that it says removes everything", async () => {
    await plane.kubectl(["delete", "statefulset,volumeexpansion", "db"]);
    const lost = "Nothing is in flight: Outgrow can go, and nothing is lost.";
    expect(await check(plane)).toEqual({ code: 0, err: "", out: [lost, "", ...REMOVE, ""].join("\n") });
    await plane.kubectl(["delete", "--ignore-not-found", "--wait=false", "-f", "-"], { input: printed });
    // A namespace takes a while to go, and the rest is gone before it.
    const input = printed.slice(printed.indexOf("---\n"));
    await waitFor("everything to be gone", async () => {
      const left = await plane.kubectl(["get", "--ignore-not-found", "-o", "name", "-f", "-"], { input });
      return left === "";
    });
    expect((await check(plane)).out).toContain("Nothing of Outgrow is installed in this cluster.\n");
  });
});
