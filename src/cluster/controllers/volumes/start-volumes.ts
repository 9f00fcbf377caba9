/** All volume controllers of the embedded cluster, looking through one view. */
import { socketPath } from "../../../csi/index.ts";
import { noMetrics, silentLogger, systemTimers } from "../../../kube/index.ts";
import { VOLUME_PARTS, type VolumePart } from "../names.ts";
import type { Controller } from "../shared/run-controller.ts";
import { startAttacher } from "./attacher/attacher.ts";
import { startBinder } from "./binder/controller/binder.ts";
import { startClaimProtection } from "./protection/controller/claim-protection.ts";
import { startVolumeProtection } from "./protection/controller/volume-protection.ts";
import { type ProvisionerOptions, startProvisioner } from "./provisioner/controller/provisioner.ts";
import type { VolumeControllerOptions } from "./shared/run-volume-controller.ts";
import { createView } from "./shared/view.ts";

export interface VolumesOptions extends VolumeControllerOptions {
  /** The drivers that volumes are provisioned with; each may come up later. */
  readonly drivers: readonly { readonly name: string; readonly address: string }[];
  /** What others do in this cluster. @default nothing */
  readonly without?: ReadonlySet<VolumePart>;
  readonly provisioning?: Pick<ProvisionerOptions, "timeoutMs" | "backoff">;
}

/** Starts at once; the caller stops it, and closes the client. Throws `CSI_ADDRESS_INVALID`. */
export function startVolumes(options: VolumesOptions): Controller {
  const { client, drivers, without = new Set(), provisioning, ...rest } = options;
  // Before anything is begun.
  for (const { address } of drivers) socketPath(address);
  const { timers = systemTimers, logger = silentLogger, metrics = noMetrics } = rest;
  const view = options.view ?? createView({ client, timers, logger, metrics });
  const shared = { ...rest, client, view };
  const starts: Record<VolumePart, () => readonly Controller[]> = {
    binder: () => [startBinder(shared)],
    provisioner: () =>
      drivers.map(({ name, address }) => startProvisioner({ ...shared, ...provisioning, driver: name, address })),
    "claim-protection": () => [startClaimProtection(shared)],
    "volume-protection": () => [startVolumeProtection(shared)],
    attacher: () => [startAttacher({ ...shared, drivers: drivers.map(({ name }) => name) })],
  };
  const controllers = VOLUME_PARTS.filter((part) => !without.has(part)).flatMap((part) => starts[part]());
  const synced = Promise.all(controllers.map((controller) => controller.synced));
  synced.catch(() => {});
  return {
    synced,
    async stop() {
      await Promise.all(controllers.map((controller) => controller.stop()));
      if (options.view === undefined) await view.stop();
    },
  };
}
