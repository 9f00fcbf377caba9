/**
 * Numbers as they are written in JSON. Go keeps whole numbers of 64 bits exactly; a JSON number here is exact up to 2^53 and
 * for some beyond. What would come out with other digits than it went in is told, never changed in silence.
 */

export type Inexact = "inexact";
export type Misfit = "misfit";

const LIMITS = {
  uint8: [0n, 255n],
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
} as const;

/** More digits than this may be more than 2^53, and more than these are more than 2^64. */
const SAFE_LENGTH = 15;
const LONGEST = 20;

/** Reads a number for a field of whole ones. `1.0` and `1e3` are none, as in Go. */
export function wholeNumber(text: string, type: keyof typeof LIMITS): number | Misfit | Inexact {
  if (text.length > LONGEST || /[.eE]/.test(text)) return "misfit";
  if (text.length > SAFE_LENGTH || type !== "int64") {
    const [least, most] = LIMITS[type];
    const value = BigInt(text);
    if (value < least || value > most) return "misfit";
  }
  return exactly(text);
}

/** Reads a number for a field of any. Whole ones that fit into 64 bits stay whole ones, for Go. */
export function anyNumber(text: string): number | Misfit | Inexact {
  const value = Number(text);
  if (!Number.isFinite(value)) return "misfit";
  const whole = text.length > SAFE_LENGTH && !/[.eE]/.test(text);
  return whole && wholeNumber(text, "int64") === "inexact" ? "inexact" : unsigned(value);
}

function exactly(text: string): number | Inexact {
  const value = unsigned(Number(text));
  return text.length <= SAFE_LENGTH || String(value) === text ? value : "inexact";
}

/** Zero has no sign: JSON would not show it. */
function unsigned(value: number): number {
  return value === 0 ? 0 : value;
}
