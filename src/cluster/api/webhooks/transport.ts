/** HTTPS to webhooks: connections are kept, trust is per webhook, and no answer is longer or later than allowed. */
import type { Pool } from "undici";

export interface HookCall {
  readonly url: URL;
  /** The URL as messages show it, with a port that goes without saying where upstream says it. */
  readonly shown: string;
  readonly body: string;
  /** PEM; undefined: the authorities that this machine trusts. */
  readonly ca: string | undefined;
  /** Where to connect instead of what the URL names, which stays the name that the certificate must have. */
  readonly address?: Address | undefined;
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface HookReply {
  readonly status: number;
  /** Empty where the webhook gave none. */
  readonly contentType: string;
  readonly body: string;
}

export interface HookTransport {
  /** Rejects with what went wrong on the way, as Node and undici name it, or with the signal's reason. */
  post(call: HookCall, signal: AbortSignal): Promise<HookReply>;
  /** Cuts every connection. May be called twice. */
  close(): Promise<void>;
}

/** The longest answer: a patch of the largest request that is taken, in base64. */
export const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** Ways to reach webhooks that are kept open; the one unused for longest goes first. */
const MAX_POOLS = 64;

export function createHookTransport(): HookTransport {
  const pools = new Map<string, Pool>();

  function poolFor(call: HookCall, create: (call: HookCall) => Pool): Pool {
    const key = JSON.stringify([call.url.origin, call.ca, call.address]);
    const pool = pools.get(key) ?? create(call);
    pools.delete(key);
    pools.set(key, pool);
    for (const [oldest, idle] of pools) {
      if (pools.size <= MAX_POOLS) break;
      pools.delete(oldest);
      // Calls that are under way may finish; each of them hears for itself how.
      void idle.close().catch(() => {});
    }
    return pool;
  }

  return {
    async post(call, signal) {
      // Few clusters have webhooks; those that have none do not load what reaches them.
      const { createHookPool } = await import("./hook-pool.ts");
      const { statusCode, headers, body } = await poolFor(call, createHookPool).request({
        method: "POST",
        path: call.url.pathname + call.url.search,
        headers: {
          "content-type": "application/json",
          accept: "application/json, */*",
          "user-agent": "kube-apiserver-admission",
        },
        body: call.body,
        signal,
      });
      const type = headers["content-type"];
      return { status: statusCode, contentType: typeof type === "string" ? type : "", body: await body.text() };
    },
    async close() {
      const open = [...pools.values()];
      pools.clear();
      await Promise.all(open.map((pool) => pool.destroy()));
    },
  };
}
