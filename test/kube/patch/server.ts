/** The real API server, asked plainly: whole answers, refusals as values. */
import { Pool } from "undici";
import type { Json, JsonObject } from "../../../src/cluster/api/json.ts";
import type { ControlPlane } from "../control-plane.ts";

export type Answer =
  | { readonly kind: "taken"; readonly object: JsonObject }
  | { readonly kind: "refused"; readonly code: number; readonly reason: string; readonly message: string };

export interface Server {
  send(method: "POST" | "PUT" | "PATCH" | "GET", path: string, contentType: string, body?: Json): Promise<Answer>;
  close(): Promise<void>;
}

export function openServer(plane: ControlPlane): Server {
  const pool = new Pool(plane.url, { connections: 4, connect: { ca: plane.ca } });
  return {
    async send(method, path, contentType, body) {
      const { statusCode, body: stream } = await pool.request({
        method,
        path,
        headers: {
          authorization: `Bearer ${plane.admin.token}`,
          accept: "application/json",
          "content-type": contentType,
        },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const answer = await stream.json();
      if (statusCode < 400) return { kind: "taken", object: answer as JsonObject };
      const { reason = "", message = "" } = answer as { reason?: string; message?: string };
      return { kind: "refused", code: statusCode, reason, message };
    },
    close: () => pool.destroy(),
  };
}
