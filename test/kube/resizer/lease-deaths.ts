/**
 * Kills a resizer after each kind of call about its lease, while a claim wants to grow, and has it come back: as the same
 * replica, to whom the lease still belongs, or which finds it given up.
 */
import type { Lease } from "../../../src/kube/index.ts";
import { PASS, type ProxiedRequest, startApiProxy } from "../api-proxy.ts";
import { waitFor } from "../wait.ts";
import type { Deaths } from "./kill-harness.ts";
import { startNodeHalf } from "./node-half.ts";
import type { ResizerProcess } from "./resizer-process.ts";
import { NAMESPACE, type Stage } from "./stage.ts";

/** In the order in which a replica makes them; a lease that is there already is taken, and not created. */
export const LEASE_CALLS = ["look", "create", "take", "renew", "give-up"] as const;
type LeaseCall = (typeof LEASE_CALLS)[number];

/** Renewed often; and not lost when the machine is busy. */
const FLAGS = [
  "--leader-election-lease-duration=12s",
  "--leader-election-renew-deadline=10s",
  "--leader-election-retry-period=500ms",
];
const SIZE = "20Gi";

export async function killAtLeaseCalls(stage: Stage): Promise<Deaths> {
  const after: LeaseCall[] = [];
  let deadly: LeaseCall | undefined;
  let current: ResizerProcess | undefined;
  /** Whether this process has written the lease. */
  let wrote = false;
  let died = Promise.withResolvers<void>();

  function callOf({ method, body }: ProxiedRequest): LeaseCall {
    if (method === "GET") return "look";
    if (method === "POST") return "create";
    if (!(JSON.parse(body) as Lease).spec?.holderIdentity) return "give-up";
    return wrote ? "renew" : "take";
  }

  await using scene = await stage.scene("lease", {
    /** What becomes of the lease later on is waited for in the middle of a call. */
    async onArrived({ method }) {
      if (method !== "ControllerExpandVolume" || deadly === undefined) return;
      if (deadly === "give-up") void current?.kill("SIGTERM");
      else await died.promise;
    },
  });
  await using _node = await startNodeHalf(scene);
  const proxy = await startApiProxy(stage.plane, stage.user, "lease", {
    async onServed(request) {
      if (request.isWatch || !request.path.includes("/leases")) return PASS;
      const call = callOf(request);
      wrote ||= call === "create" || call === "take";
      if (call !== deadly) return PASS;
      deadly = undefined;
      await current?.kill("SIGKILL");
      after.push(call);
      died.resolve();
      return { kind: "lose" };
    },
  });
  const launch = async (): Promise<void> => {
    wrote = false;
    current = await scene.launch(FLAGS, proxy.kubeconfig);
  };

  try {
    for (const call of LEASE_CALLS) {
      await scene.create({ name: call, size: "10Gi" });
      await scene.request(call, SIZE);
      if (call === "create") await stage.plane.api.delete(leasePath(scene.driverName));
      died = Promise.withResolvers();
      deadly = call;
      await launch();
      await waitFor(`the process to die at "${call}"`, () => deadly === undefined, { timeoutMs: 180_000 });
      await died.promise;
      await launch();
      await scene.untilGrown(call, SIZE);
      await current?.kill("SIGKILL");
    }
    const sizes = scene.expansions().map(({ volumeId, requiredBytes }) => `${volumeId}: ${requiredBytes} bytes`);
    return { after, wrong: sizes.filter((text) => !text.endsWith(`: ${20n << 30n} bytes`)) };
  } finally {
    await proxy.stop();
  }
}

function leasePath(driver: string): string {
  const name = `external-resizer-${driver.replaceAll(".", "-")}`;
  return `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases/${name}`;
}
