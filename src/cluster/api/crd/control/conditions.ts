/** The conditions of a definition. */
import type { Condition, Definition } from "../definition/definition.ts";

/** What a condition says, without the moment since when. */
export type Said = Required<Pick<Condition, "type" | "status" | "reason" | "message">>;

/** The definition with a condition; it keeps its moment while its status stays. `now` is a timestamp of the API. */
export function withCondition(definition: Definition, said: Said, now: string): Definition {
  const conditions = definition.status?.conditions ?? [];
  const index = conditions.findIndex(({ type }) => type === said.type);
  const known = conditions[index];
  const since = known?.status === said.status ? (known.lastTransitionTime ?? now) : now;
  const { type, status, reason, message } = said;
  const next: Condition = { type, status, lastTransitionTime: since, reason, message };
  return {
    ...definition,
    status: {
      ...definition.status,
      conditions: known === undefined ? [...conditions, next] : conditions.with(index, next),
    },
  };
}
