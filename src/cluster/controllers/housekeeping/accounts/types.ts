/** The kinds of this folder, with the fields that are looked at. */
import type { KubeObject } from "../../../../core/types.ts";
import { defineResource } from "../../../../kube/index.ts";

export interface ServiceAccount extends KubeObject {
  secrets?: { name?: string }[];
}

export interface ConfigMap extends KubeObject {
  data?: Record<string, string>;
}

export interface NamespaceWithPhase extends KubeObject {
  status?: { phase?: string };
}

export const ACCOUNTS = defineResource<ServiceAccount>("v1", "ServiceAccount", "serviceaccounts");
export const MAPS = defineResource<ConfigMap>("v1", "ConfigMap", "configmaps");
export const SPACES = defineResource<NamespaceWithPhase>("v1", "Namespace", "namespaces", "Cluster");
