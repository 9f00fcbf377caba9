/** What is run to see whether a container is well, or around its life (upstream validateProbe and validateLifecycle). */
import { type FieldError, forbidden, invalid, notSupported, required } from "../../../../admission/verdict.ts";
import { checkNotNegative, checkPortNumberOrName } from "../checks.ts";

export interface Handler {
  readonly exec?: { readonly command?: readonly string[] };
  readonly httpGet?: {
    readonly path?: string;
    readonly port?: number | string;
    readonly scheme?: string;
    readonly httpHeaders?: readonly { readonly name?: string }[];
  };
  readonly tcpSocket?: { readonly port?: number | string };
  readonly grpc?: { readonly port?: number };
  readonly sleep?: { readonly seconds?: number };
}

export interface Probe extends Handler {
  readonly initialDelaySeconds?: number;
  readonly timeoutSeconds?: number;
  readonly periodSeconds?: number;
  readonly successThreshold?: number;
  readonly failureThreshold?: number;
  readonly terminationGracePeriodSeconds?: number;
}

export interface Lifecycle {
  readonly postStart?: Handler;
  readonly preStop?: Handler;
}

const SCHEMES = ["HTTP", "HTTPS"];
const HEADER_RULE =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";

type Kinds = readonly (keyof Handler)[];
const KINDS: Kinds = ["exec", "httpGet", "tcpSocket", "grpc", "sleep"];

/** `grace`: how long the pod has when it is to end. */
function checkHandler(handler: Handler, grace: number | undefined, path: string): FieldError[] {
  const [first, ...others] = KINDS.filter((kind) => handler[kind] !== undefined && handler[kind] !== null);
  if (first === undefined) return [required(path, "must specify a handler type")];
  return [
    ...checkAction(handler, first, grace, `${path}.${first}`),
    ...others.map((kind) => forbidden(`${path}.${kind}`, "may not specify more than 1 handler type")),
  ];
}

function checkAction(handler: Handler, kind: keyof Handler, grace: number | undefined, path: string): FieldError[] {
  switch (kind) {
    case "exec":
      return (handler.exec?.command ?? []).length === 0 ? [required(`${path}.command`)] : [];
    case "httpGet":
      return checkHttp(handler.httpGet ?? {}, path);
    case "tcpSocket":
      return checkPortNumberOrName(handler.tcpSocket?.port, `${path}.port`);
    case "grpc":
      return checkPortNumberOrName(handler.grpc?.port, `${path}.port`);
    case "sleep": {
      const seconds = handler.sleep?.seconds ?? 0;
      if (grace === undefined || (seconds >= 0 && seconds <= grace)) return [];
      const why = `must be non-negative and less than terminationGracePeriodSeconds (${grace})`;
      return [invalid(path, seconds, why)];
    }
  }
}

function checkHttp(action: NonNullable<Handler["httpGet"]>, path: string): FieldError[] {
  const { scheme = "", httpHeaders = [] } = action;
  return [
    ...((action.path ?? "") === "" ? [required(`${path}.path`)] : []),
    ...checkPortNumberOrName(action.port, `${path}.port`),
    ...(SCHEMES.includes(scheme) ? [] : [notSupported(`${path}.scheme`, scheme, SCHEMES)]),
    ...httpHeaders
      .filter(({ name = "" }) => !/^[-A-Za-z0-9]+$/.test(name))
      .map(({ name = "" }) => invalid(`${path}.httpHeaders`, name, HEADER_RULE)),
  ];
}

export type ProbeName = "livenessProbe" | "readinessProbe" | "startupProbe";

export function checkProbe(probe: Probe, name: ProbeName, grace: number | undefined, path: string): FieldError[] {
  const own = probe.terminationGracePeriodSeconds;
  return [
    ...checkHandler(probe, grace, path),
    ...(
      ["initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"] as const
    ).flatMap((field) => checkNotNegative(probe[field], `${path}.${field}`)),
    ...(own !== undefined && own <= 0
      ? [invalid(`${path}.terminationGracePeriodSeconds`, own, "must be greater than 0")]
      : []),
    ...(name !== "readinessProbe" && (probe.successThreshold ?? 0) !== 1
      ? [invalid(`${path}.successThreshold`, probe.successThreshold ?? 0, "must be 1")]
      : []),
    ...(name === "readinessProbe" && own !== undefined
      ? [invalid(`${path}.terminationGracePeriodSeconds`, own, "must not be set for readinessProbes")]
      : []),
  ];
}

export function checkLifecycle(
  { postStart, preStop }: Lifecycle,
  grace: number | undefined,
  path: string,
): FieldError[] {
  return [
    ...(postStart === undefined ? [] : checkHandler(postStart, grace, `${path}.postStart`)),
    ...(preStop === undefined ? [] : checkHandler(preStop, grace, `${path}.preStop`)),
  ];
}
