/** A request to a server, and what of the answer should be the same on any. */
import { Agent, request } from "undici";
import type { Json, JsonObject } from "../../../src/cluster/api/json.ts";
import type { Server } from "../clients/server.ts";

export interface Ask {
  readonly method: "POST" | "PUT" | "DELETE" | "PATCH";
  readonly path: string;
  readonly body?: JsonObject | readonly Json[];
  readonly contentType?: string;
  /** On behalf of somebody else than the administrator. */
  readonly as?: string;
}

export interface Outcome {
  readonly code: number;
  /** The Status of a refusal. */
  readonly refusal: JsonObject | undefined;
  readonly warnings: readonly string[];
  /** The object as it was answered, without what differs from day to day. */
  readonly object: JsonObject | undefined;
}

export interface Line {
  ask(what: Ask): Promise<Outcome>;
  close(): Promise<void>;
}

export function openLine({ url, ca, token }: Server): Line {
  const agent = new Agent({ connect: { ca } });
  return {
    async ask({ method, path, body, contentType = "application/json", as }) {
      const {
        statusCode,
        headers,
        body: answer,
      } = await request(url + path, {
        method,
        dispatcher: agent,
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": contentType,
          ...(as === undefined ? {} : { "impersonate-user": as }),
        },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const told = (await answer.json()) as JsonObject;
      const refused = statusCode >= 400;
      return {
        code: statusCode,
        refusal: refused ? told : undefined,
        warnings: [headers["warning"] ?? []]
          .flat()
          .flatMap((each) => [...each.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) => text))
          .filter((text) => !text.includes("are stored in this cluster")),
        object: refused || told["kind"] === "Status" ? undefined : timeless(told),
      };
    },
    close: () => agent.close(),
  };
}

const OF_THE_DAY = ["uid", "resourceVersion", "creationTimestamp", "managedFields", "generation"];

function timeless(object: JsonObject): JsonObject {
  const { metadata, status: _, ...rest } = object;
  const kept = Object.entries(metadata as JsonObject).filter(([key]) => !OF_THE_DAY.includes(key));
  return { ...rest, metadata: Object.fromEntries(kept) };
}
