/**
 * `GET /openapi/v2`: an empty document. Schemas are told in v3; kubectl asks for v2 still when a file holds a List, and takes
 * kinds that it does not find there as they are: the server checks them.
 */

/** Clients ask for the first, which is no media type that they could read in an answer. */
const ASKED = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
const ANSWERED = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
const TITLE = "Kubernetes";

export interface VersionTwo {
  readonly contentType: string;
  readonly body: string | Buffer;
}

/** In protobuf for those who ask for it, which are kubectl and client-go. */
export function openApiVersionTwo(accept: string | undefined, version: string): VersionTwo {
  if ([ASKED, ANSWERED].some((type) => accept?.includes(type)))
    return { contentType: ANSWERED, body: encoded(version) };
  const document = { swagger: "2.0", info: { title: TITLE, version }, paths: {}, definitions: {} };
  return { contentType: "application/json", body: JSON.stringify(document) };
}

/** openapi.v2.Document: swagger 1, info 2 (title 1, version 2), paths 8, definitions 9. */
function encoded(version: string): Buffer {
  const info = Buffer.concat([field(1, Buffer.from(TITLE)), field(2, Buffer.from(version))]);
  return Buffer.concat([field(1, Buffer.from("2.0")), field(2, info), field(8, NOTHING), field(9, NOTHING)]);
}

const NOTHING = Buffer.alloc(0);

/** A field with a length, which is below 128 for all that is said here. */
function field(number: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(number << 3) | 2, content.length]), content]);
}
