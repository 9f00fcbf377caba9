/** Whether a pod serves. */
import type { Pod } from "../../../../../core/types.ts";

export function isPodReady({ status }: Pod): boolean {
  return status?.conditions?.some(({ type, status: holds }) => type === "Ready" && holds === "True") === true;
}
