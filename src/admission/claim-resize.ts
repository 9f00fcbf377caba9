/**
 * May this claim grow? Upstream's admission plugin PersistentVolumeClaimResize: only a bound claim, and only when the
 * class that it was and is made with exists and allows expansion (KEP-284). A claim that asks for less is not looked at.
 */
import { classNameOf, readClaim } from "../core/claim.ts";
import type { PersistentVolumeClaim } from "../core/types.ts";
import type { StorageClasses } from "./storage-classes.ts";

/** Why a claim may not grow. Kubernetes has one text for all but the first. */
export type ResizeObstacle =
  | { readonly kind: "not-bound"; readonly phase: string }
  | { readonly kind: "no-class" }
  | { readonly kind: "class-differs"; readonly from: string; readonly to: string }
  | { readonly kind: "class-missing"; readonly className: string }
  | { readonly kind: "class-rigid"; readonly className: string };

/** What stands against this edit; undefined when it does not grow the claim, or may. */
export function resizeObstacle(
  old: PersistentVolumeClaim,
  next: PersistentVolumeClaim,
  classes: StorageClasses,
): ResizeObstacle | undefined {
  const before = readClaim(old);
  if (!readClaim(next).request.moreThan(before.request)) return undefined;
  if (before.phase !== "Bound") return { kind: "not-bound", phase: before.phase };
  const [from, to] = [classNameOf(old) ?? "", classNameOf(next) ?? ""];
  if (from === "" || to === "") return { kind: "no-class" };
  if (from !== to) return { kind: "class-differs", from, to };
  return classObstacle(to, classes);
}

/** What stands against growing in the class of this name; undefined when it exists and allows expansion. */
export function classObstacle(
  className: string,
  classes: StorageClasses,
): Extract<ResizeObstacle, { className: string }> | undefined {
  const found = classes.named(className);
  if (found === undefined) return { kind: "class-missing", className };
  return found.allowVolumeExpansion === true ? undefined : { kind: "class-rigid", className };
}

/** The reason as Kubernetes puts it. */
export function resizeRefusal(obstacle: ResizeObstacle): string {
  return obstacle.kind === "not-bound"
    ? "Only bound persistent volume claims can be expanded"
    : "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize";
}

/** The reason as a person needs it: what is in the way, and the way out. */
export function explainObstacle(obstacle: ResizeObstacle): string {
  switch (obstacle.kind) {
    case "not-bound":
      return `the claim is ${obstacle.phase === "" ? "not bound" : obstacle.phase}; only a bound claim can grow, so bind it first`;
    case "no-class":
      return "the claim names no storage class; only claims of a class that allows expansion can grow";
    case "class-differs":
      return `the claim was made with storage class "${obstacle.from}", not "${obstacle.to}"; grow it without changing the class`;
    case "class-missing":
      return `storage class "${obstacle.className}" does not exist; create it with allowVolumeExpansion: true`;
    case "class-rigid":
      return `storage class "${obstacle.className}" does not allow expansion; set allowVolumeExpansion: true on it`;
  }
}
