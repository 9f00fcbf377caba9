/**
 * LimitRanges: what containers get that say nothing, and how small or large pods, containers and claims may be (upstream
 * plugin/pkg/admission/limitranger). Of several ranges each adds what is missing still, and the first that refuses speaks.
 */
import { limitRangeRefusal } from "../../../admission/limit-range.ts";
import { aggregate } from "../../../admission/verdict.ts";
import type { LimitRange, PersistentVolumeClaim } from "../../../core/types.ts";
import type { JsonObject } from "../json.ts";
import { type KnownKind, read, write } from "./known-kind.ts";
import { type PodLimits, podOutOfRange } from "./limit-checks.ts";
import { withContainerDefaults } from "./limit-defaults.ts";
import type { Lookup } from "./lookup.ts";
import type { AdmissionPlugin, AdmissionRequest } from "./plugin.ts";
import type { PodWithResources } from "./pod-resources.ts";
import { forbid, isAbout, isNew } from "./request.ts";

const POD: KnownKind<PodWithResources> = { apiVersion: "v1", kind: "Pod" };
const CLAIM: KnownKind<PersistentVolumeClaim> = { apiVersion: "v1", kind: "PersistentVolumeClaim" };
const RANGE: KnownKind<LimitRange & PodLimits> = { apiVersion: "v1", kind: "LimitRange" };

export function limitRanger(lookup: Lookup): AdmissionPlugin {
  const rangesOf = (namespace: string | undefined) => lookup.all(RANGE, namespace);

  return {
    name: "LimitRanger",

    mutate(request) {
      // A pod's containers cannot change later, so that only new ones are looked at.
      if (!isNew(request, POD)) return request.object;
      const pod = read(POD, request.object);
      const next = rangesOf(request.namespace).reduce(withContainerDefaults, pod);
      return next === pod ? request.object : write(next);
    },

    validate(request) {
      const { object, old } = request;
      if (object === undefined) return;
      const reason = isAbout(request, CLAIM)
        ? limitRangeRefusal(read(CLAIM, object), rangesOf(request.namespace), old && read(CLAIM, old))
        : podRefusal(request, object);
      if (reason !== undefined) throw forbid(request, reason);
    },
  };

  function podRefusal(request: AdmissionRequest, object: JsonObject): string | undefined {
    if (!isNew(request, POD)) return undefined;
    for (const range of rangesOf(request.namespace)) {
      const reasons = podOutOfRange(read(POD, object), range);
      if (reasons.length > 0) return aggregate(reasons);
    }
    return undefined;
  }
}
