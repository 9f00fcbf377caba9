/**
 * Which changes of a claim are a reason to look at it at once.
 *
 * Our own writes are not, nor is anything else that leaves the request and the state as they are: otherwise a failing
 * driver would be called as often as somebody touches the claim. The watch may bring a write of ours before its answer
 * is there, or on top of changes of others, so our writes are known by what they say and not by their versions. One
 * that lies on top of another request than the step began with is news all the same: that request is yet to be seen to.
 */
import { type ClaimView, readClaim } from "../../core/claim.ts";
import { STORAGE_RESIZER } from "../../core/names.ts";
import type { PersistentVolumeClaim } from "../../core/types.ts";
import { keyOf, type Source } from "../../kube/index.ts";

export interface News {
  /** A step begins, with the claim as it is in the cache. */
  begin(key: string, claim: PersistentVolumeClaim): void;
  /** The step under way is about to write the claim like this. */
  writing(claim: PersistentVolumeClaim): void;
  /** The step is over. What it wrote may still come. */
  end(key: string): void;
  /** The claim is gone, or at rest. */
  forget(key: string): void;
  /** Whether this change is one to act on now. `failing`: it will be tried again in any case, after its backoff. */
  isNews(before: PersistentVolumeClaim, after: PersistentVolumeClaim, source: Source, failing: boolean): boolean;
}

export function createNews(): News {
  const busy = new Set<string>();
  /** By key: the request that the latest step began with, and what it wrote. */
  const steps = new Map<string, { readonly request: bigint; readonly written: Set<string> }>();

  return {
    begin(key, claim) {
      busy.add(key);
      steps.set(key, { request: readClaim(claim).request.nanos, written: new Set() });
    },
    writing(claim) {
      const view = readClaim(claim);
      const step = steps.get(keyOf(claim.metadata));
      if (step?.request === view.request.nanos) step.written.add(gist(view));
    },
    end: (key) => void busy.delete(key),
    forget: (key) => void steps.delete(key),
    isNews(before, after, source, failing) {
      const key = keyOf(after.metadata);
      if (source === "write") return false;
      if (source === "resync") return !failing && !busy.has(key);
      const is = gist(readClaim(after));
      return is !== gist(readClaim(before)) && steps.get(key)?.written.has(is) !== true;
    },
  };
}

/** What decisions are made by, conditions aside. */
function gist({ request, allocated, capacity, state, volumeName, phase, annotations }: ClaimView): string {
  const resizer = annotations[STORAGE_RESIZER];
  return [request.nanos, allocated?.nanos, capacity?.nanos, state, volumeName, phase, resizer].join(" ");
}
