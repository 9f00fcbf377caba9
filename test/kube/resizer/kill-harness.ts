/**
 * Kills a resizer after each single call that it makes for a claim, one claim after the other, and has it come back.
 *
 * The calls are those to the API server about the claim and its volume, which pass through a proxy, and those to the
 * driver. A call to the driver has three ends when its caller dies: it is never done, it is done without anybody waiting,
 * or it was done just before. For the n-th claim the process dies at the n-th of these; when a claim comes to its end
 * without that, every one of them has been tried. What a lost race costs is not counted, since a watch that is quick
 * enough saves it: a write that was refused, and the read after it.
 *
 * Events are told aside from the work, at a moment of their own: for these the process dies at the first with each reason.
 */
import type { ClaimView } from "../../../src/core/claim.ts";
import { CsiError } from "../../../src/csi/index.ts";
import type { RecordedCall, Script } from "../../../src/csi/testing/index.ts";
import type { Event } from "../../../src/kube/index.ts";
import { type ApiProxy, PASS, type ProxiedRequest, startApiProxy } from "../api-proxy.ts";
import { waitFor } from "../wait.ts";
import { type ClaimHistory, recordHistory } from "./claim-history.ts";
import { startNodeHalf } from "./node-half.ts";
import type { ResizerProcess } from "./resizer-process.ts";
import type { Scene, Stage } from "./stage.ts";

export interface Flow {
  readonly name: string;
  readonly script?: Script;
  readonly flags?: readonly string[];
  /** What the claim has before. */
  readonly size: string;
  /** The sizes that the driver may be asked for, in bytes. */
  readonly mayAsk: readonly bigint[];
  /** What people and pods do, from the first request until the claim has what they want. Knows nothing of deaths. */
  readonly play: (scene: Scene, claim: string) => Promise<void>;
  /** What somebody does when the driver has done its first work for the claim, or failed to, and not answered yet. */
  readonly beforeAnswer?: (scene: Scene, claim: string) => Promise<void>;
  /** What somebody does while no resizer is there. */
  readonly meanwhile?: (scene: Scene, claim: string) => Promise<void>;
  /** The reasons of all events of the flow: the process is killed after these as well. */
  readonly tells?: readonly string[];
}

export interface Deaths {
  /** After which calls the process was killed, in order. */
  readonly after: readonly string[];
  /** What was wrong, with which claim; empty when all is well. */
  readonly wrong: readonly string[];
}

/** The calls that make something larger. */
const EXPANSIONS: readonly string[] = ["ControllerExpandVolume", "NodeExpandVolume"];

export async function killEverywhere(stage: Stage, flow: Flow): Promise<Deaths> {
  const after: string[] = [];
  const wrong: string[] = [];
  let current: ResizerProcess | undefined;
  let claim = "";
  let claims = 0;
  let calls = 0;
  let underWay = 0;
  let answered = false;
  let died: string | undefined;
  /** The event that is deadly to this claim's resizer; undefined: it is one of the calls. */
  let deadly: string | undefined;
  /** Kinds whose last write was refused for its resourceVersion. */
  const lost = new Set<string>();
  let revived: Promise<void> = Promise.resolve();

  /** True: this was the one, and whoever made the call is dead. */
  async function reached(label: string): Promise<boolean> {
    return ++calls === after.length + 1 && deadly === undefined && die(label);
  }

  async function told(reason: string): Promise<boolean> {
    if (flow.tells?.includes(reason) === false) wrong.push(`${claim}: event ${reason} is not one to be killed after`);
    return reason === deadly && die(`event ${reason}`);
  }

  async function die(label: string): Promise<boolean> {
    if (died !== undefined) return false;
    died = label;
    const [dying, orphan] = [current?.kill("SIGKILL"), claim];
    revived = Promise.resolve(dying)
      .then(() => flow.meanwhile?.(scene, orphan))
      .then(revive);
    revived.catch(() => {}); // told where it is awaited
    await dying;
    return true;
  }

  async function onArrived(call: RecordedCall): Promise<void> {
    if (!EXPANSIONS.includes(call.method)) return;
    const { countedBytes } = await history.now(claim);
    const asked = `${claim}: ${call.method} of ${call.requiredBytes} bytes`;
    if (!flow.mayAsk.includes(call.requiredBytes)) wrong.push(`${asked} is a wrong size`);
    if (countedBytes < call.requiredBytes) wrong.push(`${asked} while quota counts ${countedBytes}`);
    if (call.method === "NodeExpandVolume") return;
    if (await reached("the call arrives, and is never done")) throw new CsiError("Unavailable", "the driver died, too");
    await reached("the call arrives, and is done without us");
  }

  async function onWorked(call: RecordedCall): Promise<void> {
    if (!EXPANSIONS.includes(call.method)) return;
    const { backendBytes = 0n } = scene.driver.volume(call.volumeId) ?? {};
    if (backendBytes >= call.requiredBytes) await history.holds(claim, call.requiredBytes);
    if (call.method === "NodeExpandVolume") return;
    if (!answered) await flow.beforeAnswer?.(scene, claim);
    answered = true;
    await reached("the call is done");
  }

  function isOfRace(method: string, kind: string, status: number): boolean {
    if (status !== 409) return method === "GET" && lost.delete(kind);
    lost.add(kind);
    return true;
  }

  await using history: ClaimHistory = await recordHistory(stage.plane, flow.name);
  await using scene: Scene = await stage.scene(flow.name, { script: flow.script ?? {}, onArrived, onWorked });
  await using _node = await startNodeHalf(scene);
  const isAboutClaim = ({ path, isWatch }: ProxiedRequest): boolean => !isWatch && about(path) === claim;
  const proxy: ApiProxy = await startApiProxy(stage.plane, stage.user, flow.name, {
    onRequest(request) {
      if (isAboutClaim(request)) underWay++;
      return PASS;
    },
    async onServed(request, status) {
      const event = eventOf(request);
      if (event?.claim === claim) return (await told(event.reason)) ? { kind: "lose" } : PASS;
      if (!isAboutClaim(request)) return PASS;
      const kind = request.path.includes("/persistentvolumes/") ? "volume" : "claim";
      const dead = !isOfRace(request.method, kind, status) && (await reached(`${request.method} ${kind}`));
      underWay--;
      return dead ? { kind: "lose" } : PASS;
    },
  });
  const revive = async (): Promise<void> => {
    current = await scene.resizer(flow.flags, proxy.kubeconfig);
  };

  /** The life of one claim; gives back after what the process was killed. */
  async function grow(event?: string): Promise<string | undefined> {
    claim = `data-${++claims}`;
    deadly = event;
    calls = 0;
    answered = false;
    died = undefined;
    lost.clear();
    await scene.create({ name: claim, size: flow.size });
    await flow.play(scene, claim);
    if (event !== undefined) await waitFor(`event ${event}`, () => died !== undefined, { timeoutMs: 180_000 });
    // The last write is seen before its answer is on the way back.
    await waitFor("the answers to be on their way", () => underWay === 0);
    await revived;
    await scene.until(claim, "to have what it asks for, and be at rest", isSettled);
    wrong.push(...(await history.undercounted(claim)).map((text) => `${claim}, killed after ${died}: ${text}`));
    return died;
  }

  try {
    await revive();
    for (let label = await grow(); label !== undefined; label = await grow()) after.push(label);
    for (const event of flow.tells ?? []) after.push((await grow(event)) ?? "nothing");
    return { after, wrong };
  } finally {
    await proxy.stop();
  }
}

function isSettled({ capacity, request, state, conditions }: ClaimView): boolean {
  return state === "none" && conditions.size === 0 && capacity?.atLeast(request) === true;
}

/** The claim that a request is about, itself or its volume. */
function about(path: string): string | undefined {
  return /\/persistentvolume(?:claims\/|s\/pv-.*-)(data-\d+)(?:\/status)?$/.exec(path)?.[1];
}

/** What an event tells, and about which claim, itself or its volume. One that is told again says only how often. */
function eventOf({
  method,
  path,
  body,
}: ProxiedRequest): { readonly claim: string; readonly reason: string } | undefined {
  if (method !== "POST" || !path.endsWith("/events")) return undefined;
  const { involvedObject, reason = "" } = JSON.parse(body) as Event;
  const claim = /^(?:pv-.*-)?(data-\d+)$/.exec(involvedObject.name ?? "")?.[1];
  return claim === undefined ? undefined : { claim, reason };
}
