/**
 * The provisioner of one CSI driver: makes the volumes that the binder asks for, and deletes those that are released.
 * What external-provisioner is in other clusters.
 */
import { classNameOf } from "../../../../../core/claim.ts";
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from "../../../../../core/types.ts";
import { openCsiClient, socketPath } from "../../../../../csi/index.ts";
import { keyOf, refOfKey } from "../../../../../kube/index.ts";
import type { Behaviour, Controller } from "../../../shared/run-controller.ts";
import { PROVISIONED_BY } from "../../decide/names.ts";
import {
  runVolumeController,
  type VolumeControllerOptions,
  type VolumeSurroundings,
} from "../../shared/run-volume-controller.ts";
import { createWriter } from "../../shared/writer.ts";
import { deleteVolume } from "../apply/delete-volume.ts";
import { type Provisioned, provision } from "../apply/provision.ts";
import { provisionerOf, shouldProvision, volumeNameFor } from "../decide/should-provision.ts";
import { decideProvisioned } from "../decide/volume.ts";

export interface ProvisionerOptions extends VolumeControllerOptions {
  /** The driver's name, as classes and volumes give it. */
  readonly driver: string;
  /** The driver's socket: a path, or `unix://` and a path. It need not be there yet. */
  readonly address: string;
  /** How long the driver has for one call, in milliseconds. @default 10_000 */
  readonly timeoutMs?: number;
  /**
   * The waits between failed attempts, in milliseconds. @default from 1 second to 5 minutes, as external-provisioner
   */
  readonly backoff?: { readonly base: number; readonly max: number };
}

interface Wanted {
  readonly claim: PersistentVolumeClaim;
  readonly storageClass: StorageClass;
}

/** Starts at once; the caller stops it, and closes the client. Throws `CSI_ADDRESS_INVALID`. */
export function startProvisioner(options: ProvisionerOptions): Controller {
  const { driver, backoff = { base: 1_000, max: 300_000 } } = options;
  // Before anything is begun.
  socketPath(options.address);
  const names = { name: `provisioner-${driver}`, component: `external-provisioner ${driver}` };
  const waits = { backoffBase: backoff.base, backoffMax: backoff.max };
  return runVolumeController({ ...options, ...names, ...waits }, (surroundings) => begin(options, surroundings));
}

function begin(options: ProvisionerOptions, surroundings: VolumeSurroundings): Behaviour {
  const { driver, address, timeoutMs = 10_000 } = options;
  const { client, view, queue, recorder, timers, signal } = surroundings;
  const { claims, volumes, classes } = view;
  const csi = openCsiClient({ address, timeoutMs });
  const writer = createWriter(client, view, signal);
  const identity = `${timers.now()}-${driver}`;
  const tools = { client, csi, recorder, writer, driver, identity, signal };
  /**
   * Claims, with their classes, for which the driver may have made a volume without saying so. Each is asked for again
   * until the driver says, even if the claim is gone by then: a volume that has no object would never be deleted.
   */
  const inDoubt = new Map<string, Wanted>();

  async function reconcileClaim(key: string): Promise<void> {
    const wanted = inDoubt.get(key) ?? wantedBy(claims.get(refOfKey(key)));
    if (wanted === undefined) return;
    const { claim, storageClass } = wanted;
    const isMade = volumes.get({ name: volumeNameFor(claim) }) !== undefined;
    const attempt: Provisioned = isMade ? { inDoubt: false } : await provision(tools, claim, storageClass);
    if (attempt.inDoubt === true) inDoubt.set(key, wanted);
    // Now that this is settled: another claim of the same name may have come since.
    if (attempt.inDoubt === false && inDoubt.delete(key)) queue.add(key);
    if (attempt.error !== undefined) throw attempt.error;
  }

  function wantedBy(claim: PersistentVolumeClaim | undefined): Wanted | undefined {
    if (claim === undefined) return undefined;
    const storageClass = classes.get({ name: classNameOf(claim) ?? "" });
    return shouldProvision(claim, storageClass, driver) ? { claim, storageClass } : undefined;
  }

  async function reconcileVolume(volume: PersistentVolume): Promise<void> {
    const decision = decideProvisioned(volume, driver);
    switch (decision.kind) {
      case "nothing":
        return;
      case "finalizers": {
        const metadata = { ...volume.metadata, finalizers: [...decision.finalizers] };
        await writer.volume(volume, { ...volume, metadata });
        return;
      }
      case "delete":
        await deleteVolume(tools, volume);
        return;
    }
  }

  const addClaim = (claim: PersistentVolumeClaim): void => {
    if (!claim.spec.volumeName && provisionerOf(claim) === driver) queue.add(keyOf(claim.metadata));
  };
  const addVolume = (volume: PersistentVolume): void => {
    if (volume.metadata.annotations?.[PROVISIONED_BY] === driver) queue.add(volume.metadata.name);
  };
  const addClaimsOf = (className: string): void => claims.byIndex("class", className).forEach(addClaim);
  const ends = [
    claims.addHandler({ added: addClaim, updated: (_, after) => addClaim(after) }),
    volumes.addHandler({ added: addVolume, updated: (_, after) => addVolume(after) }),
    classes.addHandler({
      added: ({ metadata }) => addClaimsOf(metadata.name),
      updated: (_, { metadata }) => addClaimsOf(metadata.name),
    }),
    () => csi.stop(),
  ];

  return {
    borrowed: [claims, volumes, classes],
    async reconcile(key) {
      if (key.includes("/")) {
        await reconcileClaim(key);
        return;
      }
      const volume = volumes.get({ name: key });
      if (volume !== undefined) await reconcileVolume(volume);
    },
    end() {
      for (const end of ends) end();
    },
  };
}
