/** The one refusal that every controller meets sooner or later. */
import { isForbidden, type KubeError } from "../../../kube/index.ts";

/** Whether nothing can be created any more because the namespace is being deleted. */
export function isNamespaceTerminating(error: unknown): boolean {
  if (!isForbidden(error)) return false;
  const { details } = error as KubeError;
  return details?.causes?.some(({ reason }) => reason === "NamespaceTerminating") === true;
}
