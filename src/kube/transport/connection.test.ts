import { expect, it } from "vitest";
import { fixedCredentials } from "../config/credentials.ts";
import { configFor } from "../testing/connect.ts";
import type { Connection, Question } from "./connection.ts";
import { createTransport } from "./transport.ts";

it("a server in this process is asked directly, and the rest is as with any other", async () => {
  const asked: Question[] = [];
  let isClosed = false;
  const statuses = [503, 200];
  const connect = (): Connection => ({
    async request(question) {
      asked.push(question);
      const answer = { at: "home" };
      const headers = { "retry-after": "0" };
      const values = async function* () {
        yield answer;
      };
      return { status: statuses.shift() ?? 200, headers, text: async () => JSON.stringify(answer), values };
    },
    async close() {
      isClosed = true;
    },
  });
  const credentials = fixedCredentials({ authorization: "Bearer t" });
  const transport = createTransport(configFor("https://127.0.0.1:1", { connect, credentials }));
  expect(await transport.json({ method: "GET", path: "/version" })).toEqual({ at: "home" });
  expect(asked.map(({ path, endless }) => [path, endless])).toEqual([
    ["/version", false],
    ["/version", false],
  ]);
  expect(asked[0]?.headers).toMatchObject({ authorization: "Bearer t" });
  for await (const value of await transport.stream({ method: "GET", path: "/w" }))
    expect(value).toEqual({ at: "home" });
  expect(asked[2]).toMatchObject({ path: "/w", endless: true });
  await transport.close();
  expect(isClosed).toBe(true);
});
