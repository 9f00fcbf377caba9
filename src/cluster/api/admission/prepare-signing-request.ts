/**
 * What the server makes of a request for a certificate (upstream's three strategies for them): it notes who asks, keeps what
 * was asked for, and lets each endpoint write its own part of the status: `approval` the conditions, `status` the rest.
 */
import { toTimestamp } from "../../../core/clock.ts";
import type { Identity } from "../auth/identity.ts";
import { get, isList, isObject, type Json, type JsonObject, jsonEqual } from "../json.ts";

/** The request as it is to be created. Whoever it says is asking, it is `user`. */
export function prepareSigningRequest(request: JsonObject, user: Identity): JsonObject {
  const { username: _name, uid: _uid, groups: _groups, extra: _extra, ...asked } = partOf(request, "spec");
  const extra = Object.fromEntries(Object.entries(user.extra).map(([key, values]) => [key, [...values]]));
  const spec = {
    ...asked,
    ...(user.name === "" ? {} : { username: user.name }),
    ...(user.uid === "" ? {} : { uid: user.uid }),
    ...(user.groups.length === 0 ? {} : { groups: [...user.groups] }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
  return { ...request, spec };
}

/** The request that is to replace `stored`, through the endpoint that `subresource` names. `now`: milliseconds since the epoch. */
export function prepareSigningRequestUpdate(
  stored: JsonObject,
  next: JsonObject,
  subresource: string | undefined,
  now: number,
): JsonObject {
  const [before, after] = [partOf(stored, "status"), partOf(next, "status")];
  const known = conditionsIn(stored);
  if (subresource === "approval") {
    return withParts(next, stored, { ...before, conditions: dated(conditionsIn(next), known, now) });
  }
  if (subresource !== "status") return withParts(next, stored, before);
  return withParts(next, stored, {
    ...after,
    conditions: dated(withDecisions(conditionsIn(next), known), known, now),
  });
}

/** Approved or denied is said through `approval` alone: where as many are there as were, they are those that were. */
function withDecisions(conditions: readonly JsonObject[], known: readonly JsonObject[]): JsonObject[] {
  let result = [...conditions];
  for (const type of ["Approved", "Denied"]) {
    const kept = known.filter((each) => get(each, "type") === type);
    if (kept.length !== result.filter((each) => get(each, "type") === type).length) continue;
    let index = 0;
    result = result.map((each) => (get(each, "type") === type ? (kept[index++] ?? each) : each));
  }
  return result;
}

/** Conditions with the times that nobody has given. */
function dated(conditions: readonly JsonObject[], known: readonly JsonObject[], now: number): JsonObject[] {
  return conditions.map((condition) => {
    const same = known.find(
      (each) =>
        isSet(get(each, "lastTransitionTime")) &&
        ["type", "status"].every((field) => jsonEqual(get(each, field) ?? null, get(condition, field) ?? null)),
    );
    const changed = get(condition, "lastTransitionTime");
    const updated = get(condition, "lastUpdateTime");
    return {
      ...condition,
      lastUpdateTime: isSet(updated) ? updated : toTimestamp(now),
      lastTransitionTime: isSet(changed) ? changed : (get(same ?? {}, "lastTransitionTime") ?? toTimestamp(now)),
    };
  });
}

function isSet(time: Json | undefined): time is Json {
  return time !== undefined && time !== null;
}

function withParts(next: JsonObject, stored: JsonObject, status: JsonObject): JsonObject {
  const { conditions, ...rest } = status;
  const shown = isList(conditions) && conditions.length > 0 ? { ...rest, conditions } : rest;
  return { ...next, spec: partOf(stored, "spec"), status: shown };
}

function conditionsIn(request: JsonObject): JsonObject[] {
  const conditions = get(partOf(request, "status"), "conditions");
  return isList(conditions) ? conditions.filter(isObject) : [];
}

function partOf(object: JsonObject, name: string): JsonObject {
  const value = get(object, name);
  return isObject(value) ? value : {};
}
