/**
 * The StorageClass parameters of our drivers: what a volume is made of, and in which ways it should fail to grow. Checked
 * once, when the volume is created, and kept with it.
 */
import { Quantity } from "../../../core/quantity.ts";
import { CSI_CODES, type CsiCode, CsiError } from "../../../csi/index.ts";
import { FILE_SYSTEM_TYPES, type FileSystemType, isFileSystemType } from "../../../node/filesystem/kinds.ts";

/** One half of an expansion that should fail: above `bytes`, with `code`. */
export interface Fault {
  /** -1: any size. */
  readonly aboveBytes: bigint;
  readonly code: CsiCode;
}

export interface Parameters {
  readonly fsType: FileSystemType | undefined;
  /** The driver has this half of an expansion. */
  readonly controllerExpansion: boolean;
  readonly nodeExpansion: boolean;
  /** False: the volume grows only while nobody uses it. */
  readonly online: boolean;
  readonly controllerFault: Fault | undefined;
  readonly nodeFault: Fault | undefined;
  /** How long each expansion takes. */
  readonly delayMs: number;
  /** Sizes are multiples of this. */
  readonly roundToBytes: bigint | undefined;
}

const KNOWN = [
  "fsType",
  "controllerExpansion",
  "nodeExpansion",
  "online",
  "controllerLimit",
  "controllerError",
  "nodeLimit",
  "nodeError",
  "delay",
  "roundTo",
] as const;

type Name = (typeof KNOWN)[number];
type Given = Readonly<Record<string, string>>;

/**
 * Throws `InvalidArgument`, naming the parameter, for one that is not known or makes no sense. Names with a slash in them
 * are other people's (`csi.storage.k8s.io/pvc/name` and the like) and are passed over.
 */
export function readParameters(given: Given): Parameters {
  for (const name of Object.keys(given)) {
    if (name.includes("/") || (KNOWN as readonly string[]).includes(name)) continue;
    throw new CsiError("InvalidArgument", `parameter ${name} is not known; there are ${KNOWN.join(", ")}`);
  }
  return {
    fsType: fsType(given),
    controllerExpansion: flag(given, "controllerExpansion"),
    nodeExpansion: flag(given, "nodeExpansion"),
    online: flag(given, "online"),
    controllerFault: fault(given, "controllerLimit", "controllerError"),
    nodeFault: fault(given, "nodeLimit", "nodeError"),
    delayMs: duration(given, "delay"),
    roundToBytes: size(given, "roundTo"),
  };
}

function fsType(given: Given): FileSystemType | undefined {
  const value = given["fsType"];
  if (value === undefined || isFileSystemType(value)) return value;
  throw wrong("fsType", value, `one of ${FILE_SYSTEM_TYPES.join(", ")}`);
}

function flag(given: Given, name: Name): boolean {
  const value = given[name] ?? "true";
  if (value === "true" || value === "false") return value === "true";
  throw wrong(name, value, '"true" or "false"');
}

/** A limit alone fails with OutOfRange, as a backend says that it cannot; a code alone fails every expansion. */
function fault(given: Given, limitName: Name, errorName: Name): Fault | undefined {
  const [limit, code] = [size(given, limitName), given[errorName]];
  if (code !== undefined && !isCode(code)) throw wrong(errorName, code, `a gRPC code: ${CSI_CODES.join(", ")}`);
  if (limit === undefined && code === undefined) return undefined;
  return { aboveBytes: limit ?? -1n, code: code ?? "OutOfRange" };
}

function size(given: Given, name: Name): bigint | undefined {
  const value = given[name];
  if (value === undefined) return undefined;
  const bytes = Quantity.tryParse(value)?.toBytes();
  if (bytes === undefined || bytes <= 0n) throw wrong(name, value, "a size such as 20Gi");
  return bytes;
}

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;
const DURATION = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/;
/** Longer than any caller waits, and still what a timer can hold. */
const LONGEST_DELAY_MS = 24 * UNITS.h;

/** As Go writes durations: `500ms`, `1m30s`; `0` needs no unit. */
function duration(given: Given, name: Name): number {
  const value = given[name] ?? "0";
  if (value === "0") return 0;
  if (!DURATION.test(value)) throw wrong(name, value, "a duration such as 500ms or 2s");
  const parts = value.matchAll(/([\d.]+)(ms|s|m|h)/g);
  const total = [...parts].reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit as keyof typeof UNITS], 0);
  if (total > LONGEST_DELAY_MS) throw wrong(name, value, "at most 24h");
  return total;
}

function isCode(text: string): text is CsiCode {
  return (CSI_CODES as readonly string[]).includes(text);
}

function wrong(name: Name, value: string, wanted: string): CsiError {
  return new CsiError("InvalidArgument", `parameter ${name} is ${JSON.stringify(value)}; it must be ${wanted}`);
}
