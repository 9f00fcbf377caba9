/**
 * What a reader has to say of a text: where it is in it, what it found there, and what does not fit. Paths are kept in the
 * two ways in which Go's decoder names them.
 */
import { goQuote } from "./go-quote.ts";
import type { GoField, StructType } from "./go-types.ts";

/** A value that does not fit its type; the message is Go's. */
export class MisfitError extends Error {
  override readonly name = "MisfitError";
}

/** Go counts no further than this (sigs.k8s.io/json). */
const MAX_FINDINGS = 100;

/** Nor are paths written without end: a long name with many unknown fields below it would cost more than it weighs. */
const MAX_WRITTEN = 2 ** 20;

export class Report {
  /** `unknown field "spec.foo"`, `duplicate field "spec.x"`, in the order of the text. */
  readonly findings: string[] = [];
  #written = 0;
  /** As findings name the place: `containers`, 0, `name`. */
  readonly path: (string | number)[];
  /** As refusals name the place: by structures alone. */
  readonly #fields: string[] = [];
  #struct = "";
  /** Above zero, nothing is found. */
  #lenient: number;
  /** Above zero, in a value whose decoder of its own ends all reading where something does not fit. */
  #apart = 0;
  /** What ends the reading, for Go: it counts more than what merely did not fit before. */
  #fatal: string | undefined;
  #misfit: string | undefined;

  constructor(strict: boolean, at: readonly string[]) {
    this.#lenient = strict ? 0 : 1;
    this.path = [...at];
  }

  get strict(): boolean {
    return this.#lenient === 0;
  }

  /** Into a field; gives what `leaveField` wants back. */
  enterField(type: StructType, field: GoField): string {
    const outer = this.#struct;
    if (this.#apart === 0) this.#struct = type.shortName;
    this.#fields.push(field.path);
    this.path.push(field.name);
    return outer;
  }

  leaveField(outer: string): void {
    this.path.pop();
    this.#fields.pop();
    this.#struct = outer;
  }

  /** Into a value that upstream reads with a decoder of its own, which is not strict. */
  enterApart(): void {
    this.#apart++;
    this.#lenient++;
  }

  leaveApart(): void {
    this.#apart--;
    this.#lenient--;
  }

  find(what: "unknown" | "duplicate", key: string): void {
    if (!this.strict || this.findings.length >= MAX_FINDINGS || this.#written > MAX_WRITTEN) return;
    const finding = `${what} field ${goQuote(textOf([...this.path, key]))}`;
    this.#written += finding.length;
    if (!this.findings.includes(finding)) this.findings.push(finding);
  }

  /** `value`: what Go calls it, `number 1.5`. */
  misfits(value: string, type: string): void {
    const where = this.#fields.length === 0 ? "value" : `struct field ${this.#struct}.${this.#fields.join(".")}`;
    const message = `json: cannot unmarshal ${value} into Go ${where} of type ${type}`;
    if (this.#apart > 0) this.fails(message);
    else this.fitsNot(message);
  }

  /** A value that does not fit, in words of its own; the reading goes on. */
  fitsNot(message: string): void {
    this.#misfit ??= message;
  }

  fails(message: string): void {
    this.#fatal ??= message;
  }

  /** Upstream would keep the number as it is. */
  inexact(number: string): void {
    const field = goQuote(textOf(this.path));
    this.fails(
      `number ${number} in field ${field} cannot be kept exactly; whole numbers are exact up to ${Number.MAX_SAFE_INTEGER}`,
    );
  }

  /** Throws `MisfitError` where something does not fit. */
  settle(): void {
    const problem = this.#fatal ?? this.#misfit;
    if (problem !== undefined) throw new MisfitError(problem);
  }
}

/** `spec.containers[0].name` */
function textOf(path: readonly (string | number)[]): string {
  const parts = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`));
  return parts.join("").replace(/^\./, "");
}
