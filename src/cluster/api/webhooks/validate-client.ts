/** How a webhook is reached: exactly one of a URL and a Service (upstream apiserver/pkg/util/webhook/validation.go). */
import { type FieldError, invalid, required } from "../../../admission/verdict.ts";
import { checkPort } from "../validation/checks.ts";
import { dnsSubdomain } from "../validation/names.ts";
import type { WebhookSpec } from "./hook.ts";

type Client = WebhookSpec["clientConfig"];

export function checkClientConfig({ url, service }: Client, path: string): FieldError[] {
  if (url !== undefined && service === undefined) return checkUrl(url, `${path}.url`);
  if (url === undefined && service !== undefined) return checkService(service, `${path}.service`);
  return [required(path, "exactly one of url or service is required")];
}

const FORM = "; desired format: https://host[/path]";

/** Upstream takes any URL apart; what is no URL at all is told in other words here. */
function checkUrl(text: string, path: string): FieldError[] {
  const parts = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?[^?#]*(?:\?([^#]*))?(?:#(.*))?$/s.exec(text);
  const [, scheme = "", authority = "", query = "", fragment = ""] = parts ?? [];
  const at = authority.lastIndexOf("@");
  const [user, host] = at < 0 ? ["", authority] : [authority.slice(0, at), authority.slice(at + 1)];
  if (scheme === "https" && host !== "" && !URL.canParse(text))
    return [required(path, `url must be a valid URL: ${JSON.stringify(text)} cannot be read${FORM}`)];
  return [
    ...(scheme === "https" ? [] : [invalid(path, scheme, `'https' is the only allowed URL scheme${FORM}`)]),
    ...(host === "" ? [invalid(path, host, `host must be specified${FORM}`)] : []),
    ...(at < 0 ? [] : [invalid(path, user, "user information is not permitted in the URL")]),
    ...(fragment === "" ? [] : [invalid(path, fragment, "fragments are not permitted in the URL")]),
    ...(query === "" ? [] : [invalid(path, query, "query parameters are not permitted in the URL")]),
  ];
}

function checkService({ namespace, name, path: at, port }: NonNullable<Client["service"]>, path: string): FieldError[] {
  return [
    // Upstream mixes up the two names here: a missing namespace is told as a missing name.
    ...(namespace === "" ? [required(`${path}.name`)] : []),
    ...(name === "" ? [required(`${path}.namespace`)] : []),
    ...checkPort(port, `${path}.port`).map((error) => ({ ...error, detail: `port is not valid: ${error.detail}` })),
    ...(at === undefined ? [] : checkPath(at, `${path}.path`)),
  ];
}

function checkPath(text: string, path: string): FieldError[] {
  if (text === "" || text === "/") return [];
  if (text === "//") return [invalid(path, text, "segment[0] may not be empty")];
  const start = text.startsWith("/") ? [] : [invalid(path, text, "must start with a '/'")];
  const segments = text.slice(1).replace(/\/$/, "").split("/");
  return [
    ...start,
    ...segments.flatMap((segment, index) => {
      if (segment === "") return [invalid(path, text, `segment[${index}] may not be empty`)];
      return dnsSubdomain(segment).map((message) => invalid(path, text, `segment[${index}]: ${message}`));
    }),
  ];
}
