/** `outgrow controller` as a process of its own, under the rights that it ships with. */
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
  /** How far ahead its clock is, in seconds. Unless told, to it every set is older than the minute before which none is re-created. */
  readonly ahead?: number;
}

/**
 * Returns when the process runs, which is before it works. It has no lease, since nobody would start it again who lost that on a busy
 * machine: only one may be at work in a namespace.
 */
export function startController({ kubeconfig, flags = [], ahead = 61 }: ControllerOptions): OutgrowProcess {
  const clock = new URL(`later.ts?seconds=${ahead}`, import.meta.url);
  const words = ["controller", "--kubeconfig", kubeconfig, "--no-leader-election", ...flags];
  return startOutgrow(words, { node: ["--import", clock.href] });
}
