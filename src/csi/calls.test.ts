/** Every parameter arrives in its field, and every field of an answer comes back: nothing is lost in between. */
import { create, type Message } from "@bufbuild/protobuf";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CsiClient, openCsiClient } from "./client.ts";
import { TopologySchema, VolumeUsage_Unit } from "./generated/csi_pb.ts";
import { type CsiServer, type CsiServerOptions, serveCsi } from "./server.ts";
import { type TempDir, tempDir } from "./testing/temp-dir.ts";
import { volumeCapability } from "./volume-capability.ts";

let dir: TempDir;
let client: CsiClient;
let server: CsiServer | undefined;
let requests: Message[];

beforeEach(() => {
  dir = tempDir();
  client = openCsiClient({ address: dir.file("csi.sock") });
  requests = [];
});
afterEach(async () => {
  client.stop();
  await server?.stop();
  dir.remove();
});

const serve = async (options: Pick<CsiServerOptions, "controller" | "node">): Promise<void> => {
  server = await serveCsi({
    address: dir.file("csi.sock"),
    identity: {},
    ...options,
    interceptors: [
      (call, next) => {
        requests.push(call.request);
        return next();
      },
    ],
  });
};

const capability = volumeCapability({ accessModes: ["ReadWriteMany"], volumeMode: "Filesystem", fsType: "nfs" }, false);
const zone = create(TopologySchema, { segments: { zone: "a" } });
const secrets = { user: "me" };
const volumeContext = { pool: "fast" };
const publishContext = { device: "/dev/sda" };

describe("the controller's calls", () => {
  test("createVolume", async () => {
    await serve({
      controller: { createVolume: () => ({ volume: { volumeId: "v", capacityBytes: 7n, volumeContext } }) },
    });
    const volume = await client.createVolume({
      name: "pvc-1",
      requiredBytes: 5n,
      limitBytes: 9n,
      capabilities: [capability],
      parameters: { fsType: "nfs" },
      secrets,
      topology: { requisite: [zone], preferred: [zone] },
    });
    expect(volume).toMatchObject({ volumeId: "v", capacityBytes: 7n, volumeContext });
    expect(requests).toMatchObject([
      {
        name: "pvc-1",
        capacityRange: { requiredBytes: 5n, limitBytes: 9n },
        volumeCapabilities: [{ accessType: { value: { fsType: "nfs" } } }],
        parameters: { fsType: "nfs" },
        secrets,
        accessibilityRequirements: { requisite: [zone], preferred: [zone] },
      },
    ]);
  });

  test("an answer without the volume that CSI demands is in doubt", async () => {
    await serve({ controller: { createVolume: () => ({}), controllerGetVolume: () => ({}) } });
    const created = client.createVolume({ name: "n", requiredBytes: 1n, capabilities: [] });
    await expect(created).rejects.toMatchObject({ code: "Unavailable", final: false });
    await expect(client.controllerGetVolume({ volumeId: "v" })).rejects.toMatchObject({ final: false });
  });

  test("deleteVolume, controllerPublish, controllerUnpublish", async () => {
    await serve({
      controller: {
        deleteVolume: () => ({}),
        controllerPublishVolume: () => ({ publishContext }),
        controllerUnpublishVolume: () => ({}),
      },
    });
    await client.deleteVolume({ volumeId: "v", secrets });
    const publish = { volumeId: "v", nodeId: "n", capability, readOnly: true, secrets, volumeContext };
    expect(await client.controllerPublish(publish)).toEqual(publishContext);
    await client.controllerUnpublish({ volumeId: "v", nodeId: "n", secrets });
    expect(requests).toMatchObject([
      { $typeName: "csi.v1.DeleteVolumeRequest", volumeId: "v", secrets },
      { volumeId: "v", nodeId: "n", volumeCapability: capability, readonly: true, secrets, volumeContext },
      { $typeName: "csi.v1.ControllerUnpublishVolumeRequest", volumeId: "v", nodeId: "n", secrets },
    ]);
  });

  test("validateCapabilities says why not", async () => {
    const answers = [{ confirmed: {} }, { message: "read only" }, {}];
    await serve({ controller: { validateVolumeCapabilities: () => answers.shift() ?? {} } });
    const validate = () => client.validateCapabilities({ volumeId: "v", capabilities: [capability], volumeContext });
    expect(await validate()).toBeUndefined();
    expect(await validate()).toBe("read only");
    expect(await validate()).toBe("the driver does not say why");
    expect(requests[0]).toMatchObject({ volumeId: "v", volumeCapabilities: [capability], volumeContext });
  });

  test("listVolumes reads on until there is no more", async () => {
    await serve({
      controller: {
        listVolumes: ({ startingToken }) => ({
          entries: [{ volume: { volumeId: `after-${startingToken}` } }],
          nextToken: startingToken === "2" ? "" : `${Number(startingToken) + 1}`,
        }),
      },
    });
    expect((await client.listVolumes()).map((volume) => volume.volumeId)).toEqual(["after-", "after-1", "after-2"]);
  });

  test("getCapacity, controllerGetVolume", async () => {
    await serve({
      controller: {
        getCapacity: () => ({ availableCapacity: 9n, maximumVolumeSize: 5n }),
        controllerGetVolume: ({ volumeId }) => ({ volume: { volumeId, capacityBytes: 3n } }),
      },
    });
    expect(await client.getCapacity({ parameters: { a: "b" }, capabilities: [capability], topology: zone })).toEqual({
      availableBytes: 9n,
      maximumVolumeBytes: 5n,
      minimumVolumeBytes: undefined,
    });
    expect(requests).toMatchObject([
      { parameters: { a: "b" }, volumeCapabilities: [capability], accessibleTopology: zone },
    ]);
    expect(await client.controllerGetVolume({ volumeId: "v" })).toMatchObject({ volumeId: "v", capacityBytes: 3n });
  });
});

describe("the node's calls", () => {
  test("nodeStage, nodePublish, nodeUnpublish, nodeUnstage", async () => {
    await serve({
      node: {
        nodeStageVolume: () => ({}),
        nodePublishVolume: () => ({}),
        nodeUnpublishVolume: () => ({}),
        nodeUnstageVolume: () => ({}),
      },
    });
    const common = { volumeId: "v", stagingPath: "/stage", capability, publishContext, volumeContext, secrets };
    await client.nodeStage(common);
    await client.nodePublish({ ...common, targetPath: "/target", readOnly: true });
    await client.nodeUnpublish({ volumeId: "v", targetPath: "/target" });
    await client.nodeUnstage({ volumeId: "v", stagingPath: "/stage" });
    const sent = { volumeCapability: capability, publishContext, volumeContext, secrets, stagingTargetPath: "/stage" };
    expect(requests).toMatchObject([
      { $typeName: "csi.v1.NodeStageVolumeRequest", volumeId: "v", ...sent },
      { $typeName: "csi.v1.NodePublishVolumeRequest", volumeId: "v", ...sent, targetPath: "/target", readonly: true },
      { $typeName: "csi.v1.NodeUnpublishVolumeRequest", volumeId: "v", targetPath: "/target" },
      { $typeName: "csi.v1.NodeUnstageVolumeRequest", volumeId: "v", stagingTargetPath: "/stage" },
    ]);
  });

  test("nodeExpand", async () => {
    await serve({ node: { nodeExpandVolume: () => ({ capacityBytes: 8n }) } });
    const params = { volumeId: "v", volumePath: "/target", stagingPath: "/stage", requiredBytes: 7n };
    expect(await client.nodeExpand({ ...params, capability, secrets })).toEqual({ capacityBytes: 8n });
    expect(requests).toMatchObject([
      {
        volumeId: "v",
        volumePath: "/target",
        stagingTargetPath: "/stage",
        capacityRange: { requiredBytes: 7n, limitBytes: 0n },
        volumeCapability: capability,
        secrets,
      },
    ]);
  });

  test("nodeInfo, nodeGetVolumeStats", async () => {
    const usage = [
      { unit: VolumeUsage_Unit.INODES, total: 3n, used: 1n, available: 2n },
      { unit: VolumeUsage_Unit.BYTES, total: 30n, used: 10n, available: 20n },
    ];
    await serve({
      node: {
        nodeGetInfo: () => ({ nodeId: "n", maxVolumesPerNode: 4n, accessibleTopology: zone }),
        nodeGetVolumeStats: () => ({ usage, volumeCondition: { abnormal: true, message: "degraded" } }),
      },
    });
    expect(await client.nodeInfo()).toEqual({ nodeId: "n", maxVolumes: 4n, segments: { zone: "a" } });
    expect(await client.nodeGetVolumeStats({ volumeId: "v", volumePath: "/p", stagingPath: "/s" })).toEqual({
      bytes: { total: 30n, used: 10n, available: 20n },
      inodes: { total: 3n, used: 1n, available: 2n },
      abnormal: "degraded",
    });
    expect(requests[1]).toMatchObject({ volumeId: "v", volumePath: "/p", stagingTargetPath: "/s" });
  });
});
