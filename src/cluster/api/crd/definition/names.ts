/** Names in a definition: labels as RFC 1035 has them, which begin with a letter. */
export { dnsLabel1035 } from "../../validation/names.ts";
