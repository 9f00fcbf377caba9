/** What the containers of a pod add to its status, readiness and restarts. */
import type { Json, JsonObject } from "../../json.ts";
import { count, flag, items, object, present, text } from "../fields.ts";

/** How far initialization has come. */
export interface InitSummary {
  /** `Init:0/2`, `Init:CrashLoopBackOff`, ... while initialization goes on; undefined when nothing is in its way. */
  readonly status: string | undefined;
  readonly restarts: number;
  /** When the container that restarted last had ended; empty when none did. */
  readonly lastRestart: string;
  /** Init containers that keep running beside the others. */
  readonly sidecars: number;
  /** Sidecars that are ready. */
  readonly ready: number;
  readonly sidecarRestarts: number;
  readonly sidecarLastRestart: string;
}

/** Looks at init containers in their order, up to the first that is not through. */
export function summarizeInit(pod: JsonObject): InitSummary {
  const specs = items(pod, "spec", "initContainers");
  const sidecars = new Set(
    specs.filter((spec) => text(spec, "restartPolicy") === "Always").map((spec) => text(spec, "name")),
  );
  const seen: Json[] = [];
  let [status, ready]: [string | undefined, number] = [undefined, 0];
  for (const [index, container] of items(pod, "status", "initContainerStatuses").entries()) {
    seen.push(container);
    if (succeeded(container)) continue;
    if (sidecars.has(text(container, "name")) && flag(container, "started")) {
      if (flag(container, "ready")) ready++;
      continue;
    }
    status = initStatus(container) ?? `Init:${index}/${specs.length}`;
    break;
  }
  const seenSidecars = seen.filter((container) => sidecars.has(text(container, "name")));
  return {
    status,
    ready,
    sidecars: specs.filter((spec) => sidecars.has(text(spec, "name"))).length,
    ...restartsOf(seen),
    sidecarRestarts: restartsOf(seenSidecars).restarts,
    sidecarLastRestart: restartsOf(seenSidecars).lastRestart,
  };
}

function succeeded(container: Json): boolean {
  return present(container, "state", "terminated") && count(container, "state", "terminated", "exitCode") === 0;
}

/** Why an init container holds up the pod; undefined when it simply has not finished. */
function initStatus(container: Json): string | undefined {
  if (present(container, "state", "terminated")) return `Init:${endOf(container)}`;
  const waiting = text(container, "state", "waiting", "reason");
  return waiting === "" || waiting === "PodInitializing" ? undefined : `Init:${waiting}`;
}

/** How a terminated container ended: the reason, else the signal, else the exit code. */
function endOf(container: Json): string {
  const terminated = object(container, "state", "terminated");
  const signal = count(terminated, "signal");
  const code = signal === 0 ? `ExitCode:${count(terminated, "exitCode")}` : `Signal:${signal}`;
  return text(terminated, "reason") || code;
}

/** How the containers are that the pod is for. */
export interface ContainersSummary {
  /** What the first container that has something to say says; undefined when all of them just run. */
  readonly status: string | undefined;
  /** How a container failed, whatever the others say. */
  readonly failure: string | undefined;
  /** At least one is ready and running. */
  readonly running: boolean;
  readonly ready: number;
  readonly restarts: number;
  readonly lastRestart: string;
}

/** Looks at the containers of an initialized pod: the first that has something to say speaks for it. */
export function summarizeContainers(pod: JsonObject): ContainersSummary {
  const containers = items(pod, "status", "containerStatuses");
  const failed = containers.find(
    (container) => saysHowItEnded(container) && count(container, "state", "terminated", "exitCode") !== 0,
  );
  const ready = containers.filter(
    (container) =>
      containerStatus(container) === undefined && flag(container, "ready") && present(container, "state", "running"),
  ).length;
  return {
    status: containers.map(containerStatus).find((status) => status !== undefined),
    failure: failed === undefined ? undefined : endOf(failed),
    running: ready > 0,
    ready,
    ...restartsOf(containers),
  };
}

/** Waiting without a reason says nothing; waiting with one comes before how it ended. */
function containerStatus(container: Json): string | undefined {
  const waiting = text(container, "state", "waiting", "reason");
  if (waiting !== "") return waiting;
  return present(container, "state", "terminated") ? endOf(container) : undefined;
}

function saysHowItEnded(container: Json): boolean {
  return text(container, "state", "waiting", "reason") === "" && present(container, "state", "terminated");
}

function restartsOf(containers: readonly Json[]): { readonly restarts: number; readonly lastRestart: string } {
  const ends = containers.map((container) => text(container, "lastState", "terminated", "finishedAt"));
  return {
    restarts: containers.reduce<number>((sum, container) => sum + count(container, "restartCount"), 0),
    // Kubernetes writes all moments in one form and zone, so the latest is the last by text.
    lastRestart: ends.reduce((latest, end) => (latest < end ? end : latest), ""),
  };
}
