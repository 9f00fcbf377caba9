/** The door of csi/: what other folders may use. */
export { socketPath } from "./address.ts";
export type { CallParams, Secrets, SizeParams } from "./calls.ts";
export { type CsiClient, type CsiClientOptions, openCsiClient } from "./client.ts";
export type {
  ControllerCalls,
  ControllerCapability,
  ControllerExpandParams,
  ControllerExpandResult,
  ControllerPublishParams,
  CreateVolumeParams,
  StorageCapacity,
  ValidateCapabilitiesParams,
  VolumeParams,
} from "./controller-calls.ts";
export { type Consequence, CSI_CODES, type CsiCode, CsiError, consequenceOf } from "./error.ts";
export * from "./generated/csi_pb.ts";
export type { PluginCapabilities, PluginInfo } from "./identity-calls.ts";
export type {
  NodeCalls,
  NodeCapability,
  NodeExpandParams,
  NodeInfo,
  NodePublishParams,
  NodeStageParams,
  Usage,
  VolumeStats,
} from "./node-calls.ts";
export {
  type CallObserver,
  type ObservedCall,
  OPERATIONS_HISTOGRAM,
  operationLabels,
  UNKNOWN_DRIVER,
} from "./observer.ts";
export {
  type ControllerHandlers,
  type CsiServer,
  type CsiServerOptions,
  type Handlers,
  type IdentityHandlers,
  type Interceptor,
  type NodeHandlers,
  type ServerCall,
  serveCsi,
} from "./server.ts";
export { type VolumeUse, volumeCapability } from "./volume-capability.ts";
