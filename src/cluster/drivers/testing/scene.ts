/** One driver with a client, and the calls of a volume's life in short; everything is given back by `end`. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CsiClient, openCsiClient, type Volume, volumeCapability } from "../../../csi/index.ts";
import { silentLogger } from "../../../kube/logger.ts";
import { whyNoDisks } from "../../../node/filesystem/testing/scratch-disk.ts";
import { type Driver, type LoopDriverOptions, startLoopDriver, startMemoryDriver } from "../index.ts";

export const DRIVER_KINDS = ["memory", "folders", "devices"] as const;
export type DriverKind = (typeof DRIVER_KINDS)[number];

export const MI = 2n ** 20n;

export interface VolumeWish {
  readonly bytes?: bigint;
  readonly limitBytes?: bigint;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly block?: boolean;
}

export interface Scene {
  readonly folder: string;
  readonly client: CsiClient;
  driver(): Driver;
  create(name: string, wish?: VolumeWish): Promise<Volume>;
  /** Stages and publishes at `target(name)`. */
  use(name: string, how?: Usage): Promise<void>;
  /** The two above, undone. */
  unuse(name: string): Promise<void>;
  stage(name: string, how?: Usage): Promise<void>;
  publish(name: string, how?: Usage): Promise<void>;
  controllerExpand(name: string, bytes: bigint): Promise<{ capacityBytes: bigint; nodeExpansionRequired: boolean }>;
  nodeExpand(name: string, bytes: bigint): Promise<bigint>;
  stagingPath(name: string): string;
  target(name: string): string;
  stop(): Promise<void>;
  start(): Promise<void>;
  end(): Promise<void>;
}

export interface Usage {
  readonly block?: boolean;
  readonly readOnly?: boolean;
  readonly accessModes?: readonly string[];
  readonly mountFlags?: readonly string[];
}

export function whyNot(kind: DriverKind): string | undefined {
  return kind === "devices" ? whyNoDisks("ext4") : undefined;
}

export async function openScene(kind: DriverKind, more: Partial<LoopDriverOptions> = {}): Promise<Scene> {
  const folder = mkdtempSync(join(tmpdir(), "outgrow-csi-"));
  const address = join(folder, "csi.sock");
  const common = { address, folder: join(folder, "data"), version: "test", nodeId: "here" };
  const begin = (): Promise<Driver> =>
    kind === "memory"
      ? startMemoryDriver(common)
      : startLoopDriver({ ...common, log: silentLogger, medium: kind, ...more });
  let driver = await begin();
  const client = openCsiClient({ address, timeoutMs: 60_000 });
  const stagingPath = (name: string): string => join(folder, "staged", name);
  const target = (name: string): string => join(folder, "pods", name);
  mkdirSync(join(folder, "pods"));

  const capability = ({ block = false, accessModes = ["ReadWriteOnce"], mountFlags = [] }: Usage) =>
    volumeCapability({ accessModes, volumeMode: block ? "Block" : "Filesystem", mountFlags }, false);
  const stage: Scene["stage"] = async (name, how = {}) => {
    mkdirSync(stagingPath(name), { recursive: true });
    await client.nodeStage({ volumeId: name, stagingPath: stagingPath(name), capability: capability(how) });
  };
  const publish: Scene["publish"] = (name, how = {}) =>
    client.nodePublish({
      volumeId: name,
      stagingPath: stagingPath(name),
      targetPath: target(name),
      capability: capability(how),
      readOnly: how.readOnly ?? false,
    });

  return {
    folder,
    client,
    driver: () => driver,
    stagingPath,
    target,
    create: (name, { bytes = 16n * MI, limitBytes, parameters = {}, block = false } = {}) =>
      client.createVolume({
        name,
        requiredBytes: bytes,
        ...(limitBytes !== undefined && { limitBytes }),
        parameters,
        capabilities: [capability({ block })],
      }),
    stage,
    publish,
    async use(name, how) {
      await stage(name, how);
      await publish(name, how);
    },
    async unuse(name) {
      await client.nodeUnpublish({ volumeId: name, targetPath: target(name) });
      await client.nodeUnstage({ volumeId: name, stagingPath: stagingPath(name) });
    },
    controllerExpand: (name, requiredBytes) => client.controllerExpand({ volumeId: name, requiredBytes }),
    async nodeExpand(name, requiredBytes) {
      const paths = { volumePath: target(name), stagingPath: stagingPath(name) };
      return (await client.nodeExpand({ volumeId: name, requiredBytes, ...paths })).capacityBytes;
    },
    stop: () => driver.stop(),
    async start() {
      driver = await begin();
      await client.waitUntilReady();
    },
    async end() {
      client.stop();
      await driver.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
