/** What kube-apiserver answers when it is asked for tables and for metadata. */
import { Agent, request } from "undici";
import type { JsonObject } from "../../../src/cluster/api/json.ts";
import type { Table } from "../../../src/cluster/api/table/table.ts";
import type { ControlPlane } from "../control-plane.ts";

export interface Answer<Body> {
  readonly status: number;
  readonly body: Body;
  /** The second in which it was given, as the server's clock had it. */
  readonly second: number;
}

export interface WatchEvent<Body> {
  readonly type: string;
  readonly object: Body;
}

export interface TableServer {
  table(path: string, query?: string): Promise<Answer<Table>>;
  metadata(path: string, as: "PartialObjectMetadata" | "PartialObjectMetadataList"): Promise<Answer<JsonObject>>;
  /** The events that a watch gives within a second, up to its end. */
  watchTables(path: string, query: string): Promise<Answer<readonly WatchEvent<Table>[]>>;
  close(): Promise<void>;
}

/** `close` when done with it. */
export function openTableServer(plane: Pick<ControlPlane, "url" | "ca" | "admin">): TableServer {
  const dispatcher = new Agent({ connect: { ca: plane.ca } });

  async function read(path: string, as: string): Promise<Answer<string>> {
    const response = await request(`${plane.url}${path}`, {
      dispatcher,
      headers: {
        authorization: `Bearer ${plane.admin.token}`,
        accept: `application/json;as=${as};v=v1;g=meta.k8s.io`,
      },
    });
    const body = await response.body.text();
    return { status: response.statusCode, body, second: Date.parse(String(response.headers["date"])) };
  }
  const parsed = async <Body>(answer: Promise<Answer<string>>): Promise<Answer<Body>> => {
    const { body, ...rest } = await answer;
    return { ...rest, body: JSON.parse(body) as Body };
  };

  return {
    table: (path, query = "") => parsed(read(query === "" ? path : `${path}?${query}`, "Table")),
    metadata: (path, as) => parsed(read(path, as)),
    watchTables: async (path, query) => {
      const { body, ...rest } = await read(`${path}?watch=true&timeoutSeconds=1&${query}`, "Table");
      const lines = body.split("\n").filter((line) => line !== "");
      return { ...rest, body: lines.map((line) => JSON.parse(line) as WatchEvent<Table>) };
    },
    close: () => dispatcher.close(),
  };
}
