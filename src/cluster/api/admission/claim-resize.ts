/** Whether a claim may grow: the rule core's answer, as an admission plugin (upstream PersistentVolumeClaimResize). */
import { resizeObstacle, resizeRefusal } from "../../../admission/claim-resize.ts";
import type { PersistentVolumeClaim } from "../../../core/types.ts";
import { type KnownKind, read } from "./known-kind.ts";
import { type Lookup, storedClasses } from "./lookup.ts";
import type { AdmissionPlugin } from "./plugin.ts";
import { forbid, isAbout } from "./request.ts";

const CLAIM: KnownKind<PersistentVolumeClaim> = { apiVersion: "v1", kind: "PersistentVolumeClaim" };

export function persistentVolumeClaimResize(lookup: Lookup): AdmissionPlugin {
  const classes = storedClasses(lookup);
  return {
    name: "PersistentVolumeClaimResize",
    validate(request) {
      const { old, object } = request;
      if (old === undefined || object === undefined || !isAbout(request, CLAIM)) return;
      const obstacle = resizeObstacle(read(CLAIM, old), read(CLAIM, object), classes);
      if (obstacle !== undefined) throw forbid(request, resizeRefusal(obstacle));
    },
  };
}
