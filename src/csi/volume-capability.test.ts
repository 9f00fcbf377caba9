import { describe, expect, test } from "vitest";
import { VolumeCapability_AccessMode_Mode as Mode } from "./generated/csi_pb.ts";
import { volumeCapability } from "./volume-capability.ts";

const MODES = { RWO: "ReadWriteOnce", ROX: "ReadOnlyMany", RWX: "ReadWriteMany", RWOP: "ReadWriteOncePod" } as const;
const NOT_WITH_OTHERS = "ReadWriteOncePod does not go together with any other";
const NO_SUCH_MODE = "CSI has no mode for ReadOnlyMany together with ReadWriteOnce";
const UNKNOWN = "none of them is known";

/** Every set of access modes: what a driver is told, without and with SINGLE_NODE_MULTI_WRITER; or why nothing. */
const ROWS: [modes: string, without: keyof typeof Mode | null, withSnmw: keyof typeof Mode | null, refusal?: string][] =
  [
    ["", null, null, UNKNOWN],
    ["RWO", "SINGLE_NODE_WRITER", "SINGLE_NODE_MULTI_WRITER"],
    ["ROX", "MULTI_NODE_READER_ONLY", "MULTI_NODE_READER_ONLY"],
    ["RWX", "MULTI_NODE_MULTI_WRITER", "MULTI_NODE_MULTI_WRITER"],
    ["RWOP", "SINGLE_NODE_WRITER", "SINGLE_NODE_SINGLE_WRITER"],
    ["RWO RWO", "SINGLE_NODE_WRITER", "SINGLE_NODE_MULTI_WRITER"],
    ["RWO ROX", null, null, NO_SUCH_MODE],
    ["RWO RWX", "MULTI_NODE_MULTI_WRITER", "MULTI_NODE_MULTI_WRITER"],
    ["ROX RWX", "MULTI_NODE_MULTI_WRITER", "MULTI_NODE_MULTI_WRITER"],
    ["RWO ROX RWX", "MULTI_NODE_MULTI_WRITER", "MULTI_NODE_MULTI_WRITER"],
    ["RWOP RWOP", "SINGLE_NODE_WRITER", "SINGLE_NODE_SINGLE_WRITER"],
    ["RWO RWOP", null, null, NOT_WITH_OTHERS],
    ["ROX RWOP", null, null, NOT_WITH_OTHERS],
    ["RWX RWOP", null, null, NOT_WITH_OTHERS],
    ["RWO ROX RWOP", null, null, NOT_WITH_OTHERS],
    ["RWO RWX RWOP", null, null, NOT_WITH_OTHERS],
    ["ROX RWX RWOP", null, null, NOT_WITH_OTHERS],
    ["RWO ROX RWX RWOP", null, null, NOT_WITH_OTHERS],
  ];

describe.each([
  ["without", false],
  ["with", true],
])("access modes for a driver %s SINGLE_NODE_MULTI_WRITER", (_, snmw) => {
  test.each(ROWS)("[%s]", (modes, without, withSnmw, refusal) => {
    const accessModes = modes.split(" ").flatMap((mode) => MODES[mode as keyof typeof MODES] ?? []);
    const tell = () => volumeCapability({ accessModes, volumeMode: "Filesystem" }, snmw).accessMode?.mode;
    const expected = snmw ? withSnmw : without;
    if (expected !== null) expect(tell()).toBe(Mode[expected]);
    else expect(tell).toThrow(expect.objectContaining({ code: "ACCESS_MODES_UNSUPPORTED" }));
    if (refusal !== undefined) expect(tell).toThrow(refusal);
  });

  test("modes of a later Kubernetes are refused by name", () => {
    const tell = () => volumeCapability({ accessModes: ["ReadWriteSometimes"], volumeMode: "Block" }, snmw);
    expect(tell).toThrow("the volume's access modes are [ReadWriteSometimes]: none of them is known");
  });
});

describe("how the volume is used", () => {
  const accessModes = ["ReadWriteOnce"];

  test("a raw block volume has neither file system nor mount flags", () => {
    const capability = volumeCapability(
      { accessModes, volumeMode: "Block", fsType: "ext4", mountFlags: ["ro"] },
      false,
    );
    expect(capability.accessType).toMatchObject({ case: "block" });
    expect(capability.accessType.value).not.toHaveProperty("fsType");
  });

  test("a mounted volume has its file system and its mount options", () => {
    const use = { accessModes, volumeMode: "Filesystem", fsType: "xfs", mountFlags: ["noatime", "nouuid"] } as const;
    expect(volumeCapability(use, false).accessType).toMatchObject({
      case: "mount",
      value: { fsType: "xfs", mountFlags: ["noatime", "nouuid"] },
    });
  });

  test("the driver picks the file system when none is named", () => {
    expect(volumeCapability({ accessModes, volumeMode: "Filesystem" }, false).accessType).toMatchObject({
      case: "mount",
      value: { fsType: "", mountFlags: [] },
    });
  });
});
