/** Over HTTP, on the connections of pools.ts. */
import type { ClusterConfig } from "../config/cluster-config.ts";
import type { Connection } from "./connection.ts";
import { readValues } from "./lines.ts";
import { createPools } from "./pools.ts";

/** `connections`: for requests at the same time; more of them wait their turn. Endless answers have one each. */
export function openHttpConnection(config: ClusterConfig, connections: number): Connection {
  const pools = createPools(config, connections);
  const { origin, pathname } = new URL(config.server);
  const prefix = pathname.replace(/\/$/, "");
  return {
    async request({ method, path, headers, body, credential, endless }, signal) {
      const pair = pools.for(credential);
      const response = await (endless ? pair.watches : pair.requests).request({
        origin,
        method,
        path: prefix + path,
        headers,
        body,
        // undici gives up the connection after a DELETE with a body; API servers take such bodies for what they are.
        reset: false,
        signal: signal ?? null,
      });
      return {
        status: response.statusCode,
        headers: response.headers,
        text: () => response.body.text(),
        values: (what) => readValues(response.body, what),
      };
    },
    close: () => pools.destroy(),
  };
}
