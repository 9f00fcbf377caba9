/** How Outgrow got into a cluster, and so the commands that take it out again. */
import { WISH_ANNOTATION } from "../../core/names.ts";
import type { KubeObject } from "../../core/types.ts";
import { VOLUME_EXPANSION_DEFINITION } from "../../statefulset/install/definition.ts";
import { admissionFor, DEFAULTS } from "../manifests/options.ts";

/** What is in the cluster that we brought. */
export interface Presence {
  /** The ClusterRoleBinding of the controller; undefined when nobody has installed it. */
  readonly binding: InstalledBinding | undefined;
  /** Whether the definition of the record is there. */
  readonly definition: boolean;
  /** How many sets carry a wish. */
  readonly wishes: number;
  /** Of the API server, as `v1.36.3`. */
  readonly version: string;
}

export interface InstalledBinding extends KubeObject {
  readonly subjects?: readonly { readonly namespace?: string }[];
}

/** Commands to type in this order; none when nothing of ours is there. */
export function removalCommands({ binding, definition, wishes, version }: Presence): readonly string[] {
  const commands: string[] = [];
  const release = binding?.metadata.annotations?.["meta.helm.sh/release-name"];
  if (release !== undefined) {
    const namespace = binding?.metadata.annotations?.["meta.helm.sh/release-namespace"] ?? "default";
    commands.push(`helm uninstall ${release} --namespace ${namespace}`);
  } else if (binding !== undefined) {
    commands.push(`outgrow manifests${flags(binding, version)} | kubectl delete --ignore-not-found -f -`);
  }
  // Helm keeps definitions, because everything that is defined by them goes with them.
  if (definition && (release !== undefined || binding === undefined)) {
    commands.push(`kubectl delete customresourcedefinition ${VOLUME_EXPANSION_DEFINITION.metadata.name}`);
  }
  if (wishes > 0) commands.push(`kubectl annotate statefulsets --all --all-namespaces ${WISH_ANNOTATION}-`);
  return commands;
}

function flags({ subjects }: InstalledBinding, version: string): string {
  const namespace = subjects?.[0]?.namespace ?? DEFAULTS.namespace;
  const place = namespace === DEFAULTS.namespace ? "" : ` --namespace ${namespace}`;
  return admissionFor(version) === DEFAULTS.admission ? place : `${place} --kubernetes-version ${version}`;
}
