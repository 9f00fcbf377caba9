/** Nodes and pods apart from what pods ask for: a new node is not ready, and pods outlast a node's hiccup. */
import type { KubeObject } from "../../../core/types.ts";
import { type KnownKind, read, write } from "./known-kind.ts";
import type { AdmissionPlugin } from "./plugin.ts";
import { isAbout, isNew } from "./request.ts";

const NOT_READY = "node.kubernetes.io/not-ready";
const UNREACHABLE = "node.kubernetes.io/unreachable";

interface Node extends KubeObject {
  readonly spec?: { readonly taints?: readonly { readonly key: string; readonly effect: string }[] };
}

const NODE: KnownKind<Node> = { apiVersion: "v1", kind: "Node" };

/**
 * A new node takes no pods before it has said that it is ready: who watches its conditions takes the taint off (upstream
 * plugin/pkg/admission/nodetaint).
 */
export const taintNodesByCondition: AdmissionPlugin = {
  name: "TaintNodesByCondition",
  mutate(request) {
    if (!isNew(request, NODE)) return request.object;
    const node = read(NODE, request.object);
    const taints = node.spec?.taints ?? [];
    if (taints.some(({ key, effect }) => key === NOT_READY && effect === "NoSchedule")) return request.object;
    const spec = { ...node.spec, taints: [...taints, { key: NOT_READY, effect: "NoSchedule" }] };
    return write({ ...node, spec });
  },
};

interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

interface Pod extends KubeObject {
  readonly spec: { readonly tolerations?: readonly Toleration[] };
}

const POD: KnownKind<Pod> = { apiVersion: "v1", kind: "Pod" };

const SECONDS = 300;

/** A pod stays for five minutes on a node that is not ready or not heard of, unless it says otherwise. */
export const defaultTolerationSeconds: AdmissionPlugin = {
  name: "DefaultTolerationSeconds",
  mutate(request) {
    if (!isAbout(request, POD)) return request.object;
    const pod = read(POD, request.object);
    const given = pod.spec.tolerations ?? [];
    const added = [NOT_READY, UNREACHABLE]
      .filter((taint) => !given.some((toleration) => tolerates(toleration, taint)))
      .map((key) => ({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds: SECONDS }));
    if (added.length === 0) return request.object;
    return write({ ...pod, spec: { ...pod.spec, tolerations: [...given, ...added] } });
  },
};

function tolerates({ key = "", effect = "" }: Toleration, taint: string): boolean {
  return (key === "" || key === taint) && (effect === "" || effect === "NoExecute");
}
