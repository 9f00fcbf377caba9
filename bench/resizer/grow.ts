/** Asking many claims to grow at once, and seeing it happen. */
import { readClaim } from "../../src/core/claim.ts";
import { Quantity } from "../../src/core/quantity.ts";
import type { PersistentVolumeClaim } from "../../src/core/types.ts";
import { CLAIMS, identity, startInformer } from "../../src/kube/index.ts";
import type { Scene } from "./scene.ts";

export interface Growth {
  /** How many of the claims the controller's half was done with. */
  readonly grown: number;
  /** From the first request that was sent until the last of them was done, or until time was up. */
  readonly seconds: number;
}

/** Asks each claim for this size; ends when the controller's half is done with all of them, or after `limit` seconds. */
export async function grow(scene: Scene, names: readonly string[], size: string, limit: number): Promise<Growth> {
  const { client, plane } = scene;
  const wanted = Quantity.parse(size);
  const open = new Set(names);
  const over = Promise.withResolvers<void>();
  const look = (claim: PersistentVolumeClaim): void => {
    const { state, allocated, capacity } = readClaim(claim);
    const pending = state === "node-pending" && allocated?.equals(wanted) === true;
    if (pending || capacity?.equals(wanted) === true) open.delete(claim.metadata.name);
    if (open.size === 0) over.resolve();
  };
  const claims = startInformer({ client, resource: CLAIMS, trim: held });
  claims.addHandler({ updated: (_, claim) => look(claim) });
  await claims.synced;

  const timer = setTimeout(() => over.resolve(), limit * 1000);
  const patch = { spec: { resources: { requests: { storage: size } } } };
  const started = performance.now();
  const asking = Promise.all(
    names.map((name) => plane.api.patch(`/api/v1/namespaces/default/persistentvolumeclaims/${name}`, patch)),
  );
  await over.promise;
  const seconds = (performance.now() - started) / 1000;
  clearTimeout(timer);
  await asking;
  await claims.stop();
  return { grown: names.length - open.size, seconds };
}

function held({ metadata, spec, status = {} }: PersistentVolumeClaim): PersistentVolumeClaim {
  return { metadata: identity(metadata), spec: { resources: spec.resources ?? {} }, status };
}

/** The node's half, for all claims: as if a kubelet had grown the file systems. */
export async function finish({ plane }: Scene, names: readonly string[], size: string): Promise<void> {
  const patch = {
    status: { capacity: { storage: size }, allocatedResourceStatuses: null, conditions: null },
  };
  await Promise.all(
    names.map((name) => plane.api.patch(`/api/v1/namespaces/default/persistentvolumeclaims/${name}/status`, patch)),
  );
}
