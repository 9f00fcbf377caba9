/** What plugins ask of a request, and how they refuse it. */
import type { KubeObject } from "../../../core/types.ts";
import { resourceName } from "../kinds/kind.ts";
import { aboutObject } from "../lifecycle/refusals.ts";
import { type StatusCause, StatusError } from "../status-error.ts";
import { isOfKind, type KnownKind } from "./known-kind.ts";
import type { AdmissionRequest } from "./plugin.ts";

/** Whether the request is about objects of this kind themselves, and not about a part of them. */
export function isAbout({ resource, subresource }: AdmissionRequest, kind: KnownKind<KubeObject>): boolean {
  return subresource === undefined && isOfKind(resource.kind, kind);
}

/** Whether it makes an object of this kind. */
export function isNew(request: AdmissionRequest, kind: KnownKind<KubeObject>): boolean {
  return request.operation === "CREATE" && isAbout(request, kind);
}

/** 403: `pods "web-0" is forbidden: ...`. */
export function forbid(
  { resource, name }: Pick<AdmissionRequest, "resource" | "name">,
  reason: string,
  causes: readonly StatusCause[] = [],
): StatusError {
  const what = `${resourceName(resource.kind)} ${JSON.stringify(name)}`;
  return new StatusError(403, "Forbidden", `${what} is forbidden: ${reason}`, causes, aboutObject(resource.kind, name));
}
