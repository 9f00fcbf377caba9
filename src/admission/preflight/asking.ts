import type { Quantity } from "../../core/quantity.ts";
import { type PersistentVolumeClaim, STORAGE } from "../../core/types.ts";

/** The claim as it will be when it asks for this size: what the API server is going to judge. */
export function asking(claim: PersistentVolumeClaim, size: Quantity): PersistentVolumeClaim {
  const { resources } = claim.spec;
  const requests = { ...resources?.requests, [STORAGE]: size.toString() };
  return { ...claim, spec: { ...claim.spec, resources: { ...resources, requests } } };
}
