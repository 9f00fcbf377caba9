/** Bodies of real kubectl, read by us; and bodies that make no sense, refused by a real server and by us. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { Agent, request } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/cluster/api/json.ts";
import { decodeProtobuf } from "../../../src/cluster/api/protobuf/envelope.ts";
import { StatusError } from "../../../src/cluster/api/status-error.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane({ controllers: [] });
});
afterAll(() => plane?.stop());

describe("what kubectl sends", () => {
  const sent: { type: string; body: Buffer }[] = [];
  let server: Server;
  let address: string;

  /** Takes whatever comes, and answers with it as JSON. */
  beforeAll(async () => {
    const answer = async (request: IncomingMessage, response: ServerResponse) => {
      const body = await buffer(request);
      if (request.method !== "POST") return response.writeHead(404).end("{}");
      sent.push({ type: request.headers["content-type"] ?? "", body });
      const object = decodeProtobuf(body, { apiVersion: "", kind: "" });
      return response.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify(object));
    };
    server = createServer((request, response) => {
      answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  test.each([
    ["create", "namespace", "prod"],
    ["create", "configmap", "settings", "--from-literal=a=1"],
    ["create", "secret", "generic", "password", "--from-literal=a=1"],
    ["create", "serviceaccount", "robot"],
    ["create", "quota", "little", "--hard=requests.storage=1024Gi,pods=3"],
    ["create", "service", "clusterip", "web", "--tcp=80:8080"],
    ["create", "service", "clusterip", "db", "--clusterip=None"],
    ["create", "deployment", "web", "--image=web:1", "--replicas=0"],
    ["create", "poddisruptionbudget", "db", "--selector=app=db", "--min-available=50%"],
    ["create", "priorityclass", "low", "--value=0"],
  ])("kubectl %s %s %s is read as the object that it prints", async (...args) => {
    const printed = JSON.parse(await plane.kubectl([...args, "--dry-run=client", "-o", "json"])) as JsonObject;
    sent.length = 0;
    await plane.kubectl([...args, `--server=${address}`, "--validate=false"]);
    expect(sent.map(({ type }) => type)).toEqual(["application/vnd.kubernetes.protobuf"]);
    const read = decodeProtobuf(sent[0]!.body, { apiVersion: "", kind: "" });
    const { metadata, ...rest } = read;
    // The namespace of the request is filled in only when it is sent.
    const { namespace: _, ...own } = metadata as JsonObject;
    expect({ ...rest, metadata: own }).toEqual(printed);
  });

  test("kubectl auth can-i asks with a review", async () => {
    sent.length = 0;
    await plane.kubectl(["auth", "can-i", "get", "pods", `--server=${address}`]).catch(() => {});
    expect(sent.map(({ body }) => decodeProtobuf(body, { apiVersion: "", kind: "" }))).toMatchObject([
      { kind: "SelfSubjectAccessReview", spec: { resourceAttributes: { verb: "get", resource: "pods" } } },
    ]);
  });
});

describe("a body that makes no sense is refused with the server's words", () => {
  const raw = (...bytes: number[]) => envelopeOf("v1", "Pod", bytes);

  function envelopeOf(apiVersion: string, kind: string, bytes: readonly number[]): Buffer {
    const text = (number: number, value: string) => [number * 8 + 2, value.length, ...Buffer.from(value)];
    const typeMeta = [...text(1, apiVersion), ...text(2, kind)];
    return Buffer.from([...Buffer.from("k8s\0"), 10, typeMeta.length, ...typeMeta, 18, bytes.length, ...bytes]);
  }

  /** Ours numbers the fields where the server has Go's names for them, and knows of no scheme. */
  const normalize = (message: string) =>
    message
      .replace(/ in scheme ".*"$/, "")
      .replace(/^(.*)proto: wrong wireType = (\d) for field \w+$/, "$1wrong wireType = $2 for field N")
      .replace(/^(.*)wrong wireType = (\d) for field \d+$/, "$1wrong wireType = $2 for field N")
      .replace(/proto: (?:\w+: )?/, "");

  async function realAnswer(body: Uint8Array) {
    const { statusCode, body: answer } = await request(`${plane.url}/api/v1/namespaces/default/pods`, {
      method: "POST",
      dispatcher: agent,
      headers: {
        authorization: `Bearer ${plane.admin.token}`,
        "content-type": "application/vnd.kubernetes.protobuf",
        accept: "application/json",
      },
      body,
    });
    const { message, reason } = (await answer.json()) as { message: string; reason: string };
    return { code: statusCode, reason, message: normalize(message) };
  }

  function ourAnswer(body: Uint8Array) {
    try {
      return { object: decodeProtobuf(body, { apiVersion: "v1", kind: "Pod" }) };
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return { code: error.code, reason: error.reason, message: normalize(error.message) };
    }
  }

  let agent: Agent;
  beforeAll(() => {
    agent = new Agent({ connect: { ca: plane.ca } });
  });
  afterAll(() => agent.close());

  test.each<[string, Uint8Array]>([
    ["JSON", Buffer.from('{"kind":"Pod"}')],
    ["the prefix alone", Buffer.from("k8s\0")],
    ["an envelope that ends too early", Buffer.from("k8s\0\n\x7f")],
    ["a kind that is not there", envelopeOf("v1", "Pood", [])],
    ["a group that is not there", envelopeOf("apps/v9", "Pod", [])],
    ["a message that ends too early", raw(10, 5, 1)],
    ["a number without end", raw(120, ...Array<number>(11).fill(0x80))],
    ["a number where a message belongs", raw(8, 1)],
    ["field zero", raw(2, 0)],
    ["a wire type that is not there", raw(127, 0)],
  ])("%s", async (_, body) => {
    expect(ourAnswer(body)).toEqual(await realAnswer(body));
  });
});
