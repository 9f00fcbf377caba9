/** While a definition is being deleted, nothing new comes under it (apiextensions-apiserver, `forbidCreateAdmission`). */
import type { AdmissionPlugin } from "../../admission/plugin.ts";
import { resourceName } from "../../kinds/kind.ts";
import { StatusError } from "../../status-error.ts";

export const terminatingDefinitions: AdmissionPlugin = {
  name: "TerminatingDefinitions",
  mutate({ operation, resource, name, object }) {
    if (operation !== "CREATE" || resource.custom?.terminating !== true) return object;
    throw new StatusError(
      403,
      "Forbidden",
      `${resourceName(resource.kind)} ${JSON.stringify(name)} is forbidden: create not allowed while custom resource definition is terminating`,
    );
  },
};
