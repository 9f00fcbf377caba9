/** What went wrong on the way to a webhook, in the words that Go has for it and people search for. */
import { isIP } from "node:net";
import { messageOf } from "../../../core/errors.ts";
import { type HookCall, type HookReply, MAX_ANSWER_BYTES } from "./transport.ts";

/** `Post "https://127.0.0.1:9443/check?timeout=10s": dial tcp 127.0.0.1:9443: connect: connection refused` */
export function postFailed(call: HookCall, error: unknown): string {
  return `Post ${JSON.stringify(call.shown)}: ${reasonOf(call, error)}`;
}

interface Failure {
  readonly code?: string;
  readonly name?: string;
  readonly cert?: { readonly subjectaltname?: string };
}

const UNKNOWN_AUTHORITY: ReadonlySet<string> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "CERT_SIGNATURE_FAILURE",
]);

function reasonOf({ url, address }: HookCall, error: unknown): string {
  const { code = "", name = "", cert } = (typeof error === "object" && error !== null ? error : {}) as Failure;
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const dialled = `dial tcp ${address?.host ?? url.hostname}:${address?.port ?? (url.port || 443)}`;
  if (name === "TimeoutError" || name === "AbortError") return "context deadline exceeded";
  if (UNKNOWN_AUTHORITY.has(code)) return verification("certificate signed by unknown authority");
  switch (code) {
    case "ECONNREFUSED":
      return `${dialled}: connect: connection refused`;
    case "EHOSTUNREACH":
      return `${dialled}: connect: no route to host`;
    case "ETIMEDOUT":
      return `${dialled}: connect: connection timed out`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `dial tcp: lookup ${host}: no such host`;
    case "ECONNRESET":
    case "UND_ERR_SOCKET":
      return "EOF";
    case "CERT_HAS_EXPIRED":
    case "CERT_NOT_YET_VALID":
      return verification("certificate has expired or is not yet valid");
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return verification(wrongName(host, cert?.subjectaltname ?? ""));
    case "ERR_SSL_WRONG_VERSION_NUMBER":
    case "ERR_SSL_PACKET_LENGTH_TOO_LONG":
    case "EPROTO":
      return "http: server gave HTTP response to HTTPS client";
    case "UND_ERR_RES_EXCEEDED_MAX_SIZE":
      return `the response is larger than ${MAX_ANSWER_BYTES} bytes`;
    default:
      return messageOf(error);
  }
}

function verification(what: string): string {
  return `tls: failed to verify certificate: x509: ${what}`;
}

/** `alternatives` as Node writes them: `DNS:db.prod.svc, IP Address:127.0.0.1`. */
function wrongName(host: string, alternatives: string): string {
  const wanted = isIP(host) === 0 ? "DNS" : "IP Address";
  const names = alternatives
    .split(", ")
    .filter((each) => each.startsWith(`${wanted}:`))
    .map((each) => each.slice(wanted.length + 1));
  if (names.length > 0) return `certificate is valid for ${names.join(", ")}, not ${host}`;
  return wanted === "DNS"
    ? `certificate is not valid for any names, but wanted to match ${host}`
    : `cannot validate certificate for ${host} because it doesn't contain any IP SANs`;
}

const MAX_SHOWN = 2048;

const BY_STATUS: ReadonlyMap<number, string> = new Map([
  [400, "the server rejected our request for an unknown reason"],
  [401, "the server has asked for the client to provide credentials"],
  [404, "the server could not find the requested resource"],
  [405, "the server does not allow this method on the requested resource"],
  [409, "the server reported a conflict"],
  [422, "the server rejected our request due to an error in our request"],
  [429, "the server has received too many requests and has asked us to try again later"],
  [503, "the server is currently unable to handle the request"],
  [504, "the server was unable to return a response in the time allotted, but may still be processing the request"],
]);

/** Why a reply is no answer (upstream NewGenericServerResponse); undefined when it may be one. */
export function replyFailed({ status, contentType, body }: HookReply): string | undefined {
  if (status >= 200 && status <= 206) {
    if (body !== "") return undefined;
    return `0-length response with status code: ${status} and content type: ${contentType || "application/json"}`;
  }
  const shown = contentType === "" || contentType.startsWith("text/") ? body.slice(0, MAX_SHOWN).trim() : "unknown";
  if (status === 403 || status === 406 || status === 415) return shown;
  const known = BY_STATUS.get(status);
  if (known !== undefined) return known;
  return status >= 500
    ? `an error on the server (${JSON.stringify(shown)}) has prevented the request from succeeding`
    : `the server responded with the status code ${status} but did not return more information`;
}
