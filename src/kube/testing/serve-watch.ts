/** One watch of the simulated API server. */
import type { ServerResponse } from "node:http";
import type { KubeObject } from "../../core/types.ts";
import type { ApiStore, StoredEvent } from "./api-store.ts";
import type { Fault, WatchFault } from "./faults.ts";
import { statusBody } from "./requests.ts";

export interface WatchRequest {
  readonly store: ApiStore;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  readonly matches: (object: KubeObject) => boolean;
  /** Send what is there, then the bookmark that says so. */
  readonly streaming: boolean;
  readonly fault: Extract<Fault, { kind: "watch" }> | undefined;
  readonly speed: number;
  /** Where to be found when a bookmark is due. */
  readonly bookmarks: Set<() => void>;
}

export function serveWatch(request: WatchRequest): void {
  const { store, response, query, matches, streaming, fault, speed, bookmarks } = request;
  let sent = 0;
  let over = false;
  response.writeHead(200, { "content-type": "application/json" });
  response.flushHeaders();

  function write(type: string, object: unknown): void {
    if (over) return;
    const line = `${JSON.stringify({ type, object })}\n`;
    if (fault !== undefined && sent >= fault.after) {
      over = true;
      fail(fault.how, line);
      return;
    }
    sent++;
    response.write(line);
  }

  function fail(how: WatchFault, line: string): void {
    switch (how) {
      case "cut":
        // An empty line says nothing, but when it is out, everything before it is.
        response.write("\n", () => response.destroy());
        return;
      case "cut-mid-line":
        response.write(line.slice(0, line.length >> 1), () => response.destroy());
        return;
      case "end":
        response.end();
        return;
      case "expired":
        response.end(`${JSON.stringify({ type: "ERROR", object: statusBody(410, "Expired", "too old") })}\n`);
        return;
      case "error":
        response.end(`${JSON.stringify({ type: "ERROR", object: statusBody(500, "InternalError", "injected") })}\n`);
        return;
      case "silence":
        return;
    }
  }

  /** As the real one: in and out of the selection are additions and deletions. */
  function forward({ type, object, former }: StoredEvent): void {
    const was = former !== undefined && matches(former);
    const is = type !== "DELETED" && matches(object);
    if (is) write(was ? "MODIFIED" : "ADDED", object);
    else if (was)
      write("DELETED", {
        ...former,
        metadata: { ...former.metadata, resourceVersion: object.metadata.resourceVersion },
      });
  }

  function bookmark(annotations?: Record<string, string>): void {
    write("BOOKMARK", {
      metadata: { resourceVersion: String(store.revision), ...(annotations ? { annotations } : {}) },
    });
  }

  const version = query.get("resourceVersion") ?? "";
  if (version === "" || version === "0") {
    for (const object of store.list() ?? []) if (matches(object)) write("ADDED", object);
    if (streaming) bookmark({ "k8s.io/initial-events-end": "true" });
  } else {
    const missed = store.since(Number(version));
    if (missed === undefined || Number(version) > store.revision) {
      const refusal =
        missed === undefined
          ? statusBody(410, "Expired", `too old resource version: ${version}`)
          : statusBody(504, "Timeout", `Too large resource version: ${version}, current: ${store.revision}`, {
              causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
              retryAfterSeconds: 1,
            });
      response.end(`${JSON.stringify({ type: "ERROR", object: refusal })}\n`);
      return;
    }
    for (const event of missed) forward(event);
  }

  const unsubscribe = store.subscribe(forward);
  const sendBookmark = (): void => bookmark();
  if (query.get("allowWatchBookmarks") === "true") bookmarks.add(sendBookmark);
  const timeout = Number(query.get("timeoutSeconds") ?? 1800);
  const timer = setTimeout(() => over || response.end(), (timeout * 1000) / speed);
  response.on("close", () => {
    clearTimeout(timer);
    unsubscribe();
    bookmarks.delete(sendBookmark);
  });
}
