/**
 * `ExpansionSource` (cluster-scoped): where a kind of custom resource writes its sizes, which StatefulSets or claims follow
 * them, and where to report. One object teaches Outgrow an operator's kind; no code.
 */
import type { Condition, KubeObject, LabelSelector } from "../core/types.ts";
import type { Rollout } from "../statefulset/types.ts";

/**
 * A size that stands alone, as most operators have it: `.spec.storage.size`. Where an operator has two places for one size, the same
 * template is named twice, and the first place that is given counts.
 */
export interface NamedClaim {
  /**
   * The claim template of the set that has this size; where claims are selected by label, only a name for people. It may have
   * placeholders, as names of sets do.
   */
  template: string;
  /** Where the quantity stands: `.spec.pxc.volumeSpec.persistentVolumeClaim.resources.requests.storage`. */
  path: string;
  /** The set that has the template, where it is not the source's `statefulSetName`. */
  statefulSetName?: string;
  /** The claims that have this size, where there is no set: beats the source's own selectors. */
  claimSelector?: LabelSelector;
}

/**
 * Exactly one of `claimTemplatesPath` and `claims` says where sizes are; exactly one of `statefulSetName`,
 * `statefulSetSelector` and `claimSelector` (or one in each named claim) says who follows them. Names and label values may have
 * `{name}`, `{namespace}` and, where the path goes through a list, `{item.FIELD}`.
 *
 * A path is written as in JSONPath, from the resource down: `.spec.a.b`, `.spec["with.dots"]`, `.spec.list[0]`; one list on the way
 * may be gone through whole, `.spec.nodeSets[*].volumeClaimTemplates`.
 */
export interface ExpansionSourceSpec {
  resource: { group: string; version: string; kind: string; plural: string };
  /** A list in the shape of a StatefulSet's volumeClaimTemplates. */
  claimTemplatesPath?: string;
  claims?: NamedClaim[];
  statefulSetName?: string;
  /** Every set in the resource's namespace with these labels follows. */
  statefulSetSelector?: LabelSelector;
  /** An operator without StatefulSets: the claims themselves, by label. */
  claimSelector?: LabelSelector;
  /** The type of the condition that is reported on each resource; none is when this is left out. */
  condition?: string;
  /** @default .status.conditions */
  conditionsPath?: string;
  /** The operator is told to keep its hands off while this is so, and so are we. Without `equals`: when it is there and not false. */
  paused?: { path: string; equals?: string };
  /** `Operator`: it grows its volumes itself, and well; we only watch and report. @default Outgrow */
  grownBy?: "Outgrow" | "Operator";
  /**
   * Who creates a set again that was deleted to change its template. An operator that does not within a minute is not waited for
   * any longer: pods must not be without a set. @default Outgrow
   */
  recreatedBy?: "Outgrow" | "Operator";
  /** What records get that nobody has written yet. */
  rollout?: Rollout;
  restartPods?: "Never" | "WhenNeeded";
}

/** What a controller that is limited to namespaces found in one of them. */
export interface NamespaceShare {
  namespace: string;
  /** How many resources follow the source there. */
  resources: number;
  /** As in the condition `Ready`. */
  status: string;
  reason: string;
  message: string;
}

export interface ExpansionSourceStatus {
  observedGeneration?: number;
  /** How many resources follow it now; the sum, where controllers are limited to namespaces. */
  resources?: number;
  /** Where controllers are limited to namespaces: each writes about its own and nobody else's, and the rest is summed up from here. */
  namespaces?: NamespaceShare[];
  /** `Ready`: the kind is there, we may read and patch what we need to, and no other source claims the same sets. */
  conditions?: Condition[];
}

export interface ExpansionSource extends KubeObject {
  spec: ExpansionSourceSpec;
  status?: ExpansionSourceStatus;
}
