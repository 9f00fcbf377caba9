/**
 * The controllers of the embedded cluster, by the names under which each can be left to somebody else. In a file of their own: who only
 * names them need not load them.
 */

/** Those that work on volumes, through one view. */
export const VOLUME_PARTS = ["binder", "provisioner", "claim-protection", "volume-protection", "attacher"] as const;
export type VolumePart = (typeof VOLUME_PARTS)[number];

export const CONTROLLERS = [
  "statefulset",
  ...VOLUME_PARTS,
  "garbage-collector",
  "namespace",
  "quota",
  "service-account",
  "root-certificate",
  "token",
  "disruption",
  "endpoint",
  "scheduler",
  "node",
  "resizer",
  "growth",
] as const;
export type ControllerName = (typeof CONTROLLERS)[number];
