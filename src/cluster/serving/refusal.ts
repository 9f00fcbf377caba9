/** Refusals that are made before anybody looks at what a request asks for: a Status, as everywhere. */
import type { ServerResponse } from "node:http";
import { toStatus } from "../api/http/status.ts";
import { badRequest, StatusError, tooLarge } from "../api/status-error.ts";

/**
 * Not imported by name: Node then reads every export of the module for its namespace, and one of them brings a whole HTTP client,
 * HTTP/2 and worker threads with it, a tenth of a start.
 */
const { STATUS_CODES } = process.getBuiltinModule("node:http");

/** Answers with a Status. */
export function refuse(response: ServerResponse, error: StatusError): void {
  const body = refusalBody(error);
  response.writeHead(error.code, headersFor(body));
  response.end(body);
}

/** The same as text for a bare connection, where what came was no request and nothing more is to be expected. */
export function refusalText(error: StatusError): string {
  const body = refusalBody(error);
  const headers = Object.entries({ ...headersFor(body), Connection: "close" });
  const head = [
    `HTTP/1.1 ${error.code} ${STATUS_CODES[error.code] ?? ""}`,
    ...headers.map((header) => header.join(": ")),
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

/** The Status. */
export function refusalBody(error: StatusError): string {
  return `${JSON.stringify(toStatus(error, {}))}\n`;
}

function headersFor(body: string): Record<string, string> {
  return { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(body)) };
}

const CLIENT_ERRORS: Readonly<Record<string, StatusError>> = {
  HPE_HEADER_OVERFLOW: new StatusError(431, "BadRequest", "the headers of the request are too large"),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: tooLarge("its chunks have extensions"),
  ERR_HTTP_REQUEST_TIMEOUT: new StatusError(408, "Timeout", "the request did not arrive in time"),
};

/** What a client is told of an error that Node found while it read a request. */
export function explainClientError({ code = "" }: NodeJS.ErrnoException): StatusError {
  return CLIENT_ERRORS[code] ?? badRequest("this is no HTTP request");
}

/** Something of ours went wrong; Kubernetes says it in these words. */
export function internalFailure(message: string): StatusError {
  return new StatusError(500, "InternalError", `Internal error occurred: ${message}`);
}
