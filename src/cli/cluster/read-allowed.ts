/** Reading as somebody who may not read everything: what is refused is noted, and the rest goes on. */
import { isForbidden } from "../../kube/index.ts";

export interface AllowedReader {
  /** What the request gives; undefined, and noted under this name, when the user may not make it. */
  read<T>(what: string, request: () => Promise<T>): Promise<T | undefined>;
  /** What was refused so far, in the order in which it was asked for. */
  notRead(): readonly string[];
}

export function readAllowed(): AllowedReader {
  const asked: string[] = [];
  const refused = new Set<string>();
  return {
    async read(what, request) {
      asked.push(what);
      try {
        return await request();
      } catch (error) {
        if (!isForbidden(error)) throw error;
        refused.add(what);
        return undefined;
      }
    },
    notRead: () => [...new Set(asked)].filter((what) => refused.has(what)),
  };
}
