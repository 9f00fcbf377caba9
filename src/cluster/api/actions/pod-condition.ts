/** A pod's conditions, as the server itself sets them. */
import { toTimestamp } from "../../../core/clock.ts";
import { get, isList, isObject, type JsonObject } from "../json.ts";

/** The pod with this condition true; its time changes only with its status. */
export function withCondition(
  pod: JsonObject,
  condition: { readonly type: string; readonly reason?: string; readonly message?: string },
  now: number,
): JsonObject {
  const status = objectAt(pod, "status");
  const listed = get(status, "conditions");
  const conditions = isList(listed) ? listed.filter(isObject) : [];
  const former = conditions.find(({ type }) => type === condition.type);
  const since =
    former !== undefined && get(former, "status") === "True" ? get(former, "lastTransitionTime") : undefined;
  const next: JsonObject = {
    type: condition.type,
    status: "True",
    lastProbeTime: null,
    lastTransitionTime: since ?? toTimestamp(now),
    ...(condition.reason === undefined ? {} : { reason: condition.reason }),
    ...(condition.message === undefined ? {} : { message: condition.message }),
  };
  const all = former === undefined ? [...conditions, next] : conditions.map((each) => (each === former ? next : each));
  return { ...pod, status: { ...status, conditions: all } };
}

export function objectAt(object: JsonObject, field: string): JsonObject {
  const value = get(object, field);
  return isObject(value) ? value : {};
}
