/** The real API server, with everything that an answer tells: the object, or every cause of a refusal, and warnings. */
import { Pool } from "undici";
import type { Json, JsonObject } from "../../../src/cluster/api/json.ts";
import type { ControlPlane } from "../control-plane.ts";

/** Causes come in no order from a real server, which walks through maps. */
export interface Answer {
  readonly code: number;
  readonly reason: string;
  /** Of a refusal without causes. */
  readonly message: string;
  readonly causes: readonly string[];
  readonly warnings: readonly string[];
  /** What is stored, without what differs from one write to the next. */
  readonly object: Json;
}

export interface Server {
  send(method: "POST" | "PUT" | "PATCH" | "GET" | "DELETE", path: string, body?: Json): Promise<Answer>;
  close(): Promise<void>;
}

interface Status {
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly causes?: readonly Cause[] };
}

export interface Cause {
  readonly reason: string;
  readonly message: string;
  readonly field?: string | undefined;
}

export function causesOf(causes: readonly Cause[]): string[] {
  return [...new Set(causes.map(({ field = "", message, reason }) => `${field}: ${message} (${reason})`))].toSorted();
}

const VOLATILE = new Set(["uid", "creationTimestamp", "managedFields", "resourceVersion"]);

export function lasting(object: JsonObject): JsonObject {
  const metadata = Object.entries((object["metadata"] ?? {}) as JsonObject).filter(([key]) => !VOLATILE.has(key));
  return { ...object, metadata: Object.fromEntries(metadata) };
}

export function openServer(plane: ControlPlane): Server {
  const pool = new Pool(plane.url, { connections: 4, connect: { ca: plane.ca } });
  return {
    async send(method, path, body) {
      const response = await pool.request({
        method,
        path,
        headers: {
          authorization: `Bearer ${plane.admin.token}`,
          accept: "application/json",
          "content-type": method === "PATCH" ? "application/merge-patch+json" : "application/json",
        },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const text = await response.body.text();
      // A path that is not served yet is refused in plain words.
      const answer = (text.startsWith("{") ? JSON.parse(text) : { message: text }) as JsonObject;
      const warnings = [response.headers["warning"] ?? []].flat().flatMap(warningsIn).toSorted();
      if (response.statusCode < 400) {
        return { code: response.statusCode, reason: "", message: "", causes: [], warnings, object: lasting(answer) };
      }
      const { reason = "", message = "", details } = answer as Status;
      const causes = causesOf(details?.causes ?? []);
      return {
        code: response.statusCode,
        reason,
        message: causes.length > 0 ? "" : message,
        causes,
        warnings,
        object: null,
      };
    },
    close: () => pool.destroy(),
  };
}

/** `299 - "text"`, with quotes in the text escaped; several may stand in one header. */
function warningsIn(header: string): string[] {
  return [...header.matchAll(/299 - ("(?:[^"\\]|\\.)*")/g)].map(([, text = '""']) => String(JSON.parse(text)));
}
