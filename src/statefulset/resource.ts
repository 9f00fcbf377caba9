/** The record in the API: what it is called there. */
import { defineResource } from "../kube/index.ts";
import type { VolumeExpansion } from "./types.ts";

export const VOLUME_EXPANSIONS = defineResource<VolumeExpansion>(
  "outgrow.dev/v1alpha1",
  "VolumeExpansion",
  "volumeexpansions",
);
