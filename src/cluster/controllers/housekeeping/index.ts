/** What keeps a cluster tidy. README.md says what each does, and what can be relied on. */

export type { Controller, ControllerOptions } from "../shared/run-controller.ts";
export { startServiceAccountController } from "./accounts/default-account.ts";
export { type RootCertificateOptions, startRootCertificatePublisher } from "./accounts/root-certificate.ts";
export { startTokenController, type TokenControllerOptions } from "./accounts/tokens.ts";
export { startDisruptionController } from "./disruption/controller.ts";
export { startEndpointController } from "./endpoints/controller/controller.ts";
export { startGarbageCollector } from "./garbage/controller/controller.ts";
export { type NamespaceControllerOptions, startNamespaceController } from "./namespaces/controller.ts";
export { type QuotaControllerOptions, startQuotaController } from "./quota/controller/controller.ts";
