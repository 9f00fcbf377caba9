/** Where a CSI driver listens: a unix socket, and nothing else (CSI spec: the endpoint must be a unix domain socket). */
import { OutgrowError } from "../core/errors.ts";

/** `sun_path` of Linux, less its closing zero. Beyond it the kernel says EINVAL, which tells nobody what is wrong. */
const LONGEST_PATH = 107;

/**
 * The path of the socket from a flag such as `--csi-address`: a bare path, `unix:/path` or `unix:///path`.
 * Throws `CSI_ADDRESS_INVALID` for any other scheme, an empty path, or one that no socket can have.
 */
export function socketPath(address: string): string {
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(address)?.[1];
  if (scheme !== undefined && scheme !== "unix") {
    throw invalid(address, `its scheme is ${scheme}, but CSI is spoken over unix sockets only`);
  }
  const path = scheme === undefined ? address : address.slice("unix:".length).replace(/^\/\/(?=\/)/, "");
  if (path === "" || path.startsWith("//")) throw invalid(address, "it names no path");
  if (Buffer.byteLength(path) > LONGEST_PATH) {
    throw invalid(
      address,
      `a unix socket's path has at most ${LONGEST_PATH} bytes, this one ${Buffer.byteLength(path)}`,
    );
  }
  return path;
}

function invalid(address: string, why: string): OutgrowError {
  return new OutgrowError(
    "CSI_ADDRESS_INVALID",
    `cannot use ${JSON.stringify(address)} as a CSI address: ${why}; give a path such as /run/csi/socket`,
  );
}
