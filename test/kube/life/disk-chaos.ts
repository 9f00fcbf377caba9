/**
 * Chaos on real file systems: people who create, grow, shrink and delete at random while the whole program is killed and
 * stopped under them. Pods write as soon as they run. In the end everything has settled, quota is exact, every byte that was
 * written is there, every file system is as large as its claim says, and nothing is left on the machine.
 */
import { createHash, randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, statfsSync, statSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import * as fc from "fast-check";
import { Quantity } from "../../../src/core/quantity.ts";
import type { PersistentVolumeClaim, Pod } from "../../../src/core/types.ts";
import { CLAIMS, isNotFound, KubeError, NAMESPACES, PODS, VOLUMES } from "../../../src/kube/index.ts";
import { kubeletLayout } from "../../../src/node/apply/layout.ts";
import { quotaIsExact, settled } from "./at-rest.ts";
import { createPeople, NAMESPACE, type People, waitFor } from "./people.ts";
import { aPlace, type Place, type Program, startUp } from "./program.ts";

export interface DiskChaosOptions {
  readonly seed: number;
  readonly steps: number;
  readonly claims: number;
  readonly sets: number;
  /** Told about each move. */
  readonly tell?: (line: string) => void;
}

type Move =
  | { readonly kind: "request"; readonly which: number; readonly size: number }
  | { readonly kind: "template"; readonly which: number; readonly size: number }
  | { readonly kind: "scale"; readonly which: number; readonly replicas: number }
  | { readonly kind: "replace"; readonly which: number }
  /** The pod goes and comes back: its volume is unmounted and mounted. */
  | { readonly kind: "move-pod"; readonly which: number }
  /** Pods that run write, those that wrote before are read. */
  | { readonly kind: "write" }
  | { readonly kind: "kill" | "stop"; readonly after: number };

const MOVE: fc.Arbitrary<Move> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ kind: fc.constant("request" as const), which: fc.nat(), size: sizes() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("template" as const), which: fc.nat(), size: sizes() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("scale" as const),
      which: fc.nat(),
      replicas: fc.integer({ min: 0, max: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("replace" as const), which: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("move-pod" as const), which: fc.nat() }) },
  { weight: 4, arbitrary: fc.constant({ kind: "write" as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("kill" as const), after: fc.integer({ min: 0, max: 1_500 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("stop" as const), after: fc.integer({ min: 0, max: 1_500 }) }),
  },
);

/** In Mi. */
function sizes(): fc.Arbitrary<number> {
  return fc.integer({ min: 5, max: 16 }).map((step) => step * 64);
}

/**
 * The most that volumes of the limited class can have. No move asks for just that, so that it is always more than a claim has,
 * and asking for it recovers whatever failed.
 */
const LIMIT = "800Mi";
const CLASSES = ["standard", "xfs", "btrfs", "limited", "slow"] as const;

interface World {
  readonly place: Place;
  readonly people: People;
  readonly program: Program;
  restart(how: "SIGKILL" | "SIGTERM"): Promise<void>;
  /** What was written, by the claim's uid. */
  readonly written: Map<string, string>;
}

/** Rejects with what did not come true. */
export async function runDiskChaos({ seed, steps, claims, sets, tell = () => {} }: DiskChaosOptions): Promise<void> {
  using place = aPlace();
  let program = await startUp(place);
  const people = createPeople(() => program.client);
  const world: World = {
    place,
    people,
    get program() {
      return program;
    },
    written: new Map(),
    async restart(how) {
      await program.end(how);
      program = await startUp(place);
    },
  };
  try {
    await prepare(world, claims, sets);
    for (const [step, move] of fc.sample(MOVE, { numRuns: steps, seed }).entries()) {
      tell(`${step} ${JSON.stringify(move)}: ${await make(world, move, claims, sets)}`);
    }
    await calmDown(world, claims, sets);
    await settled(program.client, () => false);
    await quotaIsExact(program.client);
    tell(await visit(world, true));
    const end = await program.end("SIGTERM");
    if (end !== 0) throw new Error(`it ended with ${end}`);
    const left = await place.left();
    if (left.length > 0) throw new Error(`it has left behind: ${left.join(", ")}`);
  } finally {
    await program[Symbol.asyncDispose]();
  }
}

async function prepare({ people, program }: World, claims: number, sets: number): Promise<void> {
  const { client } = program;
  await client.create(NAMESPACES, { metadata: { name: NAMESPACE } });
  const more = { provisioner: "loop.csi.outgrow.dev", volumeBindingMode: "WaitForFirstConsumer" };
  await people.createClass("limited", { fsType: "xfs", controllerLimit: LIMIT, controllerError: "OutOfRange" }, more);
  await people.createClass("slow", { fsType: "xfs", delay: "700ms" }, more);
  await people.createQuota("100Ti");
  for (let each = 0; each < claims; each++) await begin(people, each);
  for (let each = 0; each < sets; each++) {
    await people.createSet(`s${each}`, { size: "320Mi", storageClass: each % 2 === 0 ? "xfs" : "standard" });
  }
}

async function begin(people: People, which: number): Promise<void> {
  const storageClass = CLASSES[which % CLASSES.length] ?? "standard";
  await people.createClaim(`c${which}`, "320Mi", { storageClass });
  await people.createPod(`c${which}`);
}

/** A refusal is an answer; anything else that goes wrong is not. */
async function make(world: World, move: Move, claims: number, sets: number): Promise<string> {
  const { people } = world;
  try {
    switch (move.kind) {
      case "request":
        await people.request(`c${move.which % claims}`, `${move.size}Mi`);
        break;
      case "template":
        await people.editTemplate(`s${move.which % sets}`, `${move.size}Mi`);
        break;
      case "scale":
        await people.scale(`s${move.which % sets}`, move.replicas);
        break;
      case "replace":
        await replace(world, move.which % claims);
        break;
      case "move-pod":
        await removePod(world, `c${move.which % claims}`);
        await people.createPod(`c${move.which % claims}`);
        break;
      case "write":
        // Else a busy machine would be killed before anything was ever written.
        await mostRun(world);
        return await visit(world, false);
      case "kill":
      case "stop":
        await setTimeout(move.after);
        await world.restart(move.kind === "kill" ? "SIGKILL" : "SIGTERM");
        break;
    }
    return "done";
  } catch (error) {
    if (error instanceof KubeError && error.status >= 400 && error.status < 500) {
      return `${error.status} ${error.reason}`;
    }
    throw error;
  }
}

async function removePod({ people, program }: World, name: string): Promise<void> {
  await program.client.delete(PODS, { namespace: NAMESPACE, name }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
  await people.podIsGone(name);
}

async function replace(world: World, which: number): Promise<void> {
  const ref = { namespace: NAMESPACE, name: `c${which}` };
  const { client } = world.program;
  await removePod(world, ref.name);
  await client.delete(CLAIMS, ref);
  const isGone = async (): Promise<boolean> => {
    const { items } = await client.list(CLAIMS, { namespace: NAMESPACE });
    return items.every(({ metadata }) => metadata.name !== ref.name);
  };
  await waitFor(`claim ${ref.name} to be gone`, isGone, () => "there");
  await begin(world.people, which);
}

/**
 * Goes to each volume that a running pod has. Where something was written before, it must be there; elsewhere something is
 * written. `large`: and the file system must have what the claim says.
 */
async function visit(world: World, large: boolean): Promise<string> {
  const { client } = world.program;
  const { items: pods } = await client.list(PODS, { namespace: NAMESPACE });
  let [read, wrote] = [0, 0];
  for (const pod of pods.filter(isRunning)) {
    const claimName = pod.spec.volumes?.[0]?.persistentVolumeClaim?.claimName ?? "";
    const claim = await client.get(CLAIMS, { namespace: NAMESPACE, name: claimName });
    const folder = await folderOf(world, pod, claim);
    const uid = claim.metadata.uid ?? "";
    const before = world.written.get(uid);
    if (before === undefined) {
      // It may be gone for a moment, to grow or after a restart: then nothing can be written.
      const sum = tryTo(() => (isMounted(folder) ? write(join(folder, "file")) : undefined));
      if (sum !== undefined) world.written.set(uid, sum);
      wrote++;
    } else {
      const isKept = async (): Promise<boolean> => isThere(join(folder, "file"), before) || (await isGoing(world, pod));
      await waitFor(`what was written to ${claimName}`, isKept, () => "something else");
      read++;
    }
    if (large) await isLarge(folder, claim);
  }
  return `wrote ${wrote}, read ${read}`;
}

async function mostRun({ program }: World): Promise<void> {
  let last = "";
  const isSo = async (): Promise<boolean> => {
    const { items } = await program.client.list(PODS, { namespace: NAMESPACE });
    const running = items.filter(isRunning).length;
    last = `${running} of ${items.length}`;
    return running * 2 >= items.length;
  };
  await waitFor("half of the pods to run", isSo, () => last, 120_000);
}

function isRunning({ metadata, status }: Pod): boolean {
  const ready = status?.conditions?.find(({ type }) => type === "Ready")?.status;
  return ready === "True" && metadata.deletionTimestamp === undefined;
}

async function folderOf({ place, program }: World, pod: Pod, claim: PersistentVolumeClaim): Promise<string> {
  const volume = await program.client.get(VOLUMES, { name: claim.spec.volumeName ?? "" });
  return kubeletLayout(join(place.data, "volumes", "node")).publishPath(pod.metadata.uid ?? "", volume);
}

/** A pod would have the volume in a world of its own; here the folder below may be seen while there is none. */
function isMounted(folder: string): boolean {
  return statSync(folder).dev !== statSync(dirname(folder)).dev;
}

function write(path: string): string {
  const bytes = randomBytes(2 ** 20);
  const file = openSync(path, "w");
  try {
    writeSync(file, bytes);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return sumOf(bytes);
}

function sumOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function isThere(path: string, sum: string): boolean {
  return tryTo(() => sumOf(readFileSync(path))) === sum;
}

/** Its set has been told to have fewer pods, say: then its volume goes with it. */
async function isGoing({ program }: World, { metadata }: Pod): Promise<boolean> {
  const { items } = await program.client.list(PODS, { namespace: NAMESPACE });
  const now = items.find(({ metadata: { uid } }) => uid === metadata.uid);
  return now === undefined || now.metadata.deletionTimestamp !== undefined;
}

function tryTo<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** File systems keep some of it for themselves; btrfs and xfs the most when they are small. */
async function isLarge(folder: string, { metadata, status }: PersistentVolumeClaim): Promise<void> {
  const promised = Number(Quantity.parse(status?.capacity?.["storage"] ?? "0").toBytes());
  let last = 0;
  const isSo = (): Promise<boolean> => {
    const { blocks, bsize } = tryTo(() => statfsSync(folder)) ?? { blocks: 0, bsize: 0 };
    last = blocks * bsize;
    return Promise.resolve(last > promised * 0.75 && last <= promised);
  };
  await waitFor(`the file system of ${metadata.name} to have ${promised} bytes`, isSo, () => `${last}`);
}

/** Everybody asks for something that can be had, and every volume is mounted anew, as those must be that only grow then. */
async function calmDown(world: World, claims: number, sets: number): Promise<void> {
  for (let each = 0; each < claims; each++) {
    const isLimited = CLASSES[each % CLASSES.length] === "limited";
    const size = isLimited ? Number.parseInt(LIMIT, 10) : 1024;
    await make(world, { kind: "request", which: each, size }, claims, sets);
    await make(world, { kind: "move-pod", which: each }, claims, sets);
  }
  for (let each = 0; each < sets; each++) {
    await make(world, { kind: "scale", which: each, replicas: 3 }, claims, sets);
  }
}
