import { once } from "node:events";
import { request as send } from "node:https";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { silentLogger, systemTimers } from "../../kube/index.ts";
import { ensureGood, webhookNames } from "./certificates.ts";
import type { AdmissionRequest, Answer } from "./review.ts";
import { startReviewServer } from "./server.ts";

const certificates = ensureGood(undefined, webhookNames("default"), Date.now());
const allow = ({ uid }: AdmissionRequest): Answer => ({ response: { uid, allowed: true }, outcome: "passed" });
const server = await startReviewServer(
  { host: "127.0.0.1", port: 0 },
  { "/mutate": allow },
  { timers: systemTimers, logger: silentLogger },
);
afterAll(() => server.stop());

interface Reply {
  readonly code: number | undefined;
  readonly body: string;
}

async function ask(method: string, path: string, body: string | Buffer = ""): Promise<Reply> {
  const request = send({ host: "127.0.0.1", port: server.port, method, path, ca: certificates.ca, agent: false });
  // A server that has seen enough answers and hangs up; the answer is what counts.
  request.on("error", () => {});
  request.end(body);
  const [response] = await once(request, "response");
  return { code: response.statusCode, body: await text(response) };
}

const review = (request: object) =>
  JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request });

test("without a certificate no connection can be made", async () => {
  const request = send({
    host: "127.0.0.1",
    port: server.port,
    path: "/mutate",
    rejectUnauthorized: false,
    agent: false,
  });
  const failed = once(request, "response").then(
    () => "answered",
    () => "failed",
  );
  request.end();
  expect(await failed).toBe("failed");
});

test("a question is answered under its uid", async () => {
  server.use(certificates);
  const question = review({ uid: "u-1", operation: "UPDATE", kind: { group: "apps", kind: "StatefulSet" } });
  const { code, body } = await ask("POST", "/mutate?timeout=3s", question);
  expect(code).toBe(200);
  expect(JSON.parse(body)).toEqual({
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    response: { uid: "u-1", allowed: true },
  });
});

test.each<[string, string, string, string | Buffer, number]>([
  ["a path that nobody serves", "POST", "/", "", 404],
  ["a name that every object has", "POST", "/constructor", "", 404],
  ["another method", "GET", "/mutate", "", 405],
  ["no JSON", "POST", "/mutate", "{", 400],
  ["JSON that is nothing", "POST", "/mutate", "null", 400],
  ["JSON that is no question", "POST", "/mutate", "{}", 400],
  ["a question about nothing", "POST", "/mutate", review({ uid: "u" }), 400],
])("%s is refused, and the next question is answered", async (_, method, path, body, code) => {
  expect((await ask(method, path, body)).code).toBe(code);
  const next = await ask("POST", "/mutate", review({ uid: "next", kind: {} }));
  expect(next.code).toBe(200);
});

test("a body that is too long is refused, or hung up on, and the next question is answered", async () => {
  const refused = await ask("POST", "/mutate", Buffer.alloc(9 * 1024 * 1024, "x")).then(
    ({ code }) => code === 400,
    () => true,
  );
  expect(refused).toBe(true);
  expect(await ask("POST", "/mutate", review({ uid: "next", kind: {} }))).toMatchObject({ code: 200 });
});

test("a port that is taken is an error", async () => {
  const options = { timers: systemTimers, logger: silentLogger };
  await expect(startReviewServer({ host: "127.0.0.1", port: server.port }, {}, options)).rejects.toThrow("EADDRINUSE");
});

test("it can be stopped twice", async () => {
  await Promise.all([server.stop(), server.stop()]);
  await server.stop();
  await expect(ask("POST", "/mutate")).rejects.toThrow();
});
