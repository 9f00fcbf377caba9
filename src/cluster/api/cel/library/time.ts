/** Parts of timestamps and durations. */
import { type FunctionDeclaration, member, type Overload } from "../check/declarations.ts";
import { DURATION, INT, STRING, TIMESTAMP } from "../check/types.ts";
import { type TimePart, timePart } from "../value/time.ts";
import { isKind, NO_SUCH_OVERLOAD, type Timestamp } from "../value/value.ts";

const PARTS: readonly (readonly [TimePart, string])[] = [
  ["getFullYear", "year"],
  ["getMonth", "month"],
  ["getDayOfYear", "day_of_year"],
  ["getDayOfMonth", "day_of_month"],
  ["getDate", "day_of_month_1_based"],
  ["getDayOfWeek", "day_of_week"],
  ["getHours", "hours"],
  ["getMinutes", "minutes"],
  ["getSeconds", "seconds"],
  ["getMilliseconds", "milliseconds"],
];

/** How many nanoseconds a duration's unit has. */
const UNITS: Partial<Record<TimePart, bigint>> = {
  getHours: 3_600_000_000_000n,
  getMinutes: 60_000_000_000n,
  getSeconds: 1_000_000_000n,
  getMilliseconds: 1_000_000n,
};

export const TIME: readonly FunctionDeclaration[] = PARTS.map(([name, id]) => ({
  name,
  overloads: [
    member(`timestamp_to_${id}`, [TIMESTAMP], INT, ([at]) => timePart(name, at as Timestamp, "UTC")),
    member(`timestamp_to_${id}_with_tz`, [TIMESTAMP, STRING], INT, ([at, zone]) =>
      typeof zone === "string" ? timePart(name, at as Timestamp, zone) : NO_SUCH_OVERLOAD,
    ),
    ...ofDuration(name, id),
  ],
}));

function ofDuration(name: TimePart, id: string): readonly Overload[] {
  const unit = UNITS[name];
  if (unit === undefined) return [];
  return [
    member(`duration_to_${id}`, [DURATION], INT, ([value]) =>
      isKind(value, "duration") ? value.nanos / unit : NO_SUCH_OVERLOAD,
    ),
  ];
}
