/** Field management, as request handlers use it: updates are tracked, applies are merged. */
export { applyConfiguration, applyInSteps } from "./apply-configuration.ts";
export { keepTimes } from "./keep-times.ts";
export { trackInSteps, trackUpdate } from "./track-update.ts";
export type { CustomKind, WriteRequest } from "./write-request.ts";
