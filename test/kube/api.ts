/** The API server, plainly: REST paths in, JSON out. For setting a scene and looking at it; not the client under test. */
import { Pool } from "undici";

/** The API server said no. */
export class ApiRefusal extends Error {
  override readonly name = "ApiRefusal";
  readonly status: number;
  /** The `reason` of the Status object: `NotFound`, `Forbidden`, `AlreadyExists`. */
  readonly reason: string;

  constructor(status: number, reason: string, message: string) {
    super(message);
    this.status = status;
    this.reason = reason;
  }
}

export type PatchType = "merge" | "json" | "strategic-merge";

/** Every call throws `ApiRefusal` for an answer of 400 and above. Paths begin with `/api` or `/apis`. */
export interface Api {
  get<T>(path: string): Promise<T>;
  /** For what does not answer in JSON: `/readyz`, `/metrics`. */
  text(path: string): Promise<string>;
  create<T>(path: string, object: object): Promise<T>;
  replace<T>(path: string, object: object): Promise<T>;
  patch<T>(path: string, patch: object, type?: PatchType): Promise<T>;
  delete(path: string): Promise<void>;
  close(): Promise<void>;
}

/** Requests run on up to 32 connections, so thousands may be made at once. `close` when done with it. */
export function openApi(server: { readonly url: string; readonly ca: string }, token: string): Api {
  const pool = new Pool(server.url, { connections: 32, connect: { ca: server.ca } });

  async function call(method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: object, type = "json") {
    const contentType = method === "PATCH" ? `application/${type}-patch+json` : "application/json";
    const response = await pool.request({
      method,
      path,
      headers: { authorization: `Bearer ${token}`, accept: "application/json, */*", "content-type": contentType },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.body.text();
    if (response.statusCode >= 400) throw readRefusal(response.statusCode, text);
    return text;
  }

  return {
    get: async (path) => JSON.parse(await call("GET", path)),
    text: (path) => call("GET", path),
    create: async (path, object) => JSON.parse(await call("POST", path, object)),
    replace: async (path, object) => JSON.parse(await call("PUT", path, object)),
    patch: async (path, patch, type = "merge") => JSON.parse(await call("PATCH", path, patch, type)),
    delete: async (path) => void (await call("DELETE", path)),
    close: () => pool.destroy(),
  };
}

/** The API server answers with a Status object, except where it has not come to that (a plain text 401, a proxy). */
function readRefusal(status: number, text: string): ApiRefusal {
  try {
    const { reason = "", message = text } = JSON.parse(text) as { reason?: string; message?: string };
    return new ApiRefusal(status, reason, message);
  } catch {
    return new ApiRefusal(status, "", text);
  }
}
