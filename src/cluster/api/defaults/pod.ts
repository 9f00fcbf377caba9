/** Defaults of pods and of the templates that pods are made from (upstream pkg/apis/core/v1/defaults.go). */
import { get, isObject, type Json } from "../json.ts";
import { CLAIM_SPEC } from "./claim.ts";
import { always, each, type FieldRules, fields, inOrder, isEmpty, type Rule, whenEmpty, whenMissing } from "./rule.ts";

const FIELD_REF = fields({ apiVersion: whenEmpty("v1") });
const HTTP_GET = fields({ path: whenEmpty("/"), scheme: whenEmpty("HTTP") });
const HANDLER = fields({ httpGet: HTTP_GET });

const PROBE = fields({
  httpGet: HTTP_GET,
  grpc: fields({ service: whenMissing("") }),
  timeoutSeconds: whenEmpty(1),
  periodSeconds: whenEmpty(10),
  successThreshold: whenEmpty(1),
  failureThreshold: whenEmpty(3),
});

const CONTAINER = fields({
  ports: each(fields({ protocol: whenEmpty("TCP") })),
  env: each(fields({ valueFrom: fields({ fieldRef: FIELD_REF }) })),
  livenessProbe: PROBE,
  readinessProbe: PROBE,
  startupProbe: PROBE,
  lifecycle: fields({ postStart: HANDLER, preStop: HANDLER }),
  imagePullPolicy: (value, container) => (isEmpty(value) ? pullPolicy(get(container, "image")) : value),
  terminationMessagePath: whenEmpty("/dev/termination-log"),
  terminationMessagePolicy: whenEmpty("File"),
});

/** A file mode, in decimal: JSON has no other. */
const MODE_0644 = whenMissing(0o644);
const DOWNWARD_ITEMS = each(fields({ fieldRef: FIELD_REF }));

/** What `+default` markers say of volumes that old drivers serve is part of it: they are still taken. */
const VOLUME_SOURCES = {
  secret: fields({ defaultMode: MODE_0644 }),
  configMap: fields({ defaultMode: MODE_0644 }),
  downwardAPI: fields({ defaultMode: MODE_0644, items: DOWNWARD_ITEMS }),
  projected: fields({
    defaultMode: MODE_0644,
    sources: each(
      fields({
        serviceAccountToken: fields({ expirationSeconds: whenMissing(3600) }),
        downwardAPI: fields({ items: DOWNWARD_ITEMS }),
      }),
    ),
  }),
  hostPath: fields({ type: whenMissing("") }),
  ephemeral: fields({ volumeClaimTemplate: fields({ spec: CLAIM_SPEC }) }),
  image: fields({
    pullPolicy: (value, image) => (isEmpty(value) ? pullPolicy(get(image, "reference")) : value),
  }),
  iscsi: fields({ iscsiInterface: whenEmpty("default") }),
  rbd: fields({ pool: whenEmpty("rbd"), user: whenEmpty("admin"), keyring: whenEmpty("/etc/ceph/keyring") }),
  azureDisk: fields({
    cachingMode: whenMissing("ReadWrite"),
    fsType: whenMissing("ext4"),
    readOnly: whenMissing(false),
    kind: whenMissing("Shared"),
  }),
  scaleIO: fields({ storageMode: whenEmpty("ThinProvisioned"), fsType: whenEmpty("xfs") }),
};

/** The sources that volumes of pods and persistent volumes have in common are defaulted alike. */
export const PERSISTENT_VOLUME_SOURCES = {
  hostPath: VOLUME_SOURCES.hostPath,
  iscsi: VOLUME_SOURCES.iscsi,
  rbd: VOLUME_SOURCES.rbd,
  azureDisk: VOLUME_SOURCES.azureDisk,
  scaleIO: VOLUME_SOURCES.scaleIO,
};

/** A volume that names no source is a directory of the pod's own. */
const VOLUME: Rule = inOrder(fields(VOLUME_SOURCES), (volume) =>
  isObject(volume) && Object.entries(volume).every(([name, source]) => name === "name" || source === null)
    ? { ...volume, emptyDir: {} }
    : volume,
);

const POD_SPEC: FieldRules = {
  volumes: each(VOLUME),
  containers: each(CONTAINER),
  initContainers: each(CONTAINER),
  ephemeralContainers: each(CONTAINER),
  // The older name of the field still counts where it stands alone, and always says the same.
  serviceAccountName: (value, spec) => (isEmpty(value) ? get(spec, "serviceAccount") : value),
  serviceAccount: (_, spec) => get(spec, "serviceAccountName"),
  dnsPolicy: whenEmpty("ClusterFirst"),
  restartPolicy: whenEmpty("Always"),
  securityContext: whenMissing({}),
  terminationGracePeriodSeconds: whenMissing(30),
  schedulerName: whenEmpty("default-scheduler"),
};

/** A template that may be missing. */
export const OPTIONAL_POD_TEMPLATE = fields({ spec: always(POD_SPEC) });

/** `spec.template` of whatever makes pods. */
export const POD_TEMPLATE = always({ spec: always(POD_SPEC) });

/** A limit is a request, too, where none is given. */
const REQUESTS_FROM_LIMITS = fields({
  resources: fields({
    requests: (requests, { limits }) => {
      if (!isObject(limits) || !(isObject(requests) || isEmpty(requests))) return requests;
      return { ...limits, ...(isObject(requests) ? requests : {}) };
    },
  }),
});

/** On the host's network, a port is a port of the host. */
const HOST_PORTS = each(
  fields({
    ports: each(
      fields({ hostPort: (value, port) => (isEmpty(value) ? (get(port, "containerPort") ?? value) : value) }),
    ),
  }),
);

function onHostNetwork(rule: Rule): Rule {
  return (value, spec) => (get(spec, "hostNetwork") === true ? rule(value, spec) : value);
}

const POD_CONTAINERS = inOrder(each(CONTAINER), each(REQUESTS_FROM_LIMITS), onHostNetwork(HOST_PORTS));

export const POD = fields({
  spec: always({
    ...POD_SPEC,
    containers: POD_CONTAINERS,
    initContainers: POD_CONTAINERS,
    enableServiceLinks: whenMissing(true),
    // Less than no time is a second; templates keep what they say.
    terminationGracePeriodSeconds: (seconds) => (typeof seconds === "number" && seconds < 0 ? 1 : (seconds ?? 30)),
  }),
});

/** `latest`, which is also meant where no tag and no digest is given, is pulled each time. */
function pullPolicy(image: Json | undefined): string {
  if (typeof image !== "string" || image === "") return "IfNotPresent";
  const [name = "", digest] = image.split("@");
  const tag = /:([^/:]*)$/.exec(name)?.[1] ?? (digest === undefined ? "latest" : "");
  return tag === "latest" ? "Always" : "IfNotPresent";
}
