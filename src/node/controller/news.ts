/**
 * Which changes of a claim are a reason to look at it at once: those that a decision is made by. Conditions are not among
 * them, and neither is the record that the node has begun: both are our own writes, and if they counted, a failing driver
 * would be called again without its backoff.
 */
import { type ClaimView, readClaim } from "../../core/claim.ts";
import type { PersistentVolumeClaim } from "../../core/types.ts";

export function isNews(before: PersistentVolumeClaim, after: PersistentVolumeClaim): boolean {
  return gist(readClaim(before)) !== gist(readClaim(after));
}

function gist({ request, allocated, capacity, state, volumeName }: ClaimView): string {
  const stage = state === "node-in-progress" ? "node-pending" : state;
  return [request.nanos, allocated?.nanos, capacity?.nanos, stage, volumeName].join(" ");
}
