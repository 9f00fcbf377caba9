/**
 * What a look at a value found: kube-openapi pkg/validation/validate/result.go. Besides errors it counts checks that were
 * made: of several alternatives that all fail, the errors of the one with the most checks are told.
 */
import { createHash } from "node:crypto";
import { type FieldError, invalid, notSupported, required, tooLong, tooMany } from "../../../../admission/verdict.ts";
import type { Json } from "../../json.ts";
import { oncePer } from "../../once-per.ts";
import { MOST_TOLD } from "../../status-error.ts";

export interface Finding {
  /** Findings with the same text are told once. */
  readonly text: string;
  /** Where, from where the validation began; undefined for what is about the whole. */
  readonly name: string | undefined;
  readonly error: (path: string) => FieldError;
}

/** What was found so far. One is carried through a whole validation: most values are fine, and cost no more than a count. */
export interface Tally {
  readonly findings: Finding[];
  /** The texts of what was found; undefined as long as nothing was. */
  texts: Set<string> | undefined;
  checks: number;
}

export function newTally(): Tally {
  return { findings: [], texts: undefined, checks: 0 };
}

/** Adds a finding, unless one with the same text is there. */
export function add(tally: Tally, finding: Finding): void {
  tally.texts ??= new Set();
  if (tally.findings.length >= MOST_TOLD || tally.texts.has(finding.text)) return;
  tally.texts.add(finding.text);
  tally.findings.push(finding);
}

/** Adds all that the other found and counted. */
export function merge(tally: Tally, other: Tally): void {
  tally.checks += other.checks;
  for (const finding of other.findings) add(tally, finding);
}

export function isFine({ findings }: Tally): boolean {
  return findings.length === 0;
}

/** Something is wrong with the value at `name`. */
export function wrong(name: string, value: Json, text: string): Finding {
  return { text, name, error: (path) => invalid(path, value, text) };
}

/** The value is of another type: `found` is the name of the type, or the text that is not of the format. */
export function wrongType(name: string, expected: string, found: string): Finding {
  const text = `${name} in body must be of type ${expected}: ${JSON.stringify(found)}`;
  return { text, name, error: (path) => ({ type: "TypeInvalid", path, value: found, detail: text }) };
}

export function missing(name: string): Finding {
  return { text: `${name} in body is required`, name, error: (path) => required(path) };
}

export function notAnOption(name: string, value: Json, options: readonly Json[]): Finding {
  const { words, mark } = wordsOf(options);
  return {
    text: `${name} in body should be one of [${mark}]`,
    name,
    error: (path) => notSupported(path, value, words),
  };
}

/** What there is to choose from, as it is shown, and what tells it from another choice: short, however much there is. */
const wordsOf = oncePer((options: readonly Json[]) => {
  const words = options.map((option) => (typeof option === "string" ? option : JSON.stringify(option)));
  return { words, mark: createHash("sha256").update(JSON.stringify(words)).digest("base64") };
});

export function longer(name: string, max: number): Finding {
  return {
    text: `${name} in body should be at most ${max} chars long`,
    name,
    error: (path) => tooLong(path, max),
  };
}

/** Of items, or of properties. */
export function more(name: string, what: "items" | "properties", count: number, max: number): Finding {
  return {
    text: `${name} in body should have at most ${max} ${what}`,
    name,
    error: (path) => tooMany(path, count, max),
  };
}

/** What has no place of its own: upstream does not say where. */
export function overall(text: string): Finding {
  return { text, name: undefined, error: (path) => invalid(path, "", text) };
}

/**
 * The findings as errors of fields. `under` is where the value stands that was looked at; empty for a whole object, and
 * upstream's word for no place at all is `<nil>`.
 */
export function toFieldErrors({ findings }: Tally, under: string): FieldError[] {
  return findings.map(({ name = "", error }) => {
    const place = name.replace(/^\./, "");
    if (place === "") return error(under === "" ? "<nil>" : under);
    return error(under === "" ? place : `${under}.${place}`);
  });
}
