/** Marks that the server puts on two kinds of workloads when they are written (upstream's strategies for them). Pure. */
import { get, isObject, type JsonObject, jsonEqual } from "../json.ts";
import { metadataOf, textOf, withMetadata } from "../lifecycle/metadata.ts";

/** The annotation that says how often a DaemonSet's template has changed. */
export const TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

/** A DaemonSet with the generation of its template, which old clients look at; `stored` is what it replaces. */
export function withTemplateGeneration(set: JsonObject, stored: JsonObject | undefined): JsonObject {
  const before = stored === undefined ? 0 : (templateGeneration(stored) ?? 0);
  const changed =
    stored === undefined || !jsonEqual(partOf(set, "spec", "template"), partOf(stored, "spec", "template"));
  const first = stored === undefined ? templateGeneration(set) : undefined;
  const next = first !== undefined && first > 0 ? first : before + (changed ? 1 : 0);
  return withMetadata(set, {
    annotations: { ...partOf(set, "metadata", "annotations"), [TEMPLATE_GENERATION]: String(next) },
  });
}

function templateGeneration(set: JsonObject): number | undefined {
  const text = get(partOf(set, "metadata", "annotations"), TEMPLATE_GENERATION);
  return typeof text === "string" && /^\d+$/.test(text) ? Number(text) : undefined;
}

/**
 * A new Job that brings no selector of its own is told apart by its uid: its selector, and the labels of its pods. A Job
 * whose labels are only those of its template gets the same.
 */
export function withGeneratedSelector(job: JsonObject): JsonObject {
  const spec = partOf(job, "spec");
  if (get(spec, "manualSelector") === true) return job;
  const [uid, name] = [textOf(job, "uid"), textOf(job, "name")];
  const template = partOf(spec, "template");
  const labels = partOf(template, "metadata", "labels");
  const marked = {
    ...labels,
    "controller-uid": uid,
    "batch.kubernetes.io/controller-uid": uid,
    "job-name": name,
    "batch.kubernetes.io/job-name": name,
  };
  const { matchLabels, ...selector } = partOf(spec, "selector");
  const given = isObject(matchLabels) ? matchLabels : {};
  const own = partOf(job, "metadata", "labels");
  const labelled = jsonEqual(own, labels) && Object.keys(own).length > 0 ? withMetadata(job, { labels: marked }) : job;
  return {
    ...labelled,
    spec: {
      ...spec,
      selector: { ...selector, matchLabels: { ...given, "batch.kubernetes.io/controller-uid": uid } },
      template: { ...template, metadata: { ...metadataOf(template), labels: marked } },
    },
  };
}

/** What stands at a path of objects; empty where nothing does. */
function partOf(object: JsonObject, ...path: readonly string[]): JsonObject {
  return path.reduce((part, name) => {
    const value = get(part, name);
    return isObject(value) ? value : {};
  }, object);
}
