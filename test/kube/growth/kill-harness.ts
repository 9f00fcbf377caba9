/**
 * Kills the controller at one call of a growth, and has it come back.
 *
 * All of its calls pass through a proxy. At the one that is chosen the process is killed: `before` it reaches the API
 * server, which then never hears of it, or `after` it was served, before the answer comes back. Another process starts
 * over and has to bring everything to its end.
 */
import { type ApiProxy, PASS, type ProxiedRequest, startApiProxy } from "../api-proxy.ts";
import type { OutgrowProcess } from "../outgrow-process.ts";
import { nameOf } from "./calls.ts";
import { losses, type Sizes } from "./intact.ts";
import type { Look } from "./look.ts";
import type { Scene } from "./scene.ts";
import type { Stage } from "./stage.ts";

/** A growth, without any deaths. */
export interface Flow {
  readonly name: string;
  /** Makes the set, before there is a controller. */
  readonly prepare: (scene: Scene) => Promise<Look>;
  /** What people want. */
  readonly wish: (scene: Scene) => Promise<void>;
  readonly sizes: Sizes;
  /** What else has to be so in the end. @default nothing */
  readonly untilDone?: (scene: Scene) => Promise<void>;
  /** Its pods are restarted: they may be others in the end. @default false */
  readonly podsRestart?: boolean;
}

export interface Kill {
  /** Chooses the call by its name and by how many calls there were before it. */
  readonly at: (call: string, index: number) => boolean;
  readonly when: "before" | "after";
}

export interface Death {
  /** The call at which the process was killed; undefined when none was chosen. */
  readonly at: string | undefined;
  /** All calls, in order, before and after the death. */
  readonly calls: readonly string[];
  /** How many of them there were up to the death, with the one at which it was. */
  readonly lived: number;
  /** What was lost; empty when all is well. */
  readonly lost: readonly string[];
}

/** Lets one flow play in a namespace of its own, with one death. */
export async function killOnce(stage: Stage, scene: Scene, flow: Flow, { at, when }: Kill): Promise<Death> {
  const calls: string[] = [];
  let died: string | undefined;
  let lived: number | undefined;
  let current: OutgrowProcess | undefined;
  let revived: Promise<void> = Promise.resolve();

  async function reached(call: string, index: number): Promise<boolean> {
    if (died !== undefined || !at(call, index)) return false;
    died = call;
    lived = index + 1;
    await current?.kill("SIGKILL");
    revived = revive();
    revived.catch(() => {}); // told where it is awaited
    return true;
  }
  const indexes = new WeakMap<ProxiedRequest, number>();
  const proxy: ApiProxy = await startApiProxy(stage.plane, stage.user, scene.namespace, {
    async onRequest(request) {
      const call = nameOf(request);
      if (call === undefined) return PASS;
      indexes.set(request, calls.length);
      calls.push(call);
      return when === "before" && (await reached(call, calls.length - 1)) ? { kind: "drop" } : PASS;
    },
    async onServed(request) {
      const index = indexes.get(request);
      if (index === undefined || when === "before") return PASS;
      return (await reached(calls[index] ?? "", index)) ? { kind: "lose" } : PASS;
    },
  });
  const flags = ["--namespace", scene.namespace];
  const revive = async (): Promise<void> => {
    current = await stage.controller({ kubeconfig: proxy.kubeconfig, flags });
  };

  try {
    const before = await flow.prepare(scene);
    await revive();
    await flow.wish(scene);
    const after = await scene.untilGrown(flow.sizes).catch((error: unknown) => {
      const log = current
        ?.log()
        .slice(-20)
        .map((line) => JSON.stringify(line));
      throw new Error(`killed ${when} ${died}: ${String(error)}\n${calls.join(", ")}\n${log?.join("\n")}`);
    });
    await revived;
    await flow.untilDone?.(scene);
    const lost = losses(before, after).filter((what) => flow.podsRestart !== true || !what.startsWith("pod "));
    return { at: died, calls, lived: lived ?? calls.length, lost };
  } finally {
    await revived.catch(() => {});
    await current?.kill();
    await proxy.stop();
  }
}
