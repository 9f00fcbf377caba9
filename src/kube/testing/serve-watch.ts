/** One watch of the simulated API server. */
import type { KubeObject } from "../../core/types.ts";
import type { Timers } from "../timers.ts";
import type { ApiStore, StoredEvent } from "./api-store.ts";
import type { Fault, WatchFault } from "./faults.ts";
import { statusBody } from "./requests.ts";

/** Where the lines of a watch go. */
export interface Connection {
  write(text: string): void;
  end(): void;
  /** Breaks it, after what was written is out. */
  cut(): void;
}

export interface WatchRequest {
  readonly store: ApiStore;
  readonly query: URLSearchParams;
  readonly matches: (object: KubeObject) => boolean;
  /** Send what is there, then the bookmark that says so. */
  readonly streaming: boolean;
  readonly fault: Extract<Fault, { kind: "watch" }> | undefined;
  readonly timers: Timers;
  /** Where to be found when a bookmark is due. */
  readonly bookmarks: Set<() => void>;
}

/** Milliseconds that a streaming list takes. */
const LIST_TAKES = 100;

/** Serves until it ends or breaks; the returned function is to be called when the connection is closed. */
export function serveWatch(request: WatchRequest, connection: Connection): () => void {
  const { store, query, matches, streaming, fault, timers, bookmarks } = request;
  const unsubscribers: (() => void)[] = [];
  let sent = 0;
  let over = false;

  function finish(how: () => void): void {
    over = true;
    how();
  }

  function write(type: string, object: unknown): void {
    if (over) return;
    const line = `${JSON.stringify({ type, object })}\n`;
    if (fault !== undefined && sent >= fault.after) finish(() => fail(fault.how, line));
    else {
      sent++;
      connection.write(line);
    }
  }

  function endWith(status: object): void {
    connection.write(`${JSON.stringify({ type: "ERROR", object: status })}\n`);
    connection.end();
  }

  function fail(how: WatchFault, line: string): void {
    switch (how) {
      case "cut":
        connection.cut();
        return;
      case "cut-mid-line":
        connection.write(line.slice(0, line.length >> 1));
        connection.cut();
        return;
      case "end":
        connection.end();
        return;
      case "expired":
        endWith(statusBody(410, "Expired", "injected"));
        return;
      case "error":
        endWith(statusBody(500, "InternalError", "injected"));
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
    else if (was) {
      const { resourceVersion } = object.metadata;
      write("DELETED", { ...former, metadata: { ...former.metadata, resourceVersion } });
    }
  }

  function bookmark(annotations: Record<string, string> = {}): void {
    write("BOOKMARK", { metadata: { resourceVersion: String(store.revision), annotations } });
  }

  /** What is missing until now; false when that cannot be said. */
  function catchUp(): boolean {
    const version = query.get("resourceVersion") ?? "";
    if (version === "" || version === "0") {
      for (const object of store.list() ?? []) if (matches(object)) write("ADDED", object);
      // As on the real one, changes may come before the word that the list is complete.
      const complete = (): void => bookmark({ "k8s.io/initial-events-end": "true" });
      if (streaming) unsubscribers.push(timers.after(LIST_TAKES, complete));
      return true;
    }
    if (Number(version) > store.revision) {
      const message = `Too large resource version: ${version}, current: ${store.revision}`;
      const causes = [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }];
      endWith(statusBody(504, "Timeout", message, { causes, retryAfterSeconds: 1 }));
      return false;
    }
    const missed = store.since(Number(version));
    if (missed === undefined) endWith(statusBody(410, "Expired", `too old resource version: ${version}`));
    else for (const event of missed) forward(event);
    return missed !== undefined;
  }

  if (catchUp()) {
    unsubscribers.push(store.subscribe(forward));
    if (query.get("allowWatchBookmarks") === "true") {
      const send = (): void => bookmark();
      bookmarks.add(send);
      unsubscribers.push(() => bookmarks.delete(send));
    }
    const seconds = Number(query.get("timeoutSeconds") ?? 1800);
    unsubscribers.push(timers.after(seconds * 1000, () => over || finish(() => connection.end())));
  }
  return () => {
    over = true;
    for (const unsubscribe of unsubscribers) unsubscribe();
  };
}
