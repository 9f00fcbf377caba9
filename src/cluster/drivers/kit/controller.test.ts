import { create } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { ListVolumesRequestSchema, type ListVolumesResponse, type ServerCall } from "../../../csi/index.ts";
import { controllerHandlers } from "./controller.ts";
import { openRecords } from "./records.ts";
import { createTurns } from "./turns.ts";
import type { VolumeRecord } from "./volume.ts";
import type { DriverWork } from "./work.ts";

const CALL: ServerCall = { method: "", signal: new AbortController().signal };

const volume = (id: string) => ({ id, capacityBytes: 1n, parameters: {} }) as VolumeRecord;

async function pages() {
  const records = await openRecords({});
  for (const id of ["d", "b", "a", "c"]) await records.put(volume(id));
  const context = { records, turns: createTurns(), work: {} as DriverWork, nodeId: "here", pause: async () => {} };
  const { listVolumes } = controllerHandlers(context);
  const list = async (maxEntries: number, startingToken = "") => {
    const page = await listVolumes?.(create(ListVolumesRequestSchema, { maxEntries, startingToken }), CALL);
    const { entries = [], nextToken = "" } = (page ?? {}) as Partial<ListVolumesResponse>;
    return { ids: entries.map((entry) => entry.volume?.volumeId), nextToken };
  };
  return { records, list };
}

describe("volumes are listed in pages", () => {
  test("all of them once, the last page without a token", async () => {
    const { list } = await pages();
    expect(await list(0)).toEqual({ ids: ["a", "b", "c", "d"], nextToken: "" });
    const first = await list(3);
    expect(first.ids).toEqual(["a", "b", "c"]);
    expect(await list(3, first.nextToken)).toEqual({ ids: ["d"], nextToken: "" });
  });

  test("also where the volume that a page begins after is gone", async () => {
    const { list, records } = await pages();
    const { nextToken } = await list(2);
    await records.remove("b");
    expect(await list(2, nextToken)).toEqual({ ids: ["c", "d"], nextToken: "" });
  });

  test("a token of somebody else is Aborted", async () => {
    const { list } = await pages();
    await expect(list(2, "who knows")).rejects.toMatchObject({ code: "Aborted" });
    await expect(list(-1)).rejects.toMatchObject({ code: "InvalidArgument" });
  });
});

test("one operation on a volume at a time; others go on", async () => {
  const turns = createTurns();
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = turns.take("v", () => promise);
  await expect(turns.take("v", async () => {})).rejects.toMatchObject({ code: "Aborted" });
  expect(await turns.take("w", async () => 7)).toBe(7);
  const idle = turns.idle();
  resolve();
  await Promise.all([first, idle]);
  expect(await turns.take("v", async () => 8)).toBe(8);
});
