/** kube-controller-manager for one controller, started and killed in the middle of a test. */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findAssets } from "../assets.ts";
import type { ControlPlane } from "../control-plane.ts";
import { startKeeper } from "../keeper.ts";
import type { ControlPlaneOptions } from "../options.ts";
import { controllerManagerArgs, layout } from "../programs.ts";

/** Kills it, as a crash would. May be called twice; happens by itself when this process ends. */
export type KillManager = () => Promise<void>;

/** The control plane should run no manager of its own. Resolves as soon as the program runs. */
export async function startManager(
  plane: ControlPlane,
  controller: string,
  options: Pick<ControlPlaneOptions, "featureGates"> = {},
): Promise<KillManager> {
  const keeper = startKeeper(await mkdtemp(join(tmpdir(), "outgrow-manager-")));
  const { kubeconfig } = plane.admin;
  const files = layout(dirname(kubeconfig));
  await keeper.start({
    command: join(findAssets(), "kube-controller-manager"),
    args: controllerManagerArgs(files, kubeconfig, [controller], options),
    log: files.log("kube-controller-manager"),
  });
  return () => keeper.stop();
}
