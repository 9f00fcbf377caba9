/** The table of parameters that a StorageClass of our drivers can have. */
import { describe, expect, test } from "vitest";
import { CSI_CODES } from "../../../csi/index.ts";
import { readParameters } from "./parameters.ts";

test("a class without parameters makes volumes that grow online, at once, in both halves", () => {
  expect(readParameters({})).toEqual({
    fsType: undefined,
    controllerExpansion: true,
    nodeExpansion: true,
    online: true,
    controllerFault: undefined,
    nodeFault: undefined,
    delayMs: 0,
    roundToBytes: undefined,
  });
});

describe("each parameter is read", () => {
  test.each([
    [{ fsType: "xfs" }, { fsType: "xfs" }],
    [{ controllerExpansion: "false" }, { controllerExpansion: false, nodeExpansion: true }],
    [{ nodeExpansion: "false" }, { controllerExpansion: true, nodeExpansion: false }],
    [{ online: "false" }, { online: false }],
    [{ controllerLimit: "20Gi" }, { controllerFault: { aboveBytes: 20n * 2n ** 30n, code: "OutOfRange" } }],
    [
      { controllerLimit: "1G", controllerError: "PermissionDenied" },
      { controllerFault: { aboveBytes: 10n ** 9n, code: "PermissionDenied" }, nodeFault: undefined },
    ],
    [{ nodeError: "Internal" }, { nodeFault: { aboveBytes: -1n, code: "Internal" }, controllerFault: undefined }],
    [{ nodeLimit: "5Mi" }, { nodeFault: { aboveBytes: 5n * 2n ** 20n, code: "OutOfRange" } }],
    [{ delay: "500ms" }, { delayMs: 500 }],
    [{ delay: "1m30s" }, { delayMs: 90_000 }],
    [{ delay: "1.5s" }, { delayMs: 1500 }],
    [{ delay: "0" }, { delayMs: 0 }],
    [{ roundTo: "1G" }, { roundToBytes: 10n ** 9n }],
    [{ "csi.storage.k8s.io/pvc/name": "data-db-0" }, { online: true }],
  ])("%j", (given, meaning) => {
    expect(readParameters(given)).toMatchObject(meaning);
  });

  test.each(CSI_CODES)("a fault of code %s", (code) => {
    expect(readParameters({ nodeError: code }).nodeFault?.code).toBe(code);
  });
});

describe("what makes no sense is InvalidArgument and names the parameter", () => {
  test.each([
    [{ fstype: "xfs" }, "parameter fstype is not known; there are fsType, "],
    [{ fsType: "ntfs" }, 'parameter fsType is "ntfs"; it must be one of ext4, xfs, btrfs'],
    [{ online: "no" }, 'parameter online is "no"; it must be "true" or "false"'],
    [{ controllerExpansion: "" }, 'parameter controllerExpansion is ""'],
    [{ nodeExpansion: "FALSE" }, 'parameter nodeExpansion is "FALSE"'],
    [{ controllerLimit: "much" }, 'parameter controllerLimit is "much"; it must be a size such as 20Gi'],
    [{ nodeLimit: "-1Gi" }, 'parameter nodeLimit is "-1Gi"'],
    [{ controllerError: "OUT_OF_RANGE" }, 'parameter controllerError is "OUT_OF_RANGE"; it must be a gRPC code: '],
    [{ nodeError: "OK" }, 'parameter nodeError is "OK"'],
    [{ delay: "5" }, 'parameter delay is "5"; it must be a duration such as 500ms or 2s'],
    [{ delay: "-1s" }, 'parameter delay is "-1s"'],
    [{ delay: "25h" }, 'parameter delay is "25h"; it must be at most 24h'],
    [{ roundTo: "0" }, 'parameter roundTo is "0"'],
  ])("%j", (given, message) => {
    const read = () => readParameters(given);
    expect(read).toThrow(message);
    expect(read).toThrow(expect.objectContaining({ code: "InvalidArgument" }));
  });
});
