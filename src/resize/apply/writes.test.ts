import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { STORAGE } from "../../core/types.ts";
import { isNotFound } from "../../kube/index.ts";
import { createWorld, type World } from "../testing/world.ts";
import { createWriter, type Writer } from "./writes.ts";

const { signal } = new AbortController();

let world: World;
let writer: Writer;
let observed: [kind: string, version: string | undefined, before: string][];

beforeEach(async () => {
  world = await createWorld();
  world.add();
  observed = [];
  writer = createWriter(world.client, {
    claiming() {},
    claim: ({ metadata }, before) => void observed.push(["claim", metadata.resourceVersion, before]),
    volume: ({ metadata }, before) => void observed.push(["volume", metadata.resourceVersion, before]),
  });
});
afterEach(() => world.stop());

const withState = (claim: ReturnType<World["claim"]>, word: string): typeof claim => ({
  ...claim,
  status: { ...claim.status, allocatedResourceStatuses: { [STORAGE]: word } },
});
const grown = (volume: ReturnType<World["volume"]>): typeof volume => ({
  ...volume,
  spec: { ...volume.spec, capacity: { [STORAGE]: "20Gi" } },
});
const lastBody = (): unknown => world.server.requests.at(-1)?.body;

describe("a claim", () => {
  test("is written as one patch of its status: what differs, and which version it was read at", async () => {
    const read = world.claim();
    const { uid, resourceVersion } = read.metadata;
    const written = await writer.tryClaim(read, withState(read, "NodeResizePending"), signal);
    expect(world.journal).toEqual(["patch persistentvolumeclaims/status"]);
    expect(lastBody()).toEqual({
      metadata: { uid, resourceVersion },
      status: { allocatedResourceStatuses: { storage: "NodeResizePending" } },
    });
    expect(written).toEqual(world.claim());
    expect(observed).toEqual([["claim", world.claim().metadata.resourceVersion, resourceVersion]]);
  });

  test("is not written when nothing differs", async () => {
    const read = world.claim();
    expect(await writer.tryClaim(read, structuredClone(read), signal)).toBe(read);
    expect(world.server.requests).toEqual([]);
    expect(observed).toEqual([]);
  });

  test("is not written over what somebody else wrote", async () => {
    const read = world.claim();
    world.request("30Gi");
    const theirs = world.claim();
    expect(await writer.tryClaim(read, withState(read, "NodeResizePending"), signal)).toBeUndefined();
    expect(world.claim()).toEqual(theirs);
    expect(observed).toEqual([]);
    expect(await writer.readClaim(read, signal)).toEqual(theirs);
  });

  test("of the same name that was made anew is another claim", async () => {
    const read = world.claim();
    world.server.store("persistentvolumeclaims").remove("prod/data");
    world.add();
    expect(await writer.tryClaim(read, withState(read, "NodeResizePending"), signal)).toBeUndefined();
    await expect(writer.readClaim(read, signal)).rejects.toSatisfy(isNotFound);
  });

  test("that is gone cannot be written", async () => {
    const read = world.claim();
    world.server.store("persistentvolumeclaims").remove("prod/data");
    await expect(writer.tryClaim(read, withState(read, "NodeResizePending"), signal)).rejects.toSatisfy(isNotFound);
    await expect(writer.readClaim(read, signal)).rejects.toSatisfy(isNotFound);
  });

  test("that the server refuses is an error, and no lost race", async () => {
    world.meddle = () => ({ kind: "status", status: 422, reason: "Invalid" });
    const read = world.claim();
    await expect(writer.tryClaim(read, withState(read, "Nonsense"), signal)).rejects.toMatchObject({ status: 422 });
  });
});

describe("a volume", () => {
  test("is written as one patch of itself: what differs, and which version it was read at", async () => {
    const read = world.volume();
    const { uid, resourceVersion } = read.metadata;
    const written = await writer.tryVolume(read, grown(read), signal);
    expect(world.journal).toEqual(["patch persistentvolumes"]);
    expect(lastBody()).toEqual({ metadata: { uid, resourceVersion }, spec: { capacity: { storage: "20Gi" } } });
    expect(written).toEqual(world.volume());
    expect(observed).toEqual([["volume", world.volume().metadata.resourceVersion, resourceVersion]]);
  });

  test("is not written when nothing differs", async () => {
    const read = world.volume();
    expect(await writer.tryVolume(read, structuredClone(read), signal)).toBe(read);
    expect(world.server.requests).toEqual([]);
  });

  test("is not written over what somebody else wrote", async () => {
    const read = world.volume();
    world.patchVolume({ spec: { capacity: { storage: "15Gi" } } });
    const theirs = world.volume();
    expect(await writer.tryVolume(read, grown(read), signal)).toBeUndefined();
    expect(world.volume()).toEqual(theirs);
    expect(await writer.readVolume(read, signal)).toEqual(theirs);
  });

  test("of the same name that was made anew is another volume", async () => {
    const read = world.volume();
    world.server.store("persistentvolumes").remove("/pv-data");
    world.add();
    expect(await writer.tryVolume(read, grown(read), signal)).toBeUndefined();
    await expect(writer.readVolume(read, signal)).rejects.toSatisfy(isNotFound);
  });
});
