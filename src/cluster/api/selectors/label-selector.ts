/** Label selectors: the text of `?labelSelector=`, and the objects that specs hold. */
import { fieldErrorText, invalid } from "../../../admission/verdict.ts";
import type { LabelSelector as LabelSelectorObject } from "../../../core/types.ts";
import { badRequest } from "../status-error.ts";
import { labelKeyErrors } from "./label-syntax.ts";
import { type Token, tokensOf } from "./label-tokens.ts";
import { meets, type Operator, type Requirement, requirementError, requirementText } from "./requirement.ts";

/** Several requirements on labels, all of which must hold. */
export interface LabelSelector {
  readonly requirements: readonly Requirement[];
  readonly matches: (labels: Readonly<Record<string, string>> | undefined) => boolean;
  /** In canonical form: requirements by key, values sorted. */
  toString(): string;
}

/** Matches everything. */
export const EVERYTHING: LabelSelector = selectorOf([]);

/** Matches nothing: what a spec without a selector selects. */
export const NOTHING: LabelSelector = { requirements: [], matches: () => false, toString: () => "" };

/**
 * Reads `app=db,tier in (a,b),!legacy,size>3`. Empty text matches everything. Throws `StatusError` 400 in Kubernetes'
 * words.
 */
export function parseLabelSelector(text: string): LabelSelector {
  return selectorOf(new Parser(tokensOf(text)).parse());
}

/**
 * The selector of an object: undefined selects nothing, an empty one everything. Throws `StatusError` 400 in Kubernetes'
 * words for an operator that is not known or a key or value that cannot be.
 */
export function selectorFromObject(object: LabelSelectorObject | undefined): LabelSelector {
  if (object === undefined) return NOTHING;
  const equal = Object.entries(object.matchLabels ?? {}).map(([key, value]) => checked(key, "=", [value]));
  const expressions = (object.matchExpressions ?? []).map(({ key, operator, values = [] }) => {
    const known = OPERATORS.get(operator);
    if (known === undefined) {
      throw badRequest(`${JSON.stringify(operator)} is not a valid label selector operator`);
    }
    return checked(key, known, values);
  });
  return selectorOf([...equal, ...expressions]);
}

const OPERATORS: ReadonlyMap<string, Operator> = new Map([
  ["In", "in"],
  ["NotIn", "notin"],
  ["Exists", "exists"],
  ["DoesNotExist", "!"],
]);

function selectorOf(requirements: readonly Requirement[]): LabelSelector {
  const sorted = requirements.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return {
    requirements: sorted,
    matches: (labels = {}) => sorted.every((requirement) => meets(labels, requirement)),
    toString: () => sorted.map(requirementText).join(","),
  };
}

function checked(key: string, operator: Operator, values: readonly string[], prefix = ""): Requirement {
  const requirement = { key, operator, values };
  const error = requirementError(requirement);
  if (error !== undefined) throw badRequest(prefix + error);
  return requirement;
}

const FAILED = "unable to parse requirement: ";
const BINARY: ReadonlyMap<Token["kind"], Operator> = new Map([
  ["in", "in"],
  ["notin", "notin"],
  ["=", "="],
  ["==", "=="],
  ["!=", "!="],
  [">", "gt"],
  ["<", "lt"],
]);

/** `in` and `notin` are names too, wherever an operator cannot stand. */
const isName = ({ kind }: Token) => kind === "name" || kind === "in" || kind === "notin";

class Parser {
  private readonly tokens: readonly Token[];
  private position = 0;

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  parse(): Requirement[] {
    const requirements: Requirement[] = [];
    while (this.next.kind !== "end") {
      if (!isName(this.next) && this.next.kind !== "!") {
        throw badRequest(`found '${this.next.text}', expected: !, identifier, or 'end of string'`);
      }
      requirements.push(this.requirement());
      const after = this.take();
      if (after.kind === "end") break;
      if (after.kind !== ",") throw badRequest(`found '${after.text}', expected: ',' or 'end of string'`);
      if (!isName(this.next) && this.next.kind !== "!") {
        throw badRequest(`found '${this.next.text}', expected: identifier after ','`);
      }
    }
    return requirements;
  }

  private requirement(): Requirement {
    const absent = this.next.kind === "!";
    if (absent) this.take();
    const name = this.take();
    if (!isName(name)) throw badRequest(`${FAILED}found '${name.text}', expected: identifier`);
    const key = name.text;
    const wrong = labelKeyErrors(key);
    if (wrong.length > 0) throw badRequest(FAILED + fieldErrorText(invalid("<nil>", key, wrong.join("; "))));
    if (absent) return checked(key, "!", [], FAILED);
    if (this.next.kind === "end" || this.next.kind === ",") return checked(key, "exists", [], FAILED);

    const word = this.take();
    const operator = BINARY.get(word.kind);
    if (operator === undefined) {
      throw badRequest(`${FAILED}found '${word.text}', expected: in, notin, =, ==, !=, gt, lt`);
    }
    const values = operator === "in" || operator === "notin" ? this.valueSet() : [this.value()];
    return checked(key, operator, values, FAILED);
  }

  /** `(a,b)`; an empty place between commas is the empty value. */
  private valueSet(): string[] {
    const open = this.take();
    if (open.kind !== "(") throw badRequest(`${FAILED}found '${open.text}' expected: '('`);
    const first = this.next;
    if (first.kind === ")") {
      this.take();
      return [""];
    }
    if (!isName(first) && first.kind !== ",") {
      throw badRequest(`${FAILED}found '${first.text}', expected: ',', ')' or identifier`);
    }
    const values = new Set<string>();
    for (;;) {
      const token = this.take();
      if (isName(token)) {
        values.add(token.text);
        if (this.next.kind === ")") break;
        if (this.next.kind !== ",") throw badRequest(`${FAILED}found '${this.next.text}', expected: ',' or ')'`);
      } else if (token.kind === ",") {
        if (values.size === 0 || this.next.kind === "," || this.next.kind === ")") values.add("");
        if (this.next.kind === ")") break;
      } else {
        throw badRequest(`${FAILED}found '${token.text}', expected: ',', or identifier`);
      }
    }
    this.take();
    return [...values].sort();
  }

  private value(): string {
    if (this.next.kind === "end" || this.next.kind === ",") return "";
    const token = this.take();
    if (!isName(token)) throw badRequest(`${FAILED}found '${token.text}', expected: identifier`);
    return token.text;
  }

  private get next(): Token {
    return this.tokens[this.position] ?? { kind: "end", text: "" };
  }

  private take(): Token {
    const token = this.next;
    this.position++;
    return token;
  }
}
