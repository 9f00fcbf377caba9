/** Defaults of what makes pods: upstream pkg/apis/apps/v1/defaults.go and pkg/apis/batch/v1/defaults.go. */
import { get, isObject, type Json, type JsonObject } from "../json.ts";
import { CLAIM } from "./claim.ts";
import { OPTIONAL_POD_TEMPLATE, POD_TEMPLATE } from "./pod.ts";
import { always, each, fields, inOrder, isEmpty, type Rule, whenEmpty, whenMissing, where } from "./rule.ts";
import { TEMPLATE_GENERATION } from "./workload-marks.ts";

const isRolling = (strategy: JsonObject) => get(strategy, "type") === "RollingUpdate";

/** Templates are whole objects: the stored set says of which kind. */
const CLAIM_TEMPLATE = inOrder(
  fields({ apiVersion: whenEmpty("v1"), kind: whenEmpty("PersistentVolumeClaim") }),
  CLAIM,
);

/** Who names no type gets a rolling update; who names it, and no more, is taken at the word. */
const STATEFUL_SET_UPDATE: Rule = inOrder(
  (strategy) => {
    const given = isObject(strategy) ? strategy : {};
    if (!isEmpty(get(given, "type"))) return given;
    return { ...given, type: "RollingUpdate", rollingUpdate: get(given, "rollingUpdate") ?? {} };
  },
  fields({
    rollingUpdate: where(isRolling, fields({ partition: whenMissing(0) })),
  }),
);

export const STATEFUL_SET = fields({
  spec: always({
    podManagementPolicy: whenEmpty("OrderedReady"),
    updateStrategy: STATEFUL_SET_UPDATE,
    persistentVolumeClaimRetentionPolicy: always({ whenDeleted: whenEmpty("Retain"), whenScaled: whenEmpty("Retain") }),
    replicas: whenMissing(1),
    revisionHistoryLimit: whenMissing(10),
    template: POD_TEMPLATE,
    volumeClaimTemplates: each(CLAIM_TEMPLATE),
  }),
});

/** A strategy that rolls, with the steps in which it does. */
function rollingBy(maxUnavailable: Json, maxSurge: Json): Rule {
  return always({
    type: whenEmpty("RollingUpdate"),
    rollingUpdate: where(
      isRolling,
      always({ maxUnavailable: whenMissing(maxUnavailable), maxSurge: whenMissing(maxSurge) }),
    ),
  });
}

export const DEPLOYMENT = fields({
  spec: always({
    replicas: whenMissing(1),
    strategy: rollingBy("25%", "25%"),
    revisionHistoryLimit: whenMissing(10),
    progressDeadlineSeconds: whenMissing(600),
    template: POD_TEMPLATE,
  }),
});

export const DAEMON_SET = fields({
  // Stands for a field that only old versions of the kind had.
  metadata: always({ annotations: always({ [TEMPLATE_GENERATION]: whenMissing("0") }) }),
  spec: always({
    updateStrategy: rollingBy(1, 0),
    revisionHistoryLimit: whenMissing(10),
    template: POD_TEMPLATE,
  }),
});

export const REPLICA_SET = fields({ spec: always({ replicas: whenMissing(1), template: POD_TEMPLATE }) });

/** The labels of the template, which stand for those that the object itself should have. */
function templateLabels(object: JsonObject): Json | undefined {
  const at = (value: Json | undefined, name: string) => (isObject(value) ? get(value, name) : undefined);
  return at(at(at(get(object, "spec"), "template"), "metadata"), "labels");
}

const LABELS_OF_TEMPLATE: Rule = (metadata, object) => {
  const labels = templateLabels(object);
  if (!isObject(labels) || !isObject(metadata)) return metadata;
  return fields({ labels: whenEmpty(labels) })(metadata, object);
};

export const REPLICATION_CONTROLLER = fields({
  metadata: LABELS_OF_TEMPLATE,
  spec: (spec, controller) =>
    always({
      replicas: whenMissing(1),
      selector: whenEmpty(templateLabels(controller) ?? {}),
      template: OPTIONAL_POD_TEMPLATE,
    })(spec, controller),
});

const JOB_SPEC = always({
  completions: (value, spec) => value ?? (isGiven(spec, "parallelism") ? value : 1),
  parallelism: whenMissing(1),
  backoffLimit: (value, spec) => value ?? (isGiven(spec, "backoffLimitPerIndex") ? 2 ** 31 - 1 : 6),
  completionMode: whenMissing("NonIndexed"),
  suspend: whenMissing(false),
  podReplacementPolicy: (value, spec) =>
    value ?? (isGiven(spec, "podFailurePolicy") ? "Failed" : "TerminatingOrFailed"),
  manualSelector: whenMissing(false),
  podFailurePolicy: fields({
    rules: each(fields({ onPodConditions: each(fields({ status: whenEmpty("True") })) })),
  }),
  template: POD_TEMPLATE,
});

export const JOB = fields({ metadata: LABELS_OF_TEMPLATE, spec: JOB_SPEC });

export const CRON_JOB = fields({
  spec: always({
    concurrencyPolicy: whenEmpty("Allow"),
    suspend: whenMissing(false),
    successfulJobsHistoryLimit: whenMissing(3),
    failedJobsHistoryLimit: whenMissing(1),
    jobTemplate: always({ spec: always({ template: POD_TEMPLATE }) }),
  }),
});

function isGiven(object: JsonObject, name: string): boolean {
  return (get(object, name) ?? null) !== null;
}
