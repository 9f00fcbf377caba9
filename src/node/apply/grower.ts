/** What makes a mounted volume follow its new size: the CSI driver's node half, or a tool of the operator's own. */
import { messageOf } from "../../core/errors.ts";
import type { Quantity } from "../../core/quantity.ts";
import type { PersistentVolume } from "../../core/types.ts";
import { type CsiClient, consequenceOf, volumeCapability } from "../../csi/index.ts";
import { type KubeClient, SECRETS } from "../../kube/index.ts";
import type { NodeAnswer } from "../decide/answer.ts";
import type { Place } from "./places.ts";

export interface Grower {
  /** Throws when the driver cannot be asked; nothing has happened then. */
  canExpand(): Promise<boolean>;
  /**
   * Has the volume grown to at least this size. Failures are answers too, in the class that says what may be done next;
   * what went wrong before or after the driver itself was reached is in doubt.
   */
  expand(volume: PersistentVolume, size: Quantity, place: Place, signal: AbortSignal): Promise<NodeAnswer>;
}

/** Through NodeExpandVolume. */
export function csiGrower(csi: CsiClient, kube: Pick<KubeClient, "get">): Grower {
  async function readSecrets(
    ref: { name: string; namespace: string },
    signal: AbortSignal,
  ): Promise<Record<string, string>> {
    const { data = {} } = await kube.get(SECRETS, ref, {}, signal);
    return Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, Buffer.from(value, "base64").toString("utf8")]),
    );
  }

  async function call(volume: PersistentVolume, size: Quantity, place: Place, signal: AbortSignal): Promise<void> {
    const { volumeHandle = "", nodeExpandSecretRef: secret } = volume.spec.csi ?? {};
    const { volumePath, stagingPath } = place;
    const capability = capabilityOf(volume, (await csi.nodeCapabilities(signal)).has("SINGLE_NODE_MULTI_WRITER"));
    const params = { volumeId: volumeHandle, volumePath, stagingPath, requiredBytes: size.toBytes(), capability };
    const secrets = secret === undefined ? {} : { secrets: await readSecrets(secret, signal) };
    await csi.nodeExpand({ ...params, ...secrets }, signal);
  }

  return {
    canExpand: async () => (await csi.nodeCapabilities()).has("EXPAND_VOLUME"),
    async expand(volume, size, place, signal) {
      try {
        await call(volume, size, place, signal);
        return { kind: "expanded" };
      } catch (error) {
        const { final, infeasible, inUse } = consequenceOf(error);
        return { kind: "failed", message: messageOf(error), final, infeasible, inUse };
      }
    },
  };
}

/** How a volume is used, as the kubelet tells it to drivers: by the first of its access modes. */
export function capabilityOf(
  { spec }: PersistentVolume,
  singleNodeMultiWriter: boolean,
): ReturnType<typeof volumeCapability> {
  const { accessModes = [], volumeMode, mountOptions = [], csi } = spec;
  return volumeCapability(
    {
      accessModes: [accessModes[0] ?? "ReadWriteOnce"],
      volumeMode: volumeMode === "Block" ? "Block" : "Filesystem",
      mountFlags: mountOptions,
      ...(csi?.fsType === undefined ? {} : { fsType: csi.fsType }),
    },
    singleNodeMultiWriter,
  );
}
