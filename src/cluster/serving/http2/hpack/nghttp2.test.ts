/** Beside nghttp2, as Node has it: its blocks are read here, and ours there. */
import { once } from "node:events";
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from "node:http2";
import { type AddressInfo, createServer, type Socket } from "node:net";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createHpackDecoder, encodeFields, type Field } from "./index.ts";

const SETTINGS = 0x4;
const HEADERS = 0x1;
const CONTINUATION = 0x9;
const END_STREAM = 0x1;
const END_HEADERS = 0x4;
const ACK = 0x1;
const PRIORITY = 0x20;
/** What a client says first. */
const PREFACE_BYTES = 24;

function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

interface Peer extends AsyncDisposable {
  readonly session: ClientHttp2Session;
  /** Asks and gives what arrived as the block of the request, and as the fields of the answer. */
  ask(headers: Record<string, string | string[]>): Promise<{ request: Buffer; response: Field[] }>;
  /** What the next requests are answered with. */
  answer: Buffer;
}

/** A server that knows just enough of HTTP/2 to hand over what it is asked, and to answer with a block that it is given. */
async function startPeer(tableBytes: number): Promise<Peer> {
  const blocks: Buffer[] = [];
  const announced = Buffer.alloc(6);
  announced.writeUInt16BE(0x1, 0);
  announced.writeUInt32BE(tableBytes, 2);
  const serve = (socket: Socket): void => {
    socket.write(frame(SETTINGS, 0, 0, announced));
    let rest = Buffer.alloc(0);
    let begun = false;
    let block: Buffer[] = [];
    socket
      .on("error", () => {})
      .on("data", (chunk: Buffer) => {
        rest = Buffer.concat([rest, chunk]);
        if (!begun && rest.length < PREFACE_BYTES) return;
        if (!begun) rest = rest.subarray(PREFACE_BYTES);
        begun = true;
        while (rest.length >= 9 && rest.length >= 9 + rest.readUIntBE(0, 3)) {
          const length = rest.readUIntBE(0, 3);
          const [type = 0, flags = 0, stream] = [rest[3], rest[4], rest.readUInt32BE(5)];
          const payload = rest.subarray(9, 9 + length);
          rest = rest.subarray(9 + length);
          if (type === SETTINGS && (flags & ACK) === 0) socket.write(frame(SETTINGS, ACK, 0));
          if (type !== HEADERS && type !== CONTINUATION) continue;
          block.push(type === HEADERS && (flags & PRIORITY) !== 0 ? payload.subarray(5) : payload);
          if ((flags & END_HEADERS) === 0) continue;
          blocks.push(Buffer.concat(block));
          block = [];
          socket.write(frame(HEADERS, END_HEADERS | END_STREAM, stream, peer.answer));
        }
      });
  };
  const server = createServer(serve).listen(0, "127.0.0.1");
  await once(server, "listening");
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  // So that the table is the one that was announced, from the first block on.
  await once(session, "remoteSettings");
  const peer: Peer = {
    session,
    answer: encodeFields([[":status", "204"]]),
    async ask(headers) {
      const stream = session.request(headers, { endStream: true });
      const response = Promise.withResolvers<Field[]>();
      stream.once("error", response.reject);
      stream.once("response", (_: IncomingHttpHeaders, __: number, raw: string[]) => {
        response.resolve(Array.from({ length: raw.length / 2 }, (_, at) => [raw[at * 2]!, raw[at * 2 + 1]!]));
      });
      stream.resume();
      const fields = await response.promise;
      return { request: blocks.shift() ?? Buffer.alloc(0), response: fields };
    },
    async [Symbol.asyncDispose]() {
      session.destroy();
      server.close();
      await once(server, "close");
    },
  };
  return peer;
}

const name = fc.oneof(
  fc.constantFrom("accept", "user-agent", "content-type", "authorization", "kubectl-session", "x-1", "x-2"),
  fc.stringMatching(/^[a-z0-9!#$%&'*+.^_`|~-]{1,40}$/).map((name) => `x${name}`),
);
/** Octets that may be in a field: not at its ends, blanks. */
const octet = fc.oneof(fc.integer({ min: 0x21, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff }));
const value = fc.string({ unit: octet.map((code) => String.fromCharCode(code)), maxLength: 120 });
const list = fc.uniqueArray(fc.tuple(name, value), { selector: ([name]) => name, maxLength: 15 });

test.each([4096, 256, 0])(
  "requests of nghttp2 are read, one after the other, with a table of %d octets",
  async (tableBytes) => {
    await using peer = await startPeer(tableBytes);
    const { decode } = createHpackDecoder({ tableBytes, maxListBytes: 2 ** 20 });
    await fc.assert(
      fc.asyncProperty(list, fc.stringMatching(/^\/[!-~]{0,60}$/), async (fields, path) => {
        const { request } = await peer.ask({ ":path": path, ...Object.fromEntries(fields) });
        const decoded = decode(request);
        expect(decoded.tooLarge).toBe(false);
        expect(decoded.fields.find(([name]) => name === ":path")).toEqual([":path", path]);
        expect(decoded.fields.filter(([name]) => !name.startsWith(":"))).toEqual(fields);
      }),
      { seed: 7541, numRuns: 300, endOnFailure: true },
    );
  },
);

test("the requests of a client that repeats itself are indices, and no text is made of them", async () => {
  await using peer = await startPeer(4096);
  const { decode } = createHpackDecoder({ tableBytes: 4096, maxListBytes: 2 ** 20 });
  const headers = { ":path": "/", "user-agent": "kubectl/v1.36", accept: "application/json" };
  const first = decode((await peer.ask(headers)).request).fields;
  const { request } = await peer.ask(headers);
  const again = decode(request).fields;
  expect(again).toEqual(first);
  // Method, scheme, authority, path, and the two.
  expect(request).toHaveLength(6);
  for (const [at, field] of again.entries()) expect(field).toBe(first[at]);
});

test("answers of ours are read by nghttp2", async () => {
  await using peer = await startPeer(4096);
  const status = fc.constantFrom("200", "201", "404", "409", "500", "204");
  const secret = fc.constantFrom(
    "set-cookie",
    "proxy-authenticate",
    "www-authenticate",
    "content-type",
    "vary",
    "date",
  );
  await fc.assert(
    fc.asyncProperty(
      status,
      fc.array(fc.tuple(fc.oneof(secret, name), value), { maxLength: 15 }),
      async (status, fields) => {
        peer.answer = encodeFields([[":status", status], ...fields]);
        const { response } = await peer.ask({ ":path": "/" });
        expect(response).toEqual([[":status", status], ...fields]);
      },
    ),
    { seed: 7541, numRuns: 300, endOnFailure: true },
  );
});
