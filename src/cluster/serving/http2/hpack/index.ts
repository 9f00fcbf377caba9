export { createHpackDecoder, type Decoded, type HpackDecoder, type HpackDecoderOptions } from "./decoder.ts";
export { encodeFields } from "./encoder.ts";
export type { Field } from "./field.ts";
export { HpackError } from "./hpack-error.ts";
