/** What following one source takes in a cluster: its rights, what is refused when somebody writes a size, and the source itself. */

import { policiesForSource, SOURCE_LABEL } from "../../source/install/policies.ts";
import { rulesForSource } from "../../source/install/role.ts";
import type { ExpansionSource } from "../../source/types.ts";
import { binding, role } from "./access.ts";
import { bound } from "./admission.ts";
import type { InstallOptions } from "./options.ts";
import { type Explained, LABELS, type Manifest } from "./part.ts";

/** The name of its role and bindings. */
export const roleOfSource = (source: string): string => `outgrow-source-${source}`;

/** In the order in which they are applied: the source comes last, when the controller may do what it asks for. */
export function sourceObjects(
  source: ExpansionSource,
  { namespace, watched, admission }: Pick<InstallOptions, "namespace" | "watched" | "admission">,
): readonly Explained[] {
  const { metadata, spec } = source;
  const { kind } = spec.resource;
  const name = roleOfSource(metadata.name);
  const policies = (admission === "policies" ? policiesForSource(source) : []) as readonly Manifest[];
  return [
    {
      why: `To follow ${kind}: it is read${spec.condition === undefined ? "" : ", and a condition reported"}; nothing else in it is written.`,
      object: ofSource(role("ClusterRole", name, rulesForSource(spec)), metadata.name),
    },
    ...bindings(name, namespace, watched).map(({ why, object }) => ({ why, object: ofSource(object, metadata.name) })),
    ...policies.map((object) =>
      object.kind.endsWith("Binding")
        ? { why: "In every namespace where sets grow.", object: bound(object, watched) }
        : { why: `What a size in ${kind} can never become is refused at once, in words.`, object },
    ),
    { why: `Where ${kind} has its sizes, and who follows them.`, object: labelled(source) },
  ];
}

function bindings(name: string, namespace: string, watched: readonly string[]): readonly Explained[] {
  const everywhere = binding("ClusterRole", name, namespace);
  if (watched.length === 0) return [{ why: "In every namespace.", object: everywhere }];
  return watched.map((each) => ({
    why: "In this namespace.",
    object: { ...everywhere, kind: "RoleBinding", metadata: { ...everywhere.metadata, namespace: each } },
  }));
}

/** With the label by which everything of a source is found. */
function ofSource(object: Manifest, source: string): Manifest {
  const { metadata } = object;
  return { ...object, metadata: { ...metadata, labels: { ...metadata.labels, [SOURCE_LABEL]: source } } };
}

/** As somebody would write it, also when it comes out of a cluster: what kubectl noted on it is kubectl's. */
function labelled({ apiVersion = "", kind = "", metadata, spec }: ExpansionSource): Manifest {
  const { name, labels, annotations: { [LAST_APPLIED]: _, ...annotations } = {} } = metadata;
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      labels: { ...labels, ...LABELS },
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
    spec,
  };
}

const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
