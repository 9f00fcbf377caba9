/** Volumes: claims, what backs them, and the drivers behind. */
import { BETA_STORAGE_CLASS, DEFAULT_CLASS_ANNOTATIONS } from "../../../../core/names.ts";
import type { JsonObject } from "../../json.ts";
import { at, flag, isDeleting, items, optionalText, present, quantity, text, texts } from "../fields.ts";
import { AGE, BOOLEAN, column, INTEGER, NAME, NAME_FORMAT, nameOf, printer, WIDE } from "../printer.ts";

const UNSET = "<unset>";

const phase = column("Status", (object) => (isDeleting(object) ? "Terminating" : text(object, "status", "phase")));
const className = column(
  "StorageClass",
  (object) =>
    optionalText(object, "metadata", "annotations", BETA_STORAGE_CLASS) ?? text(object, "spec", "storageClassName"),
);
const attributesClass = column(
  "VolumeAttributesClass",
  (object) => optionalText(object, "spec", "volumeAttributesClassName") ?? UNSET,
);
const volumeMode = column("VolumeMode", (object) => optionalText(object, "spec", "volumeMode") ?? UNSET, WIDE);

const SHORT_MODES = [
  ["ReadWriteOnce", "RWO"],
  ["ReadOnlyMany", "ROX"],
  ["ReadWriteMany", "RWX"],
  ["ReadWriteOncePod", "RWOP"],
] as const;

function accessModes(modes: readonly string[]): string {
  return SHORT_MODES.filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(",");
}

/** Size and modes are those of the volume, so that there are none before one is chosen. */
export const persistentVolumeClaims = printer([
  NAME,
  phase,
  column("Volume", (claim) => text(claim, "spec", "volumeName")),
  column("Capacity", (claim) => (hasVolume(claim) ? quantity(claim, "status", "capacity", "storage") : "")),
  column("Access Modes", (claim) => (hasVolume(claim) ? accessModes(texts(claim, "status", "accessModes")) : "")),
  className,
  attributesClass,
  AGE,
  volumeMode,
]);

function hasVolume(claim: JsonObject): boolean {
  return text(claim, "spec", "volumeName") !== "";
}

export const persistentVolumes = printer([
  NAME,
  column("Capacity", (volume) => quantity(volume, "spec", "capacity", "storage")),
  column("Access Modes", (volume) => accessModes(texts(volume, "spec", "accessModes"))),
  column("Reclaim Policy", (volume) => text(volume, "spec", "persistentVolumeReclaimPolicy")),
  phase,
  column("Claim", (volume) => {
    const claim = at(volume, "spec", "claimRef") ?? null;
    return claim === null ? "" : `${text(claim, "namespace")}/${text(claim, "name")}`;
  }),
  className,
  attributesClass,
  column("Reason", (volume) => text(volume, "status", "reason")),
  AGE,
  volumeMode,
]);

export const storageClasses = printer([
  column("Name", (sc) => (isDefault(sc) ? `${nameOf(sc)} (default)` : nameOf(sc)), NAME_FORMAT),
  column("Provisioner", (sc) => text(sc, "provisioner")),
  column("ReclaimPolicy", (sc) => optionalText(sc, "reclaimPolicy") ?? "Delete"),
  column("VolumeBindingMode", (sc) => optionalText(sc, "volumeBindingMode") ?? "Immediate"),
  column("AllowVolumeExpansion", (sc) => flag(sc, "allowVolumeExpansion")),
  AGE,
]);

function isDefault(storageClass: JsonObject): boolean {
  return DEFAULT_CLASS_ANNOTATIONS.some((name) => text(storageClass, "metadata", "annotations", name) === "true");
}

export const volumeAttributesClasses = printer([
  NAME,
  column("DriverName", (attributes) => text(attributes, "driverName")),
  AGE,
]);

export const volumeAttachments = printer([
  NAME,
  column("Attacher", (attachment) => text(attachment, "spec", "attacher"), NAME_FORMAT),
  column("PV", (attachment) => text(attachment, "spec", "source", "persistentVolumeName")),
  column("Node", (attachment) => text(attachment, "spec", "nodeName")),
  column("Attached", (attachment) => flag(attachment, "status", "attached"), BOOLEAN),
  AGE,
]);

export const csiNodes = printer([
  NAME,
  column("Drivers", (node) => items(node, "spec", "drivers").length, INTEGER),
  AGE,
]);

export const csiDrivers = printer([
  NAME,
  column("AttachRequired", (driver) => at(driver, "spec", "attachRequired") !== false, BOOLEAN),
  column("PodInfoOnMount", (driver) => flag(driver, "spec", "podInfoOnMount"), BOOLEAN),
  column("StorageCapacity", (driver) => flag(driver, "spec", "storageCapacity"), BOOLEAN),
  column("TokenRequests", (driver) =>
    present(driver, "spec", "tokenRequests")
      ? items(driver, "spec", "tokenRequests")
          .map((request) => text(request, "audience"))
          .join(",")
      : UNSET,
  ),
  column("RequiresRepublish", (driver) => flag(driver, "spec", "requiresRepublish"), BOOLEAN),
  column("Modes", (driver) => texts(driver, "spec", "volumeLifecycleModes").join(",") || "<none>"),
  AGE,
]);
