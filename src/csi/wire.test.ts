/** The bytes on the socket, worked out by hand from the numbers of CSI 1.12: whatever is generated, these must come out. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create, type DescMessage, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { methodDefinition, methodPath, serviceDefinition } from "./adapter.ts";
import * as csi from "./generated/csi_pb.ts";

const hex = <T extends DescMessage>(schema: T, init: MessageInitShape<T>): string =>
  Buffer.from(toBinary(schema, create(schema, init))).toString("hex");

const text = (value: string): string => Buffer.from(value).toString("hex");
const GIB = "8080808004"; // 2^30 as a varint

describe("messages as CSI 1.12 numbers them", () => {
  test("ControllerExpandVolumeRequest: volume_id 1, capacity_range 2, secrets 3, volume_capability 4", () => {
    const bytes = hex(csi.ControllerExpandVolumeRequestSchema, {
      volumeId: "v",
      capacityRange: { requiredBytes: 2n ** 30n, limitBytes: 1n },
      secrets: { k: "s" },
      volumeCapability: {
        accessMode: { mode: csi.VolumeCapability_AccessMode_Mode.SINGLE_NODE_MULTI_WRITER },
        accessType: { case: "mount", value: { fsType: "x", mountFlags: ["r"] } },
      },
    });
    const range = `08${GIB}1001`;
    const capability = `12060a01${text("x")}1201${text("r")}1a020807`;
    expect(bytes).toBe(`0a01${text("v")}1208${range}1a060a01${text("k")}1201${text("s")}220c${capability}`);
  });

  test("ControllerExpandVolumeResponse: capacity_bytes 1, node_expansion_required 2", () => {
    const bytes = Buffer.from(`08${GIB}1001`, "hex");
    expect(fromBinary(csi.ControllerExpandVolumeResponseSchema, bytes)).toMatchObject({
      capacityBytes: 2n ** 30n,
      nodeExpansionRequired: true,
    });
  });

  test("NodeExpandVolumeRequest: volume_id 1, volume_path 2, capacity_range 3, staging_target_path 4, capability 5, secrets 6", () => {
    const bytes = hex(csi.NodeExpandVolumeRequestSchema, {
      volumeId: "v",
      volumePath: "p",
      capacityRange: { requiredBytes: 1n },
      stagingTargetPath: "s",
      volumeCapability: { accessType: { case: "block", value: {} } },
      secrets: { k: "s" },
    });
    const paths = `0a01${text("v")}1201${text("p")}1a0208012201${text("s")}`;
    expect(bytes).toBe(`${paths}2a020a0032060a01${text("k")}1201${text("s")}`);
  });

  test("CreateVolumeRequest: name 1, capacity_range 2, volume_capabilities 3, parameters 4, secrets 5", () => {
    const bytes = hex(csi.CreateVolumeRequestSchema, {
      name: "n",
      capacityRange: { requiredBytes: 1n },
      volumeCapabilities: [{}],
      parameters: { a: "b" },
      secrets: { c: "d" },
    });
    const map = (key: string, value: string): string => `060a01${text(key)}1201${text(value)}`;
    expect(bytes).toBe(`0a01${text("n")}120208011a0022${map("a", "b")}2a${map("c", "d")}`);
  });

  test("capabilities: EXPAND_VOLUME is 9 for the controller and 3 for the node, SINGLE_NODE_MULTI_WRITER 13", () => {
    const bytes = Buffer.from("0a040a0208090a040a02080d", "hex");
    const { capabilities } = fromBinary(csi.ControllerGetCapabilitiesResponseSchema, bytes);
    const Rpc = csi.ControllerServiceCapability_RPC_Type;
    expect(capabilities.map(({ type }) => type.value?.type)).toEqual([Rpc.EXPAND_VOLUME, Rpc.SINGLE_NODE_MULTI_WRITER]);
    expect(csi.NodeServiceCapability_RPC_Type.EXPAND_VOLUME).toBe(3);
  });

  test("ProbeResponse: a missing ready is not the same as false", () => {
    expect(fromBinary(csi.ProbeResponseSchema, Buffer.from("", "hex")).ready).toBeUndefined();
    expect(fromBinary(csi.ProbeResponseSchema, Buffer.from("0a00", "hex")).ready).toBe(false);
    expect(fromBinary(csi.ProbeResponseSchema, Buffer.from("0a020801", "hex")).ready).toBe(true);
  });

  test("fields of a later CSI are skipped", () => {
    const later = Buffer.from(`0801ca3e01${text("x")}`, "hex"); // field 1001
    expect(fromBinary(csi.ControllerExpandVolumeResponseSchema, later).capacityBytes).toBe(1n);
  });

  test("every field that carries secrets is marked, and nothing else", () => {
    const fields = csi.file_csi.messages.flatMap(({ name, fields }) => fields.map((field) => ({ name, field })));
    const marked = fields.filter(({ field }) => field.proto.options?.debugRedact === true);
    expect(marked).toEqual(fields.filter(({ field }) => field.name === "secrets"));
    expect(marked).toHaveLength(9);
  });
});

describe("services", () => {
  test("a method is called by its full name", () => {
    expect(methodPath(csi.Controller.method.controllerExpandVolume)).toBe("/csi.v1.Controller/ControllerExpandVolume");
    expect(Object.keys(serviceDefinition(csi.Identity))).toEqual(["getPluginInfo", "getPluginCapabilities", "probe"]);
  });

  test("requests and answers survive their codecs", () => {
    const codec = methodDefinition(csi.Node.method.nodeExpandVolume);
    const request = create(csi.NodeExpandVolumeRequestSchema, {
      volumeId: "v",
      capacityRange: { requiredBytes: 2n ** 63n - 1n },
    });
    const answer = create(csi.NodeExpandVolumeResponseSchema, { capacityBytes: 2n ** 63n - 1n });
    expect(codec.requestDeserialize(codec.requestSerialize(request))).toEqual(request);
    expect(codec.responseDeserialize(codec.responseSerialize(answer))).toEqual(answer);
  });
});

test("what is generated is what the proto says", () => {
  const out = mkdtempSync(join(tmpdir(), "csi-generated-"));
  try {
    const script = join(import.meta.dirname, "..", "..", "scripts", "generate-csi.ts");
    const { status, stderr } = spawnSync(process.execPath, [script, out], { encoding: "utf8" });
    expect(status, stderr).toBe(0);
    const [fresh, committed] = [out, join(import.meta.dirname, "generated")].map((folder) =>
      readFileSync(join(folder, "csi_pb.ts"), "utf8"),
    );
    expect(fresh).toBe(committed);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
});
