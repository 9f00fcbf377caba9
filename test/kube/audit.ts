/** Which requests an API server got, from its audit log. */
import { open } from "node:fs/promises";

/** One request. */
export interface AuditEntry {
  readonly user: string;
  /** The Kubernetes verb: get, list, watch, create, update, patch, delete, deletecollection. */
  readonly verb: string;
  /** `persistentvolumeclaims/status`; for what is no resource, the path: `/readyz`. */
  readonly resource: string;
  readonly namespace: string;
  /** Empty where the request does not carry it, as in a list or a creation. */
  readonly name: string;
  /** The HTTP status; undefined while the request is under way. */
  readonly code: number | undefined;
  /** Its user has no right to it. */
  readonly denied: boolean;
}

/** A place in the audit log: what comes after it happened later. */
export type AuditMark = number;

export interface AuditFilter {
  readonly user?: string;
  readonly verb?: string;
  readonly resource?: string;
  readonly since?: AuditMark;
}

export interface AuditLog {
  /**
   * The requests that fit, in the order of their arrival. A request is here from before it is acted on, so one whose
   * answer has been seen is never missing; its `code` may be.
   */
  entries(filter?: AuditFilter): Promise<AuditEntry[]>;
  /** How many requests that fit, by `verb resource`: `{ "patch persistentvolumeclaims/status": 3 }`. */
  counts(filter?: AuditFilter): Promise<Record<string, number>>;
  /** The end of the log now, to count from. */
  mark(): Promise<AuditMark>;
}

/** Both ends of every request, without bodies. The log is written before the request goes on (`blocking`). */
export const AUDIT_POLICY = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [ResponseStarted]
rules: [{ level: Metadata }]
`;

interface AuditEvent {
  readonly auditID: string;
  readonly stage: "RequestReceived" | "ResponseComplete" | "Panic";
  readonly verb: string;
  readonly requestURI: string;
  readonly user?: { readonly username?: string };
  readonly objectRef?: {
    readonly resource?: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
  readonly responseStatus?: { readonly code?: number };
  readonly annotations?: Readonly<Record<string, string>>;
}

export function readAuditLog(file: string): AuditLog {
  const entries = async (filter: AuditFilter = {}) =>
    parse(await readFrom(file, filter.since ?? 0)).filter(fits(filter));
  return {
    entries,
    counts: async (filter) => {
      const counts: Record<string, number> = {};
      for (const { verb, resource } of await entries(filter)) {
        const key = `${verb} ${resource}`;
        counts[key] = (counts[key] ?? 0) + 1;
      }
      return counts;
    },
    mark: async () => (await readFrom(file, 0)).lastIndexOf("\n") + 1,
  };
}

/** The whole lines from a byte on; the last may still be in the writing. */
async function readFrom(file: string, start: number): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const bytes = Buffer.alloc(Math.max(0, size - start));
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
    const whole = bytes.subarray(0, bytesRead);
    return whole.subarray(0, whole.lastIndexOf("\n") + 1);
  } finally {
    await handle.close();
  }
}

function parse(log: Buffer): AuditEntry[] {
  const entries = new Map<string, AuditEntry>();
  for (const line of log.toString("utf8").split("\n")) {
    if (line === "") continue;
    const event = JSON.parse(line) as AuditEvent;
    // A request from before the mark that ends after it is not one of those asked for.
    if (event.stage !== "RequestReceived" && !entries.has(event.auditID)) continue;
    entries.set(event.auditID, {
      user: event.user?.username ?? "",
      verb: event.verb,
      resource: resourceOf(event),
      namespace: event.objectRef?.namespace ?? "",
      name: event.objectRef?.name ?? "",
      code: event.responseStatus?.code,
      denied: event.annotations?.["authorization.k8s.io/decision"] === "forbid",
    });
  }
  return [...entries.values()];
}

function resourceOf({ objectRef, requestURI }: AuditEvent): string {
  if (objectRef?.resource === undefined) return requestURI.replace(/\?.*$/, "");
  return objectRef.subresource === undefined ? objectRef.resource : `${objectRef.resource}/${objectRef.subresource}`;
}

function fits({ user, verb, resource }: AuditFilter): (entry: AuditEntry) => boolean {
  return (entry) =>
    (user === undefined || entry.user === user) &&
    (verb === undefined || entry.verb === verb) &&
    (resource === undefined || entry.resource === resource);
}
