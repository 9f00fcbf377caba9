/** The binder: brings claims and volumes together, and keeps both sides of every binding as they should be. */
import { storageClasses } from "../../../../../admission/storage-classes.ts";
import { classNameOf } from "../../../../../core/claim.ts";
import type { PersistentVolume, PersistentVolumeClaim } from "../../../../../core/types.ts";
import { CLAIMS, ifThere, keyOf, refOfKey } from "../../../../../kube/index.ts";
import type { Behaviour, Controller } from "../../../shared/run-controller.ts";
import { claimKeyOf } from "../../decide/claim-key.ts";
import {
  runVolumeController,
  type VolumeControllerOptions,
  type VolumeSurroundings,
} from "../../shared/run-volume-controller.ts";
import { createTeller } from "../../shared/teller.ts";
import { createWriter } from "../../shared/writer.ts";
import { applyToClaim } from "../apply/claim.ts";
import { applyToVolume } from "../apply/volume.ts";
import { decideClaim } from "../decide/claim.ts";
import { decideVolume, mustAskForClaim } from "../decide/volume.ts";
import { createReservations } from "./reservations.ts";
import { wakeBinder } from "./wake.ts";

/** Starts at once; the caller stops it, and closes the client. */
export function startBinder(options: VolumeControllerOptions): Controller {
  const names = { name: "persistentvolume-binder", component: "persistentvolume-controller" };
  return runVolumeController({ ...options, ...names }, begin);
}

function begin({ client, view, queue, recorder, signal }: VolumeSurroundings): Behaviour {
  const { claims, volumes, classes, pods } = view;
  const writer = createWriter(client, view, signal);
  const teller = createTeller(recorder);
  const reservations = createReservations();

  async function reconcileClaim(claim: PersistentVolumeClaim): Promise<void> {
    const key = keyOf(claim.metadata);
    const { volumeName = "" } = claim.spec;
    const candidates = volumeName === "" ? volumesFor(claim) : [];
    const decision = decideClaim({
      claim,
      named: volumes.get({ name: volumeName }),
      volumes: candidates,
      classes: storageClasses(classes.values()),
      pods: pods.byIndex("claim", key),
    });
    const release = decision.kind === "bind" ? reservations.reserve(decision.volume, claim) : () => {};
    try {
      await applyToClaim({ writer, teller }, claim, decision);
    } finally {
      release();
    }
  }

  function* volumesFor(claim: PersistentVolumeClaim): Iterable<PersistentVolume> {
    const isOpen = (volume: PersistentVolume): boolean => reservations.isOpen(volume, claim);
    yield* volumes.byIndex("claim", keyOf(claim.metadata)).filter(isOpen);
    yield* volumes.byIndex("free", classNameOf(claim) ?? "").filter(isOpen);
  }

  async function reconcileVolume(volume: PersistentVolume): Promise<void> {
    const claim = await claimOf(volume);
    const decision = decideVolume({ volume, claim });
    const lookAtClaim = (): void => queue.add(claimKeyOf(volume) ?? "");
    await applyToVolume({ writer, teller, lookAtClaim }, volume, claim, decision);
  }

  /** The very claim that the volume refers to. */
  async function claimOf(volume: PersistentVolume): Promise<PersistentVolumeClaim | undefined> {
    const key = claimKeyOf(volume);
    if (key === undefined) return undefined;
    const held = claims.get(refOfKey(key));
    const uid = volume.spec.claimRef?.uid;
    const claim = mustAskForClaim(volume, held) ? await ifThere(client.get(CLAIMS, refOfKey(key), {}, signal)) : held;
    return claim?.metadata.uid === uid ? claim : undefined;
  }

  return {
    borrowed: [claims, volumes, classes, pods],
    async reconcile(key) {
      if (key.includes("/")) {
        const claim = claims.get(refOfKey(key));
        if (claim !== undefined) await reconcileClaim(claim);
      } else {
        const volume = volumes.get({ name: key });
        if (volume !== undefined) await reconcileVolume(volume);
      }
    },
    end: wakeBinder(view, queue, teller),
  };
}
