/** How Outgrow got into a cluster, and so the commands that take it out again. */
import { WISH_ANNOTATION } from "../../core/names.ts";
import type { KubeObject } from "../../core/types.ts";
import { EXPANSION_SOURCE_DEFINITION } from "../../source/install/definition.ts";
import { VOLUME_EXPANSION_DEFINITION } from "../../statefulset/index.ts";
import { DEFAULTS } from "../manifests/options.ts";

/** What is in the cluster that we brought. */
export interface Presence {
  /** The controller's Deployment; undefined when nobody has installed it. */
  readonly deployment: InstalledDeployment | undefined;
  /** Whether the definition of the record or that of sources is there. */
  readonly definition: boolean;
  /** The sources that are followed, by name. */
  readonly sources: readonly string[];
  /** How many sets carry a wish. */
  readonly wishes: number;
  /** Of the API server, as `v1.36.3`. */
  readonly version: string;
}

export interface InstalledDeployment extends KubeObject {
  readonly spec?: {
    readonly template?: { readonly spec?: { readonly containers?: readonly { readonly args?: readonly string[] }[] } };
  };
}

/** Commands to type in this order; none when nothing of ours is there. */
export function removalCommands({ deployment, definition, sources, wishes, version }: Presence): readonly string[] {
  // With the definition of sources they go by themselves; their roles and policies do not.
  const commands = sources.map((name) => `outgrow sources disable ${name}`);
  const release = deployment?.metadata.annotations?.["meta.helm.sh/release-name"];
  if (deployment !== undefined) {
    const { namespace = DEFAULTS.namespace } = deployment.metadata;
    commands.push(
      release === undefined
        ? `outgrow manifests${flagsOf(deployment, namespace, version)} | kubectl delete --ignore-not-found -f -`
        : `helm uninstall ${release} --namespace ${namespace}`,
    );
  }
  // Helm keeps definitions, because everything that is defined by them goes with them.
  if (definition && (release !== undefined || deployment === undefined)) {
    const names = [VOLUME_EXPANSION_DEFINITION, EXPANSION_SOURCE_DEFINITION].map(({ metadata }) => metadata.name);
    commands.push(`kubectl delete --ignore-not-found customresourcedefinition ${names.join(" ")}`);
  }
  if (wishes > 0) commands.push(`kubectl annotate statefulsets --all --all-namespaces ${WISH_ANNOTATION}-`);
  return commands;
}

/** Those with which `outgrow manifests` prints what is installed, by what the controller was told. */
function flagsOf({ spec }: InstalledDeployment, namespace: string, version: string): string {
  const args = spec?.template?.spec?.containers?.flatMap((container) => container.args ?? []) ?? [];
  const watched = args.flatMap((word) => (word.startsWith("--namespace=") ? [word.slice("--namespace=".length)] : []));
  const flags = [
    // In a namespace that somebody chose there may be more than we brought, and it would go along.
    ...(namespace === DEFAULTS.namespace ? [] : [`--namespace ${namespace} --keep-namespace`]),
    ...watched.map((name) => `--watch-namespace ${name}`),
    ...(args.some((word) => word.startsWith("--webhook-port")) ? [`--kubernetes-version ${version}`] : []),
  ];
  return flags.map((flag) => ` ${flag}`).join("");
}
