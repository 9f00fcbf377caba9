/** What the server tells of its schemas and its version. */
export { openApiDocument, openApiIndex } from "./document.ts";
export { versionDocument } from "./version.ts";
export { openApiVersionTwo } from "./version-two.ts";
