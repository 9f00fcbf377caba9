/** Our Kubernetes client. The contracts stand at the types; README.md shows them together. */
export { type BackoffOptions, createBackoff, exponential } from "./backoff.ts";
export {
  createClient,
  type DeleteOptions,
  type KubeClient,
  type ListOptions,
  type WatchOptions,
  type WriteOptions,
} from "./client/client.ts";
export {
  type JsonPatchOperation,
  type MergePatch,
  mergePatch,
  type Patch,
  withPrecondition,
} from "./client/patch.ts";
export {
  apiVersionOf,
  collectionPath,
  defineResource,
  metadataOf,
  type Ref,
  type Resource,
  refOf,
} from "./client/resource.ts";
export * from "./client/resources.ts";
export type { Event, KubeList, Lease, Secret, ServerVersion, WatchEvent } from "./client/types.ts";
export type { ClusterConfig, TlsSettings } from "./config/cluster-config.ts";
export { type Credential, type Credentials, fixedCredentials } from "./config/credentials.ts";
export { findConfig } from "./config/find-config.ts";
export { type InClusterOptions, inClusterConfig, isInCluster } from "./config/in-cluster.ts";
export { type LoadOptions, loadConfig } from "./config/load-config.ts";
export {
  type EventRecorder,
  type EventRecorderOptions,
  referenceTo,
  startEventRecorder,
} from "./events/event-recorder.ts";
export type { Handler, Source } from "./informer/cache.ts";
export { type Informer, type InformerOptions, startInformer } from "./informer/informer.ts";
export { type IndexValues, keyOf, refOfKey } from "./informer/store.ts";
export { identity, withoutManagedFields } from "./informer/trim.ts";
export * from "./kube-error.ts";
export {
  createLeaderElection,
  type ElectionOutcome,
  type LeaderElection,
  type LeaderElectionOptions,
  type Term,
} from "./lease/leader-election.ts";
export { type Logger, silentLogger } from "./logger.ts";
export { type Labels, type Metrics, noMetrics } from "./metrics.ts";
export { createProcessRegistry } from "./process-registry.ts";
export { prometheusMetrics } from "./prometheus-metrics.ts";
export { type Outcome, type Reconcile, runWorkers, type WorkersOptions } from "./queue/run-workers.ts";
export { createWorkQueue, type WorkQueue, type WorkQueueOptions } from "./queue/work-queue.ts";
export {
  type StorageOperation,
  type StorageOperationMetrics,
  storageOperationMetrics,
} from "./storage-operations.ts";
export {
  deadlineSignal,
  type Random,
  settledOrAborted,
  settlesWithin,
  sleep,
  systemTimers,
  type Timers,
} from "./timers.ts";
export type { Answer, Connection, Question } from "./transport/connection.ts";
export { requestMetrics } from "./transport/request-metrics.ts";
export { createTransport, type KubeRequest, type Transport, type TransportOptions } from "./transport/transport.ts";
