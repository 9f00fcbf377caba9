/**
 * What a scripted driver does: plain data, so that it can be written in a test, kept in a file and sent over a socket.
 * Every field whose name ends in `Bytes` is a bigint; in JSON it is a number or a string of digits.
 */
import type { CsiCode } from "../error.ts";

/** The methods that rules can be about, by their short names. */
export type ScriptedMethod =
  | "GetPluginInfo"
  | "GetPluginCapabilities"
  | "Probe"
  | "CreateVolume"
  | "DeleteVolume"
  | "ListVolumes"
  | "ControllerGetCapabilities"
  | "ControllerExpandVolume"
  | "NodeGetCapabilities"
  | "NodeGetInfo"
  | "NodeGetVolumeStats"
  | "NodeExpandVolume";

export type Answer =
  /** Does the work and says so. `sayBytes` is the size it claims, be it true or not. */
  | { readonly kind: "done"; readonly roundToBytes?: bigint; readonly sayBytes?: bigint }
  /** Answers with a code: a refusal, or, having `worked` all the same, an expansion that is in doubt (or a lie). */
  | { readonly kind: "error"; readonly code: CsiCode; readonly message?: string; readonly worked?: boolean }
  /** Never answers; lets go of the volume when the caller gives up. */
  | { readonly kind: "silence"; readonly worked?: boolean };

/** A rule answers the calls that fit everything it names. The first that fits and is not used up counts. */
export interface Rule {
  readonly method?: ScriptedMethod;
  readonly volumeId?: string;
  /** Only where more than this is asked for. */
  readonly aboveBytes?: bigint;
  /**
   * How many calls it answers.
   * @default all of them
   */
  readonly times?: number;
  /** How long the work takes. It is done also if the caller gives up before that, as with real storage. */
  readonly delayMs?: number;
  /** @default done */
  readonly answer?: Answer;
}

export interface Abilities {
  /** @default true */
  readonly controllerExpansion?: boolean;
  /** @default true */
  readonly nodeExpansion?: boolean;
  /** @default false */
  readonly singleNodeMultiWriter?: boolean;
  /**
   * Whether volumes grow while they are in use; if not, that is answered with FailedPrecondition.
   * @default true
   */
  readonly online?: boolean;
}

export interface ScriptedVolume {
  /** What the storage really has. It never goes down. */
  readonly backendBytes: bigint;
  /** What the file system on it has. */
  readonly fileSystemBytes: bigint;
  readonly inUse: boolean;
}

export interface Script {
  /** @default scripted.csi.outgrow.dev */
  readonly name?: string;
  readonly abilities?: Abilities;
  /**
   * Sizes are rounded up to multiples of this.
   * @default 1
   */
  readonly roundToBytes?: bigint;
  /** What is there at the start; everything that is not given is 0 or false. */
  readonly volumes?: Readonly<Record<string, Partial<ScriptedVolume>>>;
  /**
   * A volume that was never heard of is taken to be there, with size 0, instead of answering NotFound.
   * @default false
   */
  readonly adoptUnknown?: boolean;
  readonly rules?: readonly Rule[];
}

/** One call that the driver took. */
export interface RecordedCall {
  readonly method: ScriptedMethod;
  readonly volumeId: string;
  /** What was asked for; 0 where a method asks for no size. */
  readonly requiredBytes: bigint;
  /** The CSI name of the access mode, where one was sent: `SINGLE_NODE_WRITER`. */
  readonly accessMode: string | undefined;
  /** The names of the secrets that came along. */
  readonly secretNames: readonly string[];
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number | undefined;
  /** What was answered: nothing yet, or not ever. */
  readonly outcome: "OK" | CsiCode | undefined;
  /** The size of the volume on the storage when the call ended. */
  readonly backendBytes: bigint | undefined;
}

/** The rules in force, and how often each has answered. */
export interface RuleBook {
  take(call: Pick<RecordedCall, "method" | "volumeId" | "requiredBytes">): Pick<Rule, "delayMs" | "answer">;
}

export function ruleBook(rules: readonly Rule[]): RuleBook {
  const left = rules.map((rule) => ({ rule, times: rule.times ?? Number.POSITIVE_INFINITY }));
  return {
    take(call) {
      const entry = left.find(({ rule, times }) => times > 0 && fits(rule, call));
      if (entry === undefined) return {};
      entry.times--;
      return entry.rule;
    },
  };
}

function fits(rule: Rule, call: Pick<RecordedCall, "method" | "volumeId" | "requiredBytes">): boolean {
  return (
    (rule.method === undefined || rule.method === call.method) &&
    (rule.volumeId === undefined || rule.volumeId === call.volumeId) &&
    (rule.aboveBytes === undefined || call.requiredBytes > rule.aboveBytes)
  );
}
