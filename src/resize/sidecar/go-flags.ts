/**
 * Command-line flags in Go's syntax, because the manifests that start a resizer were written for it: `-x`, `--x`,
 * `--x=v`, `--x v`; a switch takes its value only with `=`; `--` ends the flags. Go stops at the first word that is no flag,
 * and drops it and all that follow without a sound (`--leader-election true --timeout 1m`); here that is an error.
 */
import { OutgrowError } from "../../core/errors.ts";

export type FlagKind = "string" | "switch" | "integer" | "number" | "duration";

export interface Flag {
  readonly kind: FlagKind;
  readonly help: string;
  /** As it would be written. */
  readonly default: string;
}

/** The flags by their names, with the text that was given or the default. `given` tells the two apart. */
export interface ParsedFlags<Name extends string> {
  readonly given: ReadonlySet<Name>;
  text(name: Name): string;
  isOn(name: Name): boolean;
  number(name: Name): number;
  /** In milliseconds. */
  duration(name: Name): number;
}

/** Throws `USAGE` for a flag that is not known, a value that cannot be read, and for words that are no flags. */
export function parseGoFlags<Name extends string>(
  flags: Readonly<Record<Name, Flag>>,
  argv: readonly string[],
): ParsedFlags<Name> {
  const values = new Map<Name, string>();
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? "";
    if (word === "--" && index + 1 === argv.length) break;
    const match = /^--?([^-=][^=]*)(?:=(.*))?$/s.exec(word);
    if (match === null) throw usage(`${JSON.stringify(word)} is not a flag; flags begin with - or --`);
    const [, name = "", value] = match;
    if (!isFlag(flags, name)) throw usage(`flag provided but not defined: -${name}`);
    const { kind } = flags[name];
    if (value === undefined && kind !== "switch" && index + 1 >= argv.length) {
      throw usage(`flag needs an argument: -${name}`);
    }
    const text = value ?? (kind === "switch" ? "true" : (argv[++index] ?? ""));
    check(name, kind, text);
    values.set(name, text);
  }
  const text = (name: Name): string => values.get(name) ?? flags[name].default;
  return {
    given: new Set(values.keys()),
    text,
    isOn: (name) => readSwitch(text(name)) === true,
    number: (name) => Number(text(name)),
    duration: (name) => readDuration(text(name)) ?? 0,
  };
}

function isFlag<Name extends string>(flags: Readonly<Record<Name, Flag>>, name: string): name is Name {
  return Object.hasOwn(flags, name);
}

function check(name: string, kind: FlagKind, text: string): void {
  const readable = {
    string: () => true,
    switch: () => readSwitch(text) !== undefined,
    // Without the leading zero that makes it octal to Go.
    integer: () => /^[+-]?(0|[1-9]\d*)$/.test(text) && Number.isSafeInteger(Number(text)),
    number: () => /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text)),
    duration: () => readDuration(text) !== undefined,
  }[kind]();
  if (!readable) throw usage(`invalid value ${JSON.stringify(text)} for flag -${name}: ${EXPECTED[kind]}`);
}

const EXPECTED: Readonly<Record<FlagKind, string>> = {
  string: "write a text",
  switch: "write true or false",
  integer: "write a whole number",
  number: "write a number",
  duration: "write a duration, for example 10s, 1m30s or 500ms",
};

function readSwitch(text: string): boolean | undefined {
  if (["1", "t", "T", "TRUE", "true", "True"].includes(text)) return true;
  return ["0", "f", "F", "FALSE", "false", "False"].includes(text) ? false : undefined;
}

const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** Milliseconds of a duration as Go writes it (`1h15m30.5s`); undefined when it is not one. */
export function readDuration(text: string): number | undefined {
  if (/^[+-]?0$/.test(text)) return 0;
  const [, sign = "", rest = ""] = /^([+-]?)(.+)$/s.exec(text) ?? [];
  const parts = [...rest.matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/gy)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== rest) return undefined;
  const total = parts.reduce((sum, [, number, unit = ""]) => sum + Number(number) * (UNITS[unit] ?? 0), 0);
  return sign === "-" ? -total : total;
}

/** One paragraph per flag, as Go prints it. */
export function describeFlags(flags: Readonly<Record<string, Flag>>): string {
  return Object.entries(flags)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, flag]) => {
      const shown = flag.default === "" || flag.default === "false" ? "" : ` (default ${flag.default})`;
      return `  -${name}${flag.kind === "switch" ? "" : ` ${flag.kind}`}\n    \t${flag.help}${shown}\n`;
    })
    .join("");
}

function usage(message: string): OutgrowError {
  return new OutgrowError("USAGE", message);
}
