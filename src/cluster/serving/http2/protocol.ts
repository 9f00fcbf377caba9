/** The numbers of HTTP/2 (RFC 9113), and the two ways in which it fails. */

export const FRAME = {
  DATA: 0,
  HEADERS: 1,
  PRIORITY: 2,
  RST_STREAM: 3,
  SETTINGS: 4,
  PUSH_PROMISE: 5,
  PING: 6,
  GOAWAY: 7,
  WINDOW_UPDATE: 8,
  CONTINUATION: 9,
} as const;

export const FLAG = { ACK: 0x1, END_STREAM: 0x1, END_HEADERS: 0x4, PADDED: 0x8, PRIORITY: 0x20 } as const;

export const SETTING = {
  HEADER_TABLE_SIZE: 1,
  ENABLE_PUSH: 2,
  MAX_CONCURRENT_STREAMS: 3,
  INITIAL_WINDOW_SIZE: 4,
  MAX_FRAME_SIZE: 5,
  MAX_HEADER_LIST_SIZE: 6,
} as const;

export const CODE = {
  NO_ERROR: 0,
  PROTOCOL_ERROR: 1,
  INTERNAL_ERROR: 2,
  FLOW_CONTROL_ERROR: 3,
  STREAM_CLOSED: 5,
  FRAME_SIZE_ERROR: 6,
  REFUSED_STREAM: 7,
  CANCEL: 8,
  COMPRESSION_ERROR: 9,
  ENHANCE_YOUR_CALM: 11,
} as const;

/** What a client says first of all. */
export const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1");

export const FRAME_HEAD_BYTES = 9;

/** What both sides begin with. */
export const DEFAULT_WINDOW = 65_535;
export const DEFAULT_FRAME_BYTES = 16_384;
export const DEFAULT_TABLE_BYTES = 4096;
export const MAX_WINDOW = 2 ** 31 - 1;

/** Ends the connection: what follows can no longer be understood, or is not to be trusted. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Ends one stream; the others go on. */
export class StreamError extends Error {
  override readonly name = "StreamError";
  readonly stream: number;
  readonly code: number;
  constructor(stream: number, code: number, message: string) {
    super(message);
    this.stream = stream;
    this.code = code;
  }
}
