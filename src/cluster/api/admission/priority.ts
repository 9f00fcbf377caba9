/** What a pod's priority is: its class says, and nobody else (upstream plugin/pkg/admission/priority). */
import type { KubeObject } from "../../../core/types.ts";
import type { JsonObject } from "../json.ts";
import { type KnownKind, read, write } from "./known-kind.ts";
import type { Lookup } from "./lookup.ts";
import type { AdmissionPlugin, WriteAdmission } from "./plugin.ts";
import { forbid, isAbout } from "./request.ts";

interface PriorityClass {
  readonly name: string;
  readonly value: number;
  readonly preemptionPolicy?: string;
  readonly globalDefault?: boolean;
}

interface Pod extends KubeObject {
  readonly spec: {
    readonly priorityClassName?: string;
    readonly priority?: number;
    readonly preemptionPolicy?: string;
  };
}

type StoredClass = KubeObject & Omit<PriorityClass, "name">;

const POD: KnownKind<Pod> = { apiVersion: "v1", kind: "Pod" };
const PRIORITY_CLASS: KnownKind<StoredClass> = { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass" };

const PREEMPT = "PreemptLowerPriority";

/** The classes that every cluster has, also before anybody has stored them. */
const SYSTEM: readonly PriorityClass[] = [
  { name: "system-node-critical", value: 2_000_001_000, preemptionPolicy: PREEMPT },
  { name: "system-cluster-critical", value: 2_000_000_000, preemptionPolicy: PREEMPT },
];

/** Where no class is the default. */
const ORDINARY: PriorityClass = { name: "", value: 0, preemptionPolicy: PREEMPT };

export function priority(lookup: Lookup): AdmissionPlugin {
  return {
    name: "Priority",

    mutate(request) {
      if (!isAbout(request, POD)) return request.object;
      return request.operation === "CREATE" ? withPriority(lookup, request) : keepPriority(request);
    },

    validate(request) {
      if (request.operation === "DELETE" && isAbout(request, PRIORITY_CLASS)) {
        if (!SYSTEM.some(({ name }) => name === request.name)) return;
        throw forbid(request, "this is a system priority class and cannot be deleted");
      }
      if (request.object === undefined || !isAbout(request, PRIORITY_CLASS)) return;
      if (read(PRIORITY_CLASS, request.object).globalDefault !== true) return;
      const other = defaultClass(lookup);
      if (other === undefined || (request.operation === "UPDATE" && other.name === request.name)) return;
      throw forbid(request, `PriorityClass ${other.name} is already marked as default. Only one default can exist`);
    },
  };
}

function withPriority(lookup: Lookup, request: WriteAdmission): JsonObject {
  const pod = read(POD, request.object);
  const { priorityClassName = "", priority: given, preemptionPolicy: policy } = pod.spec;
  const chosen = priorityClassName === "" ? (defaultClass(lookup) ?? ORDINARY) : named(lookup, priorityClassName);
  if (chosen === undefined) throw forbid(request, `no PriorityClass with name ${priorityClassName} was found`);
  if (given !== undefined && given !== chosen.value) {
    throw forbid(
      request,
      `the integer value of priority (${given}) must not be provided in pod spec; priority admission controller computed ${chosen.value} from the given PriorityClass name`,
    );
  }
  if (policy !== undefined && chosen.preemptionPolicy !== undefined && policy !== chosen.preemptionPolicy) {
    throw forbid(
      request,
      `the string value of PreemptionPolicy (${policy}) must not be provided in pod spec; priority admission controller computed ${chosen.preemptionPolicy} from the given PriorityClass name`,
    );
  }
  const spec = {
    ...pod.spec,
    ...(chosen.name !== "" && { priorityClassName: chosen.name }),
    priority: chosen.value,
    ...(chosen.preemptionPolicy !== undefined && { preemptionPolicy: chosen.preemptionPolicy }),
  };
  return write({ ...pod, spec });
}

/** An update that leaves out what was computed means to keep it. */
function keepPriority({ old, object }: WriteAdmission): JsonObject {
  if (old === undefined) return object;
  const [before, pod] = [read(POD, old).spec, read(POD, object)];
  const kept = {
    ...(pod.spec.priority === undefined && before.priority !== undefined && { priority: before.priority }),
    ...(pod.spec.preemptionPolicy === undefined &&
      before.preemptionPolicy !== undefined && { preemptionPolicy: before.preemptionPolicy }),
  };
  return Object.keys(kept).length === 0 ? object : write({ ...pod, spec: { ...pod.spec, ...kept } });
}

function named(lookup: Lookup, name: string): PriorityClass | undefined {
  const stored = lookup.one(PRIORITY_CLASS, undefined, name);
  return stored === undefined ? SYSTEM.find((each) => each.name === name) : { ...stored, name };
}

/** Of several, which only a race can make, the lowest. */
function defaultClass(lookup: Lookup): PriorityClass | undefined {
  const [lowest] = lookup
    .all(PRIORITY_CLASS)
    .filter((each) => each.globalDefault === true)
    .sort((a, b) => a.value - b.value);
  return lowest === undefined ? undefined : { ...lowest, name: lowest.metadata.name };
}
