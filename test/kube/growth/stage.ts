/**
 * What the suites of growth share: a control plane with all controllers of Kubernetes, where our scheduler, node,
 * provisioner and resizer take the place of those that it does not bring, on the memory driver; the record is defined,
 * and the controller has an account with the rights that it ships with. Each story has a namespace of its own on it.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunningNode, startNode, thisMachine } from "../../../src/cluster/controllers/node/index.ts";
import { startScheduler } from "../../../src/cluster/controllers/scheduler/index.ts";
import { startVolumes, VOLUME_PARTS } from "../../../src/cluster/controllers/volumes/index.ts";
import { MEMORY_DRIVER, startMemoryDriver } from "../../../src/cluster/drivers/index.ts";
import { VOLUME_EXPANSION_DEFINITION } from "../../../src/statefulset/install/definition.ts";
import { type ClusterAccess, type ControlPlane, startControlPlane } from "../control-plane.ts";
import type { User } from "../credentials.ts";
import { defineKind } from "../custom-kinds.ts";
import { createNamespace } from "../fixtures.ts";
import type { ControlPlaneOptions } from "../options.ts";
import { type OutgrowProcess, startOutgrow } from "../outgrow-process.ts";
import { connectAsAdmin } from "../resizer/connect.ts";
import { type ControllerOptions, controllerUser, startController } from "./controller.ts";
import { openScene, type Scene } from "./scene.ts";

/** The cluster that growth is played on: Kubernetes' own, or the embedded one. */
export type Place = ClusterAccess & Pick<ControlPlane, "url" | "ca">;

export interface Stage<P extends Place = Place> extends AsyncDisposable {
  readonly plane: P;
  /** Whom the controller is to be. */
  readonly user: User;
  /** A namespace for one story. */
  scene(namespace: string): Promise<Scene>;
  /** A class of the memory driver with these parameters, which README.md of the drivers explains. */
  createClass(name: string, parameters?: Readonly<Record<string, string>>, expandable?: boolean): Promise<void>;
  /** Starts a controller; it is killed with the stage. */
  controller(options?: Partial<ControllerOptions>): Promise<OutgrowProcess>;
}

/** A stage on Kubernetes' own control plane, to which nodes can be added. */
export interface OpenStage extends Stage<ControlPlane> {
  /** One more node, which is ready; it is stopped with the stage. */
  node(name: string): Promise<RunningNode>;
}

const NODE = "node-1";

/** There is a class `memory` from the start, and one node. */
export async function openStage(options: ControlPlaneOptions = {}): Promise<OpenStage> {
  await using cleanup = new AsyncDisposableStack();
  const plane = cleanup.adopt(await startControlPlane(options), (each) => each.stop());
  const folder = cleanup.adopt(await mkdtemp(join(tmpdir(), "outgrow-growth-")), (path) =>
    rm(path, { recursive: true }),
  );
  const client = cleanup.adopt(await connectAsAdmin(plane), (each) => each.close());
  const user = await controllerUser(plane);
  await defineKind(plane.api, VOLUME_EXPANSION_DEFINITION);
  // Nobody has to attach anything: Kubernetes does not ask for it, and pods do not wait for it.
  const csiDriver = { metadata: { name: MEMORY_DRIVER }, spec: { attachRequired: false } };
  await plane.api.create("/apis/storage.k8s.io/v1/csidrivers", csiDriver);

  const address = join(folder, "csi.sock");
  cleanup.adopt(await startMemoryDriver({ address, version: "1", nodeId: NODE }), (each) => each.stop());
  const drivers = [{ name: MEMORY_DRIVER, address }];
  const without = new Set(VOLUME_PARTS.filter((part) => part !== "provisioner"));
  cleanup.adopt(startVolumes({ client, drivers, without }), (each) => each.stop());
  cleanup.adopt(startScheduler({ client }), (each) => each.stop());
  const machine = thisMachine(plane.version);
  const startOne = (name: string): Promise<RunningNode> =>
    startNode({ client, name, machine, folder: join(folder, name), drivers });
  const node = cleanup.adopt(await startOne(NODE), (each) => each.stop());
  const { kubeconfig } = plane.admin;
  const resizer = startOutgrow(["resizer", "--csi-address", address, "--kubeconfig", kubeconfig]);
  cleanup.defer(async () => void (await resizer.kill()));
  await resizer.says("found the CSI driver");
  await node.ready;

  const stage: Omit<OpenStage, typeof Symbol.asyncDispose> = {
    plane,
    user,
    async scene(namespace) {
      await createNamespace(plane, namespace);
      return openScene(plane, namespace, { takesEdits: false });
    },
    createClass: (name, parameters, expandable) => createMemoryClass(plane, name, parameters, expandable),
    async controller(options = {}) {
      const started = startController({ kubeconfig: user.kubeconfig, ...options });
      owned.defer(async () => void (await started.kill()));
      return started;
    },
    async node(name) {
      const another = owned.adopt(await startOne(name), (each) => each.stop());
      await another.ready;
      return another;
    },
  };
  await stage.createClass("memory");
  const owned = cleanup.move();
  return { ...stage, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** A class of the memory driver. */
export async function createMemoryClass(
  plane: Pick<Place, "api">,
  name: string,
  parameters: Readonly<Record<string, string>> = {},
  allowVolumeExpansion = true,
): Promise<void> {
  const object = { metadata: { name }, provisioner: MEMORY_DRIVER, parameters, allowVolumeExpansion };
  await plane.api.create("/apis/storage.k8s.io/v1/storageclasses", object);
}
