/** Every namespace has a ServiceAccount `default` (upstream serviceaccounts_controller.go). */
import type { Controller, ControllerOptions } from "../../shared/run-controller.ts";
import { keepInEveryNamespace } from "./per-namespace.ts";
import { ACCOUNTS } from "./types.ts";

/** Starts at once. */
export function startServiceAccountController(options: ControllerOptions): Controller {
  return keepInEveryNamespace(options, {
    name: "serviceaccount",
    resource: ACCOUNTS,
    objectName: "default",
    wanted: (namespace, found) => found ?? { metadata: { name: "default", namespace } },
  });
}
