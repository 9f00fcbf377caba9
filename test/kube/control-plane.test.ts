import { type ChildProcessByStdio, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openApi } from "./api.ts";
import { type ControlPlane, startControlPlane } from "./control-plane.ts";
import { createBoundClaim, createNamespace, createPod, createStorageClass } from "./fixtures.ts";
import { userFor } from "./rbac.ts";
import { waitFor } from "./wait.ts";

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function folderOf(plane: ControlPlane): string {
  return dirname(plane.admin.kubeconfig);
}

async function firstLine(child: ChildProcessByStdio<null, Readable, null>): Promise<string> {
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error("it ended without a word");
}

describe("a control plane", () => {
  let plane: ControlPlane;
  beforeAll(async () => {
    plane = await startControlPlane({ users: [{ name: "nobody" }, { name: "viewer", groups: ["viewers"] }] });
  });
  afterAll(() => plane?.stop());

  it("tells kubectl its version", async () => {
    const answer = JSON.parse(await plane.kubectl(["version", "-o", "json"]));
    expect(answer.serverVersion.gitVersion).toBe(plane.version);
    expect(answer.clientVersion.gitVersion).toBe(plane.version);
    expect(plane.version).toMatch(/^v1\.\d+\.\d+/);
  });

  it("has the namespaces of a fresh cluster", async () => {
    const names = (await plane.kubectl(["get", "namespaces", "-o", "name"])).trim().split("\n");
    expect(names).toEqual(expect.arrayContaining(["namespace/default", "namespace/kube-system"]));
  });

  it("takes manifests on standard input, and throws what kubectl says when it refuses", async () => {
    const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "from-input" } };
    expect(await plane.kubectl(["apply", "-f", "-"], { input: JSON.stringify(configMap) })).toBe(
      "configmap/from-input created\n",
    );
    await expect(plane.kubectl(["get", "configmap", "missing"])).rejects.toThrow('configmaps "missing" not found');
  });

  it("denies what no role allows", async () => {
    const nobody = plane.users.get("nobody");
    const { code, stderr } = await plane.tryKubectl(["get", "pods"], { kubeconfig: nobody!.kubeconfig });
    expect(code).toBe(1);
    expect(stderr).toContain(
      'pods is forbidden: User "nobody" cannot list resource "pods" in API group "" in the namespace "default"',
    );
  });

  it("knows users by their groups", async () => {
    const viewer = plane.users.get("viewer");
    await plane.kubectl(["create", "clusterrolebinding", "viewers", "--clusterrole=view", "--group=viewers"]);
    const canList = () => plane.tryKubectl(["auth", "can-i", "list", "pods"], { kubeconfig: viewer!.kubeconfig });
    await waitFor("the binding to count", async () => (await canList()).stdout === "yes\n");
  });

  it("gives a program the rights of its manifest, and no others", async () => {
    const manifest = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: reader }
rules: [{ apiGroups: [""], resources: [persistentvolumes], verbs: [get, list, watch] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: elector }
rules: [{ apiGroups: [coordination.k8s.io], resources: [leases], verbs: [create] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: elector }
subjects: [{ kind: ServiceAccount, name: program, namespace: programs }]
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: elector }
`;
    const user = await userFor(plane, { namespace: "programs", account: "program", manifest });
    expect(user.name).toBe("system:serviceaccount:programs:program");
    const can = async (...what: string[]) => {
      const { stdout } = await plane.tryKubectl(["auth", "can-i", ...what], { kubeconfig: user.kubeconfig });
      return stdout.trim();
    };
    expect(await can("list", "persistentvolumes")).toBe("yes");
    expect(await can("create", "leases")).toBe("yes");
    expect(await can("create", "leases", "-n", "default")).toBe("no");
    expect(await can("patch", "persistentvolumes")).toBe("no");
  });

  it("counts requests by user, verb and resource", async () => {
    await createNamespace(plane, "counted");
    const before = await plane.auditMark();
    for (const name of ["a", "b", "c"]) {
      await plane.api.create("/api/v1/namespaces/counted/configmaps", { metadata: { name } });
    }
    await plane.api.patch("/api/v1/namespaces/counted/configmaps/a", { data: { key: "value" } });
    await expect(plane.api.get("/api/v1/namespaces/counted/configmaps/d")).rejects.toMatchObject({ status: 404 });

    const filter = { user: plane.admin.name, since: before };
    expect(await plane.auditCounts(filter)).toEqual({
      "create configmaps": 3,
      "patch configmaps": 1,
      "get configmaps": 1,
    });
    expect(await plane.auditCounts({ ...filter, verb: "patch" })).toEqual({ "patch configmaps": 1 });
    expect(await plane.auditCounts({ since: before, user: "nobody" })).toEqual({});
    const missed = await waitFor("the answer to be logged", async () => {
      const entries = await plane.auditEntries({ ...filter, verb: "get" });
      return entries.find((entry) => entry.code !== undefined);
    });
    expect(missed).toMatchObject({ namespace: "counted", name: "d", code: 404 });
  });

  it("binds a claim to its volume", async () => {
    const { claim, volume } = await createBoundClaim(plane, { name: "bound", size: "1Gi", driver: "csi.example.com" });
    expect(claim.status).toMatchObject({ phase: "Bound", capacity: { storage: "1Gi" } });
    expect(volume.spec.claimRef?.uid).toBe(claim.metadata.uid);
  });

  it("runs beside another that knows nothing of it", async () => {
    const other = await startControlPlane({ controllers: [] });
    try {
      await createNamespace(other, "only-there");
      expect(await other.kubectl(["get", "namespaces", "-o", "name"])).toContain("namespace/only-there");
      expect(await plane.kubectl(["get", "namespaces", "-o", "name"])).not.toContain("only-there");
      const stranger = await other.tryKubectl([
        "get",
        "namespaces",
        "--server",
        plane.url,
        "--insecure-skip-tls-verify",
      ]);
      expect(stranger.stderr).toContain("must be logged in");
    } finally {
      await other.stop();
    }
  });
});

describe("a control plane made to order", () => {
  let plane: ControlPlane;
  beforeAll(async () => {
    plane = await startControlPlane({
      controllers: [],
      admission: { enable: ["ServiceAccount"], disable: ["PersistentVolumeClaimResize"] },
      runtimeConfig: { "batch/v1": false },
      featureGates: { AllAlpha: false },
      apiserverFlags: ["--anonymous-auth=false"],
      durable: true,
      audit: false,
    });
  });
  afterAll(() => plane?.stop());

  it("has the admission plugins that were asked for, and no others", async () => {
    await createStorageClass(plane, "rigid", "csi.example.com", { allowVolumeExpansion: false });
    await createBoundClaim(plane, { name: "grows", size: "1Gi", driver: "csi.example.com", className: "rigid" });
    const path = "/api/v1/namespaces/default/persistentvolumeclaims/grows";
    const larger = { spec: { resources: { requests: { storage: "2Gi" } } } };
    expect(await plane.api.patch(path, larger)).toMatchObject(larger);
    await expect(createPod(plane, { name: "pod", node: "node" })).rejects.toThrow('serviceaccount "default" not found');
  });

  it("serves the API groups that were asked for", async () => {
    await expect(plane.api.get("/apis/batch/v1")).rejects.toMatchObject({ status: 404 });
  });

  it("takes more flags", async () => {
    const stranger = openApi(plane, "wrong-token");
    await expect(stranger.text("/readyz")).rejects.toMatchObject({ status: 401 });
    await stranger.close();
  });

  it("keeps no audit log where none is wanted", async () => {
    expect(await plane.auditCounts()).toEqual({});
  });
});

describe("the end of a control plane", () => {
  it("leaves neither process nor file behind, and may be asked for twice", async () => {
    const plane = await startControlPlane();
    const pids = [...plane.processes.values()];
    expect([...plane.processes.keys()].sort()).toEqual(["etcd", "kube-apiserver", "kube-controller-manager"]);
    expect(pids.map(isAlive)).toEqual([true, true, true]);
    await Promise.all([plane.stop(), plane.stop()]);
    await plane.stop();
    expect(pids.map(isAlive)).toEqual([false, false, false]);
    expect(existsSync(folderOf(plane))).toBe(false);
  });

  it("comes with the end of the process that started it, even when that is killed", async () => {
    const module = new URL("./control-plane.ts", import.meta.url).href;
    const script = `
      const { startControlPlane } = await import(${JSON.stringify(module)});
      const plane = await startControlPlane({ controllers: [] });
      console.log(JSON.stringify({ pids: [...plane.processes.values()], file: plane.admin.kubeconfig }));
    `;
    const starter = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const line = await firstLine(starter);
    const { pids, file } = JSON.parse(line) as { pids: number[]; file: string };
    expect(pids.map(isAlive)).toEqual([true, true]);
    starter.kill("SIGKILL");
    await waitFor("the programs to end", () => !pids.some(isAlive));
    await waitFor("the folder to be removed", () => !existsSync(dirname(file)));
  });
});

describe("a control plane that cannot be started", () => {
  it("shows what the program said", async () => {
    const refused = startControlPlane({ featureGates: { NoSuchGate: true }, controllers: [] });
    await expect(refused).rejects.toThrow(/kube-apiserver ended[^]*NoSuchGate/);
  });
});
