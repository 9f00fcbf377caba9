/** Keeps a claim that is being deleted for as long as a pod on a node uses it. */
import type { PersistentVolumeClaim, Pod } from "../../../../../core/types.ts";
import { keyOf, refOfKey } from "../../../../../kube/index.ts";
import type { Behaviour, Controller } from "../../../shared/run-controller.ts";
import { CLAIM_PROTECTION } from "../../decide/names.ts";
import { claimNamesOf, holdsClaim } from "../../decide/pod-claims.ts";
import {
  runVolumeController,
  type VolumeControllerOptions,
  type VolumeSurroundings,
} from "../../shared/run-volume-controller.ts";
import { createWriter } from "../../shared/writer.ts";
import { protectedBy, protectionStep, unprotectedBy } from "../decide/finalizer.ts";
import { createLivePods } from "./live-pods.ts";

/** Starts at once; the caller stops it, and closes the client. */
export function startClaimProtection(options: VolumeControllerOptions): Controller {
  const names = { name: "pvc-protection", component: "pvc-protection-controller" };
  return runVolumeController({ ...options, ...names }, begin);
}

function begin({ client, view, queue, signal }: VolumeSurroundings): Behaviour {
  const { claims, pods } = view;
  const writer = createWriter(client, view, signal);
  const livePods = createLivePods(client, signal);

  /** The cache can say that a claim is used; that it is not, only the API server can. */
  async function isUsed(claim: PersistentVolumeClaim): Promise<boolean> {
    const holds = (pod: Pod): boolean => holdsClaim(pod, claim);
    if (pods.byIndex("claim", keyOf(claim.metadata)).some(holds)) return true;
    return (await livePods.of(claim.metadata.namespace ?? "")).some(holds);
  }

  const addClaim = (claim: PersistentVolumeClaim): void => {
    if (protectionStep(claim.metadata, CLAIM_PROTECTION) !== "none") queue.add(keyOf(claim.metadata));
  };
  const addClaimsOf = (pod: Pod): void => {
    for (const name of claimNamesOf(pod)) {
      const claim = claims.get({ namespace: pod.metadata.namespace, name });
      if (claim !== undefined) addClaim(claim);
    }
  };
  const ends = [
    claims.addHandler({ added: addClaim, updated: (_, after) => addClaim(after) }),
    pods.addHandler({ updated: (_, after) => addClaimsOf(after), deleted: addClaimsOf }),
  ];

  return {
    borrowed: [claims, pods],
    async reconcile(key) {
      const claim = claims.get(refOfKey(key));
      if (claim === undefined) return;
      switch (protectionStep(claim.metadata, CLAIM_PROTECTION)) {
        case "none":
          return;
        case "add":
          await writer.claim(claim, protectedBy(claim, CLAIM_PROTECTION));
          return;
        case "remove-when-unused":
          if (!(await isUsed(claim))) await writer.claim(claim, unprotectedBy(claim, CLAIM_PROTECTION));
          return;
      }
    },
    end() {
      for (const end of ends) end();
    },
  };
}
