/** The volume controllers of the embedded cluster; README.md says what they do. */
export { VOLUME_PARTS, type VolumePart } from "../names.ts";
export { type AttacherOptions, startAttacher, VOLUME_ATTACHMENTS, type VolumeAttachment } from "./attacher/attacher.ts";
export { startBinder } from "./binder/controller/binder.ts";
export { volumeForClaim } from "./binder/decide/binding.ts";
export { findVolume, type MatchOptions } from "./binder/decide/match.ts";
export * from "./decide/names.ts";
export { startClaimProtection } from "./protection/controller/claim-protection.ts";
export { startVolumeProtection } from "./protection/controller/volume-protection.ts";
export { type ProvisionerOptions, startProvisioner } from "./provisioner/controller/provisioner.ts";
export type { VolumeControllerOptions } from "./shared/run-volume-controller.ts";
export { startVolumes, type VolumesOptions } from "./start-volumes.ts";
