/** The pod and the claims that a StatefulSet makes for an ordinal (stateful_set_utils.go, GetPodFromTemplate). */
import type { PersistentVolumeClaim, Pod, PodSpec, StatefulSet } from "../../../../core/types.ts";
import { claimName, controllerReference, POD_INDEX_LABEL, POD_NAME_LABEL, podName, REVISION_LABEL } from "./names.ts";
import { changedTies } from "./retention.ts";
import type { PodTemplate } from "./revision.ts";

type Volumes = NonNullable<PodSpec["volumes"]>;

export function newPod(set: StatefulSet, template: PodTemplate, revision: string, ordinal: number): Pod {
  const { labels, annotations, finalizers } = template.metadata ?? {};
  const name = podName(set, ordinal);
  const volumes = volumesWithClaims(set, template.spec?.volumes ?? [], ordinal);
  const spec = { ...template.spec, hostname: name, subdomain: set.spec.serviceName ?? "" };
  const metadata = {
    name,
    generateName: `${set.metadata.name}-`,
    ...namespaceOf(set),
    labels: { ...labels, ...identityLabels(set, ordinal), [REVISION_LABEL]: revision },
    ...(annotations === undefined ? {} : { annotations }),
    ...(finalizers === undefined ? {} : { finalizers }),
    ownerReferences: [controllerReference("StatefulSet", set)],
  };
  return { metadata, spec: volumes.length === 0 ? spec : { ...spec, volumes } };
}

/** The labels by which a pod is known as this member. */
export function identityLabels(set: StatefulSet, ordinal: number): Record<string, string> {
  return { [POD_NAME_LABEL]: podName(set, ordinal), [POD_INDEX_LABEL]: String(ordinal) };
}

/** The claims of one member, tied to the set where its policy says so, in the order of the templates. */
export function newClaims(set: StatefulSet, pod: Pod, ordinal: number): readonly PersistentVolumeClaim[] {
  return (set.spec.volumeClaimTemplates ?? []).map(({ metadata, spec }) => {
    const labels = { ...metadata.labels, ...set.spec.selector.matchLabels };
    const claim: PersistentVolumeClaim = {
      metadata: { ...metadata, name: claimName(set, metadata.name, ordinal), ...namespaceOf(set), labels },
      spec,
    };
    const ties = changedTies(claim, set, { pod, inRange: true });
    return ties === undefined ? claim : { ...claim, metadata: { ...claim.metadata, ownerReferences: [...ties] } };
  });
}

/** The volumes of a pod with those of the set's claims among them; a volume of the same name gives way. */
export function volumesWithClaims(set: StatefulSet, volumes: Volumes, ordinal: number): Volumes {
  const templates = (set.spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata.name);
  return [
    ...templates.map((name) => ({ name, persistentVolumeClaim: { claimName: claimName(set, name, ordinal) } })),
    ...volumes.filter(({ name }) => !templates.includes(name)),
  ];
}

/** Whether a pod mounts all claims of its ordinal. */
export function mountsItsClaims(set: StatefulSet, pod: Pod, ordinal: number): boolean {
  return (set.spec.volumeClaimTemplates ?? []).every(({ metadata: { name } }) => {
    const volume = pod.spec.volumes?.find((each) => each.name === name);
    return volume?.persistentVolumeClaim?.claimName === claimName(set, name, ordinal);
  });
}

function namespaceOf({ metadata: { namespace } }: StatefulSet): { namespace?: string } {
  return namespace === undefined ? {} : { namespace };
}
