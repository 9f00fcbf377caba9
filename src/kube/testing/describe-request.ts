import type { ApiRequest } from "./api-core.ts";

/** A list or watch in a few words, for tests that say in which order they arrived: `watch from 2200`. */
export function describeRequest({ query }: ApiRequest): string {
  if (query.get("watch") !== "true") {
    return `list ${query.has("continue") ? "more" : "from the start"}${query.has("limit") ? ` (${query.get("limit")})` : ""}`;
  }
  return query.get("sendInitialEvents") === "true"
    ? "watch with the list"
    : `watch from ${query.get("resourceVersion")}`;
}
