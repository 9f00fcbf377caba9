/** Which size a volume gets for the size that is asked for. */
import { type CapacityRange, CsiError } from "../../../csi/index.ts";

export interface SizeRules {
  /** What is given where nothing is asked for. */
  readonly defaultBytes: bigint;
  /** Nothing smaller can be made. */
  readonly minimumBytes: bigint;
  /** Sizes are multiples of this. */
  readonly stepBytes: bigint;
}

const LARGEST = 2n ** 63n - 1n;

/**
 * The least multiple that is as large as asked for; where only a limit is given, the default or as much of it as fits.
 * Throws `OutOfRange` where nothing that can be made is within the limit, `InvalidArgument` for a range that contradicts itself.
 */
export function grantedSize(range: SizeRange | undefined, rules: SizeRules): bigint {
  const { requiredBytes = 0n, limitBytes = 0n } = range ?? {};
  if (requiredBytes < 0n || limitBytes < 0n) throw new CsiError("InvalidArgument", "a size is below zero");
  if (limitBytes > 0n && requiredBytes > limitBytes) {
    throw new CsiError("InvalidArgument", `${requiredBytes} bytes are required, but ${limitBytes} is the limit`);
  }
  const { defaultBytes, minimumBytes, stepBytes } = rules;
  const unasked = limitBytes > 0n && limitBytes < defaultBytes ? limitBytes : defaultBytes;
  const wanted = requiredBytes > 0n ? roundUp(requiredBytes, stepBytes) : unasked - (unasked % stepBytes);
  const least = roundUp(minimumBytes, stepBytes);
  const bytes = wanted > least ? wanted : least;
  const most = limitBytes > 0n ? limitBytes : LARGEST;
  if (bytes > most) {
    throw new CsiError("OutOfRange", `the least size that can be had is ${bytes} bytes, above the limit of ${most}`);
  }
  return bytes;
}

type SizeRange = Pick<CapacityRange, "requiredBytes" | "limitBytes">;

function roundUp(bytes: bigint, step: bigint): bigint {
  return ((bytes + step - 1n) / step) * step;
}
