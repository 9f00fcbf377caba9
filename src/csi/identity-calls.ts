/** Who the driver is, and what it can do in general. */
import type { Caller, CallParams } from "./calls.ts";
import { Identity, PluginCapability_Service_Type, PluginCapability_VolumeExpansion_Type } from "./generated/csi_pb.ts";

export interface PluginInfo {
  /** The driver's name, as classes and volumes give it. */
  readonly name: string;
  readonly version: string;
}

export interface PluginCapabilities {
  /** It has a controller service: without one nothing can be asked of its controller half. */
  readonly controllerService: boolean;
  /** Where a volume can be used depends on the node. */
  readonly topology: boolean;
  /** When volumes grow: also in use, only out of use, or not said. */
  readonly expansion: "online" | "offline" | "unsaid";
}

export async function askPluginInfo(call: Caller, params: CallParams): Promise<PluginInfo> {
  const { name, vendorVersion } = await call(Identity.method.getPluginInfo, {}, params, undefined);
  return { name, version: vendorVersion };
}

export async function askPluginCapabilities(call: Caller, params: CallParams): Promise<PluginCapabilities> {
  const { capabilities } = await call(Identity.method.getPluginCapabilities, {}, params, undefined);
  const services = new Set<number>();
  const expansions = new Set<number>();
  for (const { type } of capabilities) {
    if (type.case === "service") services.add(type.value.type);
    if (type.case === "volumeExpansion") expansions.add(type.value.type);
  }
  const { ONLINE, OFFLINE } = PluginCapability_VolumeExpansion_Type;
  return {
    controllerService: services.has(PluginCapability_Service_Type.CONTROLLER_SERVICE),
    topology: services.has(PluginCapability_Service_Type.VOLUME_ACCESSIBILITY_CONSTRAINTS),
    expansion: expansions.has(ONLINE) ? "online" : expansions.has(OFFLINE) ? "offline" : "unsaid",
  };
}

/** Whether the driver can take calls. A driver that does not say is ready (CSI spec). */
export async function probe(call: Caller, params: CallParams, signal: AbortSignal | undefined): Promise<boolean> {
  const { ready } = await call(Identity.method.probe, {}, params, signal);
  return ready ?? true;
}
