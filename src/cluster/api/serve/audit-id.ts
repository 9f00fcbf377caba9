/** The name of a request, by which people find it again: in every answer, as upstream (endpoints/filters/audit_init.go). */
import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

export const AUDIT_ID = "audit-id";

/** The client's own, if it has one. */
export function auditIdOf(headers: IncomingHttpHeaders): string {
  const sent = headers[AUDIT_ID];
  return typeof sent === "string" && sent !== "" ? sent : randomUUID();
}
