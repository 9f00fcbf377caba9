/** What the calls of all three services share. */
import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { CsiError } from "./error.ts";
import type { CapacityRange } from "./generated/csi_pb.ts";

/** Parameters that every call takes. */
export interface CallParams {
  /**
   * How long the driver has to answer.
   * @default the client's `timeoutMs`
   */
  readonly timeoutMs?: number;
}

/** Secrets go to the driver and nowhere else: not into logs, and not into errors, even if the driver repeats them. */
export type Secrets = Readonly<Record<string, string>>;

/** The size that is asked for: at least `requiredBytes`, at most `limitBytes` when given. */
export interface SizeParams {
  readonly requiredBytes: bigint;
  readonly limitBytes?: bigint;
}

/** Makes one call; throws `CsiError`. */
export type Caller = <I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  request: MessageInitShape<I>,
  params: CallParams,
  signal: AbortSignal | undefined,
) => Promise<MessageShape<O>>;

const LARGEST_INT64 = 2n ** 63n - 1n;

/**
 * Throws `OutOfRange` for a size that CSI has no way to say. That is final though no driver said it: nothing can be in doubt
 * about a size that could never be asked for.
 */
export function capacityRange({
  requiredBytes,
  limitBytes = 0n,
}: SizeParams): Pick<CapacityRange, "requiredBytes" | "limitBytes"> {
  for (const bytes of [requiredBytes, limitBytes]) {
    if (bytes < 0n || bytes > LARGEST_INT64) {
      throw new CsiError("OutOfRange", `${bytes} bytes cannot be asked of a driver: sizes go from 0 to 2^63-1`);
    }
  }
  return { requiredBytes, limitBytes };
}
