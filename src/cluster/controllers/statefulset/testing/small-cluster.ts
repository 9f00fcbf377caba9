/**
 * A cluster for the controller alone: the simulated API server, and a kubelet for which pods are ready as soon as they are
 * there. `fault` is asked about every request that is not a look at the cluster.
 */
import type { KubeObject, PersistentVolumeClaim, Pod, StatefulSet } from "../../../../core/types.ts";
import type { ApiRequest } from "../../../../kube/testing/api-core.ts";
import { type ApiServer, startApiServer } from "../../../../kube/testing/api-server.ts";
import type { Fault } from "../../../../kube/testing/faults.ts";
import { until } from "../../../../kube/testing/until.ts";
import { ordinalOf } from "../decide/names.ts";
import { revisionOf } from "../decide/pod-state.ts";
import type { ControllerRevision } from "../decide/revision.ts";
import { withStatus } from "./world.ts";

export interface SmallCluster {
  readonly url: string;
  /** What was written, as `POST pods`, without events. */
  readonly writes: readonly ApiRequest[];
  /** The messages of events that were told. */
  readonly told: readonly string[];
  put(plural: string, object: KubeObject): void;
  /** A person changes the set. */
  edit(spec: Partial<StatefulSet["spec"]>): void;
  set(name?: string): StatefulSet | undefined;
  readonly pods: readonly Pod[];
  /** All of them, in the order of their names. */
  readonly claims: readonly PersistentVolumeClaim[];
  readonly revisions: readonly ControllerRevision[];
  /** Whether all pods of the set are there, at its latest revision, and it says so. */
  isSettled(name?: string): boolean;
  settled(name?: string): Promise<void>;
  close(): Promise<void>;
}

export async function startSmallCluster(
  fault: (request: ApiRequest) => Fault | undefined = () => undefined,
): Promise<SmallCluster> {
  const isWrite = ({ method, path }: ApiRequest): boolean => method !== "GET" && !path.includes("/events");
  const server: ApiServer = await startApiServer({
    fault: (request) => (isWrite(request) ? fault(request) : undefined),
  });
  const pods = server.store("pods");
  pods.subscribe(({ type, object }) => {
    const pod = object as Pod;
    // Not within the write itself: its answer is the pod as it was created.
    if (type === "ADDED" && pod.status?.phase === undefined) {
      queueMicrotask(() => pods.put(withStatus(pod, "Running", "True", 0)));
    }
  });
  const set = (name = "db"): StatefulSet | undefined =>
    server.store("statefulsets").get(`prod/${name}`) as StatefulSet | undefined;

  function isSettled(name = "db"): boolean {
    const found = set(name);
    if (found === undefined) return false;
    const { status, spec, metadata } = found;
    const wanted = spec.replicas ?? 1;
    const own = (pods.list() as Pod[]).filter((pod) => ordinalOf(found, pod.metadata.name) !== undefined);
    return (
      status?.observedGeneration === metadata.generation &&
      (status?.updatedReplicas ?? 0) === wanted &&
      (status?.readyReplicas ?? 0) === wanted &&
      (status?.replicas ?? 0) === wanted &&
      status?.currentRevision === status?.updateRevision &&
      own.length === wanted &&
      own.every((pod) => revisionOf(pod) === status?.updateRevision)
    );
  }

  return {
    url: server.url,
    get writes() {
      return server.requests.filter(isWrite);
    },
    get told() {
      return (server.store("events").list() ?? []).map((event) => (event as unknown as { message: string }).message);
    },
    put: (plural, object) => void server.store(plural).put(object),
    edit(spec) {
      const found = set();
      if (found === undefined) throw new Error("there is no set to edit");
      const generation = (found.metadata.generation ?? 0) + 1;
      const metadata = { ...found.metadata, generation };
      server.store("statefulsets").put({ ...found, metadata, spec: { ...found.spec, ...spec } } as StatefulSet);
    },
    set,
    get pods() {
      return pods.list() as Pod[];
    },
    get claims() {
      return server.store("persistentvolumeclaims").list() as PersistentVolumeClaim[];
    },
    get revisions() {
      return server.store("controllerrevisions").list() as ControllerRevision[];
    },
    isSettled,
    settled: async (name = "db") => void (await until(`${name} to be settled`, () => isSettled(name))),
    close: () => server.close(),
  };
}
