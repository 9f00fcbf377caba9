/** What the other side wants to be kept to. */
import { CODE, ConnectionError, DEFAULT_FRAME_BYTES, DEFAULT_WINDOW, MAX_WINDOW, SETTING } from "./protocol.ts";

export interface PeerSettings {
  /** What a new stream may be sent before its reader says more. */
  window: number;
  /** The longest frame that may be sent. */
  frameBytes: number;
  /** The table for packed headers was spoken of: what is packed next has to begin with an answer to that. */
  mentionsTable: boolean;
}

export function defaultPeerSettings(): PeerSettings {
  return { window: DEFAULT_WINDOW, frameBytes: DEFAULT_FRAME_BYTES, mentionsTable: false };
}

/** Takes in the payload of a SETTINGS frame. Throws `ConnectionError` for values that there are not. */
export function takeSettings(settings: PeerSettings, payload: Buffer): void {
  if (payload.length % 6 !== 0) throw new ConnectionError(CODE.FRAME_SIZE_ERROR, "SETTINGS of odd length");
  for (let at = 0; at < payload.length; at += 6) {
    const value = payload.readUInt32BE(at + 2);
    switch (payload.readUInt16BE(at)) {
      case SETTING.HEADER_TABLE_SIZE:
        settings.mentionsTable = true;
        break;
      case SETTING.ENABLE_PUSH:
        if (value > 1) throw new ConnectionError(CODE.PROTOCOL_ERROR, `ENABLE_PUSH is ${value}`);
        break;
      case SETTING.INITIAL_WINDOW_SIZE:
        if (value > MAX_WINDOW) throw new ConnectionError(CODE.FLOW_CONTROL_ERROR, `a window of ${value}`);
        settings.window = value;
        break;
      case SETTING.MAX_FRAME_SIZE:
        if (value < DEFAULT_FRAME_BYTES || value > 2 ** 24 - 1) {
          throw new ConnectionError(CODE.PROTOCOL_ERROR, `frames of ${value} bytes`);
        }
        settings.frameBytes = value;
        break;
      default: // What we do not do, or do not know.
    }
  }
}
