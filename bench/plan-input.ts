/** A cluster with one large StatefulSet, as `kubectl get ... -o yaml` prints it. */
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

export interface InputSize {
  readonly claims: number;
  /** Whether each claim comes with its volume, and with its pod of three containers. */
  readonly volumes: boolean;
  readonly pods: boolean;
}

export async function writeYaml(path: string, size: InputSize): Promise<void> {
  await pipeline(Readable.from(listOf(size)), createWriteStream(path));
}

function* listOf({ claims, volumes, pods }: InputSize): Generator<string> {
  yield `apiVersion: v1\nitems:\n${SET.replaceAll("REPLICAS", String(claims))}`;
  yield* many(CLAIM, claims);
  yield* many(VOLUME, volumes ? claims : 0);
  yield CLASS_AND_QUOTA;
  yield* many(POD, pods ? claims : 0);
  yield 'kind: List\nmetadata:\n  resourceVersion: ""\n';
}

function* many(template: string, count: number): Generator<string> {
  for (let n = 0; n < count; n++) {
    const uid = `1b0a3f4e-0000-4000-8000-${String(n).padStart(12, "0")}`;
    yield template.replaceAll("UID", uid).replaceAll("ORDINAL", String(n));
  }
}

const SET = `- apiVersion: apps/v1
  kind: StatefulSet
  metadata:
    creationTimestamp: "2025-01-01T00:00:00Z"
    generation: 1
    name: db
    namespace: prod
    resourceVersion: "9"
    uid: 99999999-0000-4000-8000-000000000000
  spec:
    replicas: REPLICAS
    selector:
      matchLabels:
        app: db
    serviceName: db
    template:
      metadata:
        labels:
          app: db
      spec:
        containers:
        - image: postgres:16
          name: db
    volumeClaimTemplates:
    - apiVersion: v1
      kind: PersistentVolumeClaim
      metadata:
        name: data
      spec:
        accessModes:
        - ReadWriteOnce
        resources:
          requests:
            storage: 100Gi
        storageClassName: gp3
        volumeMode: Filesystem
      status:
        phase: Pending
  status:
    currentRevision: db-6f5d4c
    observedGeneration: 1
    replicas: REPLICAS
    updateRevision: db-6f5d4c
    updatedReplicas: REPLICAS
`;

const CLAIM = `- apiVersion: v1
  kind: PersistentVolumeClaim
  metadata:
    annotations:
      pv.kubernetes.io/bind-completed: "yes"
      pv.kubernetes.io/bound-by-controller: "yes"
      volume.beta.kubernetes.io/storage-provisioner: ebs.csi.aws.com
      volume.kubernetes.io/storage-provisioner: ebs.csi.aws.com
    creationTimestamp: "2025-01-01T00:00:00Z"
    finalizers:
    - kubernetes.io/pvc-protection
    labels:
      app: db
    name: data-db-ORDINAL
    namespace: prod
    resourceVersion: "123456"
    uid: UID
  spec:
    accessModes:
    - ReadWriteOnce
    resources:
      requests:
        storage: 100Gi
    storageClassName: gp3
    volumeMode: Filesystem
    volumeName: pvc-UID
  status:
    accessModes:
    - ReadWriteOnce
    capacity:
      storage: 100Gi
    phase: Bound
`;

const VOLUME = `- apiVersion: v1
  kind: PersistentVolume
  metadata:
    annotations:
      pv.kubernetes.io/provisioned-by: ebs.csi.aws.com
      volume.kubernetes.io/provisioner-deletion-secret-name: ""
      volume.kubernetes.io/provisioner-deletion-secret-namespace: ""
    creationTimestamp: "2025-01-01T00:00:00Z"
    finalizers:
    - external-provisioner.volume.kubernetes.io/finalizer
    - kubernetes.io/pv-protection
    name: pvc-UID
    resourceVersion: "123457"
    uid: UID
  spec:
    accessModes:
    - ReadWriteOnce
    capacity:
      storage: 100Gi
    claimRef:
      apiVersion: v1
      kind: PersistentVolumeClaim
      name: data-db-ORDINAL
      namespace: prod
      resourceVersion: "123400"
      uid: UID
    csi:
      driver: ebs.csi.aws.com
      fsType: ext4
      volumeAttributes:
        storage.kubernetes.io/csiProvisionerIdentity: 1735689600000-1-ebs.csi.aws.com
      volumeHandle: vol-ORDINAL
    nodeAffinity:
      required:
        nodeSelectorTerms:
        - matchExpressions:
          - key: topology.kubernetes.io/zone
            operator: In
            values:
            - eu-west-1a
    persistentVolumeReclaimPolicy: Delete
    storageClassName: gp3
    volumeMode: Filesystem
  status:
    phase: Bound
`;

const CLASS_AND_QUOTA = `- allowVolumeExpansion: true
  apiVersion: storage.k8s.io/v1
  kind: StorageClass
  metadata:
    name: gp3
  provisioner: ebs.csi.aws.com
  reclaimPolicy: Delete
  volumeBindingMode: WaitForFirstConsumer
- apiVersion: v1
  kind: ResourceQuota
  metadata:
    name: storage
    namespace: prod
  spec:
    hard:
      requests.storage: 10Pi
  status:
    hard:
      requests.storage: 10Pi
    used:
      requests.storage: 1000000Gi
`;

const CONTAINER = `    - args:
      - --listen=0.0.0.0:5432
      - --data=/var/lib/data
      env:
${Array.from({ length: 12 }, (_, n) => `      - name: SETTING_${n}\n        value: some value of setting ${n}\n`).join("")}      image: registry.example.com/team/postgres:16.4
      imagePullPolicy: IfNotPresent
      livenessProbe:
        failureThreshold: 3
        httpGet:
          path: /healthz
          port: 8080
          scheme: HTTP
        periodSeconds: 10
        successThreshold: 1
        timeoutSeconds: 1
      name: CONTAINER
      resources:
        limits:
          cpu: "2"
          memory: 4Gi
        requests:
          cpu: "1"
          memory: 4Gi
      terminationMessagePath: /dev/termination-log
      terminationMessagePolicy: File
      volumeMounts:
      - mountPath: /var/lib/data
        name: data
`;

const CONTAINER_STATUS = `    - containerID: containerd://0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
      image: registry.example.com/team/postgres:16.4
      imageID: registry.example.com/team/postgres@sha256:0123456789abcdef0123456789abcdef0123456789abcdef
      lastState: {}
      name: CONTAINER
      ready: true
      restartCount: 0
      started: true
      state:
        running:
          startedAt: "2025-01-01T00:00:00Z"
`;

const CONTAINERS = ["db", "metrics", "backup"];

const POD = `- apiVersion: v1
  kind: Pod
  metadata:
    creationTimestamp: "2025-01-01T00:00:00Z"
    generateName: db-
    labels:
      app: db
      apps.kubernetes.io/pod-index: "ORDINAL"
      controller-revision-hash: db-6f5d4c
      statefulset.kubernetes.io/pod-name: db-ORDINAL
    name: db-ORDINAL
    namespace: prod
    ownerReferences:
    - apiVersion: apps/v1
      blockOwnerDeletion: true
      controller: true
      kind: StatefulSet
      name: db
      uid: 99999999-0000-4000-8000-000000000000
    resourceVersion: "123458"
    uid: UID
  spec:
    containers:
${CONTAINERS.map((name) => CONTAINER.replace("CONTAINER", name)).join("")}    dnsPolicy: ClusterFirst
    enableServiceLinks: true
    hostname: db-ORDINAL
    nodeName: node-ORDINAL
    priority: 0
    restartPolicy: Always
    schedulerName: default-scheduler
    securityContext: {}
    terminationGracePeriodSeconds: 30
    volumes:
    - name: data
      persistentVolumeClaim:
        claimName: data-db-ORDINAL
  status:
    conditions:
${["Initialized", "Ready", "ContainersReady", "PodScheduled"].map((type) => `    - lastProbeTime: null\n      lastTransitionTime: "2025-01-01T00:00:00Z"\n      status: "True"\n      type: ${type}\n`).join("")}    containerStatuses:
${CONTAINERS.map((name) => CONTAINER_STATUS.replace("CONTAINER", name)).join("")}    hostIP: 10.0.0.1
    phase: Running
    podIP: 10.1.0.1
    qosClass: Burstable
    startTime: "2025-01-01T00:00:00Z"
`;
