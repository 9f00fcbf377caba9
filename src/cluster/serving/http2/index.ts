/** HTTP/2, from the server's side. */
export { headOf, sendWhole } from "./answer.ts";
export { readStreamBody } from "./body.ts";
export { distinctHeaders, type RequestHead } from "./request-head.ts";
export { type Http2Side, type Http2SideOptions, openHttp2Side } from "./side.ts";
export type { ServerStream } from "./stream.ts";
