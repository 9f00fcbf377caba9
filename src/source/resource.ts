/** The source in the API: what it is called there. */
import { defineResource } from "../kube/index.ts";
import type { ExpansionSource } from "./types.ts";

export const EXPANSION_SOURCES = defineResource<ExpansionSource>(
  "outgrow.dev/v1alpha1",
  "ExpansionSource",
  "expansionsources",
  "Cluster",
);
