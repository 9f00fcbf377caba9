/** A watch may be open for an hour, beside thousands of others: what was needed to begin it must not stay for as long. */
import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { serve } from "../../serving/http2/testing/serve.ts";
import { ADMIN_TOKEN, createApiInMemory } from "../testing/api-in-memory.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const PATH = "/api/v1/namespaces/default/configmaps";

test("watches that wait have let go of their requests, and are told of what happens", async () => {
  const api = createApiInMemory();
  await api.begin(1);
  const headers: WeakRef<object>[] = [];
  await using served = await serve({
    take(stream) {
      headers.push(new WeakRef(stream.head.headers));
      return api.handleStream(stream);
    },
  });
  const { session, send } = await served.client();
  const authorization = `Bearer ${ADMIN_TOKEN}`;
  const streams = Array.from({ length: 20 }, () => session.request({ ":path": `${PATH}?watch=true`, authorization }));
  await Promise.all(streams.map((stream) => once(stream, "response")));
  // What is under way is let go of over a few turns.
  for (let turn = 0; turn < 5; turn++) {
    await setImmediate();
    collectGarbage();
  }
  expect(headers).toHaveLength(20);
  expect(headers.filter((each) => each.deref() !== undefined)).toEqual([]);

  const heard = streams.map(async (stream) => String((await once(stream, "data"))[0]));
  const map = { metadata: { name: "seen" } };
  const { code } = await send(PATH, { ":method": "POST", authorization }, JSON.stringify(map));
  expect(code).toBe(201);
  for (const line of await Promise.all(heard)) expect(line).toMatch(/^\{"type":"ADDED".*"name":"seen"/);
  await api.stop();
});
