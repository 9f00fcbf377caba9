/** The driver as the step sees it: what it can do, and one call that always comes back with an answer. */
import { messageOf } from "../../core/errors.ts";
import { Quantity } from "../../core/quantity.ts";
import type { PersistentVolume } from "../../core/types.ts";
import { type CsiClient, consequenceOf, volumeCapability } from "../../csi/index.ts";
import { type KubeClient, SECRETS } from "../../kube/index.ts";
import type { DriverAnswer } from "../decide/answer.ts";
import type { DriverAbilities } from "../decide/facts.ts";
import { isNodeOnly } from "./node-only.ts";
import { type VolumeSource, volumeSource } from "./volume-source.ts";

export interface Driver {
  /** For this volume. Asked once per connection. Throws when the driver cannot be asked; nothing has happened then. */
  abilities(volume: PersistentVolume): Promise<DriverAbilities>;
  /**
   * Has the volume grown to at least this size. Failures are answers too, in the class that says what may be done next;
   * what went wrong before or after the driver itself was reached is in doubt.
   */
  expand(volume: PersistentVolume, size: Quantity, signal: AbortSignal): Promise<DriverAnswer>;
}

export function createDriver(name: string, csi: CsiClient, kube: Pick<KubeClient, "get">): Driver {
  async function readSecrets(
    ref: NonNullable<VolumeSource["secretRef"]>,
    signal: AbortSignal,
  ): Promise<Record<string, string>> {
    const { data = {} } = await kube.get(SECRETS, ref, {}, signal);
    return Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, Buffer.from(value, "base64").toString("utf8")]),
    );
  }

  async function call(volume: PersistentVolume, size: Quantity, signal: AbortSignal): Promise<DriverAnswer> {
    const abilities = await csi.controllerCapabilities(signal);
    if (!abilities.has("EXPAND_VOLUME") || isNodeOnly(volume)) {
      return { kind: "expanded", capacity: size, nodeExpansionRequired: true };
    }
    const { volumeHandle, fsType, accessModes, secretRef } = volumeSource(volume, name);
    const { volumeMode, mountOptions = [] } = volume.spec;
    const capability = volumeCapability(
      {
        accessModes,
        volumeMode: volumeMode === "Block" ? "Block" : "Filesystem",
        mountFlags: mountOptions,
        ...(fsType === undefined ? {} : { fsType }),
      },
      abilities.has("SINGLE_NODE_MULTI_WRITER"),
    );
    const params = { volumeId: volumeHandle, requiredBytes: size.toBytes(), capability };
    const secrets = secretRef === undefined ? {} : { secrets: await readSecrets(secretRef, signal) };
    const grown = await csi.controllerExpand({ ...params, ...secrets }, signal);
    return {
      kind: "expanded",
      capacity: Quantity.bytes(grown.capacityBytes),
      nodeExpansionRequired: grown.nodeExpansionRequired,
    };
  }

  return {
    async abilities(volume) {
      const has = (await csi.controllerCapabilities()).has("EXPAND_VOLUME");
      return { name, controller: has && !isNodeOnly(volume) };
    },

    async expand(volume, size, signal) {
      try {
        return await call(volume, size, signal);
      } catch (error) {
        const { final, infeasible, inUse } = consequenceOf(error);
        return { kind: "failed", failure: { message: messageOf(error), final, infeasible, inUse } };
      }
    },
  };
}
