/** How the embedded cluster is reached: its folder, its certificates, its kubeconfig, and the HTTPS server. */
export { ensureCertificates, SERVER_NAMES, type ServerCertificate } from "./certificates.ts";
export { type Credentials, ensureCredentials } from "./credentials.ts";
export { type DataFolder, defaultDataFolder, openDataFolder } from "./data-folder.ts";
export { distinctHeaders, headOf, readStreamBody, type ServerStream, sendWhole } from "./http2/index.ts";
export { type Access, type MergeOptions, mergeKubeconfig, writeKubeconfig } from "./kubeconfig.ts";
export { DEFAULT_LISTENER_LIMITS, type ListenerLimits, MAX_BODY_BYTES } from "./limits.ts";
export { type Listener, type ListenerOptions, startListener } from "./listener.ts";
export { readBody } from "./read-body.ts";
export { sendJson } from "./send-json.ts";
export { createStream, type ResponseStream, type StreamOptions } from "./stream.ts";
