/** `outgrow resizer` as it is deployed, with its ServiceAccount and no more rights than that, on our own server. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Quantity } from "../../../src/core/quantity.ts";
import type { PersistentVolume, PersistentVolumeClaim } from "../../../src/core/types.ts";
import { type ScriptedDriver, startScriptedDriver } from "../../../src/csi/testing/index.ts";
import type { ClusterAccess } from "../control-plane.ts";
import { createBoundClaim, createNamespace, createStorageClass } from "../fixtures.ts";
import { runKubectl } from "../kubectl.ts";
import { userFor } from "../rbac.ts";
import { type ResizerProcess, startResizer } from "../resizer/resizer-process.ts";
import { waitFor } from "../wait.ts";
import { program, type Server, startOurs } from "./server.ts";

const DRIVER = "csi.example.com";
const DEPLOY = join(import.meta.dirname, "../../../deploy/resizer");
const CLAIM = "/api/v1/namespaces/grown/persistentvolumeclaims/data";
let server: Server;
let access: ClusterAccess;
let driver: ScriptedDriver;
let resizer: ResizerProcess;

beforeAll(async () => {
  server = await startOurs();
  access = await accessTo(server);
  const { folder } = await server.home("driver");
  driver = await startScriptedDriver({ address: join(folder, "csi.sock"), script: { name: DRIVER } });
  const manifest = await readFile(join(DEPLOY, "rbac.yaml"), "utf8");
  const { kubeconfig } = await userFor(access, { namespace: "csi-example", account: "outgrow-resizer", manifest });
  await createNamespace(access, "grown");
  await createStorageClass(access, "elastic", DRIVER);
  resizer = startResizer({ kubeconfig, socket: driver.socketPath, flags: ["--leader-election", "--v=5"] });
});
afterAll(async () => {
  await resizer?.kill();
  await driver?.stop();
  await server?.stop();
});

async function accessTo(to: Server): Promise<ClusterAccess> {
  const { folder, kubeconfig: own } = await to.home("admin");
  const admin = { name: "admin", token: to.token, kubeconfig: own };
  return {
    admin,
    api: to.api,
    runs: () => false,
    async addUser(name, token, namespace) {
      const { kubeconfig } = await to.home(name.replaceAll(":", "-"), namespace, token);
      return { name, token, kubeconfig };
    },
    async kubectl(args, options) {
      const result = await runKubectl(program("kubectl"), folder, args, { kubeconfig: admin.kubeconfig, ...options });
      if (result.code !== 0) throw new Error(`kubectl ${args.join(" ")}: ${result.stderr}`);
      return result.stdout;
    },
  };
}

test("a claim grows on the driver, in its volume and in its status; the node's half is asked for", async () => {
  await createBoundClaim(access, {
    name: "data",
    namespace: "grown",
    size: "10Gi",
    driver: DRIVER,
    className: "elastic",
  });
  const bytes = Quantity.parse("10Gi").toBytes();
  driver.setVolume("pv-grown-data", { backendBytes: bytes, fileSystemBytes: bytes });
  await resizer.says("holding the lease");
  await server.api.patch(CLAIM, { spec: { resources: { requests: { storage: "20Gi" } } } });

  const claim = await waitFor("the claim to wait for its node", async () => {
    const found = await server.api.get<PersistentVolumeClaim>(CLAIM);
    return found.status?.allocatedResourceStatuses?.["storage"] === "NodeResizePending" ? found : undefined;
  });
  expect(claim.status).toMatchObject({
    allocatedResources: { storage: "20Gi" },
    capacity: { storage: "10Gi" },
    conditions: [{ type: "Resizing" }, { type: "FileSystemResizePending", status: "True" }],
  });
  const volume = await server.api.get<PersistentVolume>("/api/v1/persistentvolumes/pv-grown-data");
  expect(volume.spec.capacity).toEqual({ storage: "20Gi" });
  expect(driver.calls().filter(({ method }) => method === "ControllerExpandVolume")).toHaveLength(1);
  const told = await waitFor("both events", async () => {
    const { items } = await server.api.get<{ items: { reason: string }[] }>("/api/v1/namespaces/grown/events");
    return items.length === 2 && items.map(({ reason }) => reason).toSorted();
  });
  expect(told).toEqual(["FileSystemResizeRequired", "Resizing"]);
});

test("a request for less than there is, is refused as Kubernetes refuses it", async () => {
  const patch = server.api.patch(CLAIM, { spec: { resources: { requests: { storage: "5Gi" } } } });
  await expect(patch).rejects.toThrow(
    'PersistentVolumeClaim "data" is invalid: spec.resources.requests.storage: Forbidden: field can not be less than status.capacity',
  );
});
