/** `outgrow controller` as a process of its own, under the rights that it ships with. */
import { join } from "node:path";
import { stringify } from "yaml";
import { CONTROLLER_RULES, LEADER_RULES } from "../../../src/statefulset/install/role.ts";
import type { ControlPlane } from "../control-plane.ts";
import type { User } from "../credentials.ts";
import { type OutgrowProcess, startOutgrow } from "../outgrow-process.ts";
import { userFor } from "../rbac.ts";

export const CONTROLLER_NAMESPACE = "outgrow-system";

/** The service account of the controller, with the rights that it ships with and no others. */
export function controllerUser(plane: ControlPlane): Promise<User> {
  const name = "outgrow-controller";
  const rbac = "rbac.authorization.k8s.io/v1";
  const manifest = [
    { apiVersion: rbac, kind: "ClusterRole", metadata: { name }, rules: CONTROLLER_RULES },
    { apiVersion: rbac, kind: "Role", metadata: { name }, rules: LEADER_RULES },
  ];
  return userFor(plane, {
    namespace: CONTROLLER_NAMESPACE,
    account: name,
    manifest: manifest.map((object) => stringify(object)).join("---\n"),
  });
}

export interface ControllerOptions {
  readonly kubeconfig: string;
  readonly flags?: readonly string[];
  /** With the clock as it is: sets have to be a minute old before they are re-created. */
  readonly onTime?: boolean;
}

/** Returns when the process runs, which is before it works. */
export function startController({ kubeconfig, flags = [], onTime = false }: ControllerOptions): OutgrowProcess {
  const clock = onTime ? [] : ["--import", join(import.meta.dirname, "later.ts")];
  return startOutgrow(["controller", "--kubeconfig", kubeconfig, ...flags], { node: clock });
}
