/** The door to decoding: bodies and patches in, objects that fit their kind out. */
export { checkObject, decodeBody, readStrictly, reportUnknown } from "./decode-body.ts";
export { checkPatched, decodePatch, type Patch, type PatchForm, refusalOfPatched } from "./decode-patch.ts";
export { notAnObject } from "./decode-text.ts";
export type { Decoded, Expected, FieldValidation } from "./expected.ts";
