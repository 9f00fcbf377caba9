/** What expressions about a request may name: k8s.io/apiserver/pkg/admission/plugin/cel/compile.go. */
import { BOOL, DYN, INT, listOf, mapOf, STRING, struct, TIMESTAMP, type Type } from "./check/types.ts";

const TEXTS = listOf(STRING);
const LABELS = mapOf(STRING, STRING);

function fixed(name: string, fields: Readonly<Record<string, Type>>): Type {
  return struct(name, (field) => (Object.hasOwn(fields, field) ? fields[field] : undefined));
}

const GROUP_VERSION_KIND = fixed("kubernetes.GroupVersionKind", { group: STRING, version: STRING, kind: STRING });
const GROUP_VERSION_RESOURCE = fixed("kubernetes.GroupVersionResource", {
  group: STRING,
  version: STRING,
  resource: STRING,
});

/** The type of `request`. */
export const ADMISSION_REQUEST = fixed("kubernetes.AdmissionRequest", {
  kind: GROUP_VERSION_KIND,
  resource: GROUP_VERSION_RESOURCE,
  subResource: STRING,
  requestKind: GROUP_VERSION_KIND,
  requestResource: GROUP_VERSION_RESOURCE,
  requestSubResource: STRING,
  name: STRING,
  namespace: STRING,
  operation: STRING,
  userInfo: fixed("kubernetes.UserInfo", { username: STRING, uid: STRING, groups: TEXTS, extra: mapOf(STRING, TEXTS) }),
  dryRun: BOOL,
  options: DYN,
});

/** The type of `namespaceObject`. */
export const NAMESPACE_OBJECT = fixed("kubernetes.Namespace", {
  metadata: fixed("kubernetes.NamespaceMetadata", {
    name: STRING,
    generateName: STRING,
    namespace: STRING,
    labels: LABELS,
    annotations: LABELS,
    UID: STRING,
    creationTimestamp: TIMESTAMP,
    deletionGracePeriodSeconds: INT,
    deletionTimestamp: TIMESTAMP,
    generation: INT,
    resourceVersion: STRING,
    finalizers: TEXTS,
  }),
  spec: fixed("kubernetes.NamespaceSpec", { finalizers: TEXTS }),
  status: fixed("kubernetes.NamespaceStatus", {
    conditions: listOf(
      fixed("kubernetes.NamespaceCondition", {
        status: STRING,
        type: STRING,
        lastTransitionTime: TIMESTAMP,
        message: STRING,
        reason: STRING,
      }),
    ),
    phase: STRING,
  }),
});
