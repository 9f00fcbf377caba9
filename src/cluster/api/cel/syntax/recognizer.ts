/**
 * The tokens one after the other, and what becomes of one that is not expected: it is left out, or one is made up, or the rule
 * is given up and everything skipped that none of the rules around could go on with. That is ANTLR's way, and its words; cel-go
 * ends it after so many mistakes.
 */
import type { Must, Point } from "./point.ts";
import type { Complaint, Source } from "./source.ts";
import { TOKEN_KINDS, type Token, type TokenKind } from "./tokens.ts";

/** Thrown where nobody tries to go on; the complaint is made already. */
export class GivenUp extends Error {}

/** A limit of its own, which has no place in the text. */
export class LimitExceeded extends Error {}

/** A rule that cannot go on. */
class Unfit extends Error {
  readonly point: Point;
  readonly token: Token;
  constructor(message: string, point: Point, token: Token) {
    super(message);
    this.point = point;
    this.token = token;
  }
}

/** cel-go's own. */
const MAX_DEPTH = 250;
const MAX_ATTEMPTS = 30;
const MAX_SKIPPED = 256;
const MAX_COMPLAINTS = 100;

export class Recognizer {
  readonly #tokens: readonly Token[];
  readonly #source: Source;
  readonly #complaints: Complaint[];
  /** What follows each of the rules that are being read. */
  readonly #follows: Point[] = [];
  readonly #depths = new Map<string, number>();
  #next = 0;
  #seen = -1;
  #attempts = 0;
  /** From a complaint until something fits again: nothing is complained about. */
  #isLost = false;
  #lostAt = -1;
  readonly #lostIn = new Set<Point>();

  constructor(tokens: readonly Token[], source: Source, complaints: Complaint[]) {
    this.#tokens = tokens;
    this.#source = source;
    this.#complaints = complaints;
  }

  get token(): Token {
    return this.ahead(0);
  }

  ahead(count: number): Token {
    const index = Math.min(this.#next + count, this.#tokens.length - 1);
    while (this.#seen < index) {
      this.#seen++;
      for (const { text, at } of this.#tokens[this.#seen]?.unknown ?? [])
        this.#complain(at, `token recognition error at: '${text}'`);
    }
    return this.#tokens[index] as Token;
  }

  is(kind: TokenKind): boolean {
    return this.token.kind === kind;
  }

  /** Reads one rule. What cannot be read of it is left out, and what was read before stays. */
  rule(name: string, follow: Point, read: () => void): void {
    this.enter(name, follow);
    try {
      read();
    } catch (error) {
      if (!(error instanceof Unfit)) throw error;
      this.#report(error.token, error.message);
      this.#recover(error.point);
    }
    this.leave(name);
  }

  /** Begins a rule that can only go wrong in those that it asks for; `leave` ends it. */
  enter(name: string, follow: Point): void {
    const depth = (this.#depths.get(name) ?? 0) + 1;
    if (depth > MAX_DEPTH) throw new LimitExceeded(`expression recursion limit exceeded: ${MAX_DEPTH}`);
    this.#depths.set(name, depth);
    this.#follows.push(follow);
  }

  leave(name: string): void {
    this.#depths.set(name, (this.#depths.get(name) ?? 0) - 1);
    this.#follows.pop();
  }

  /** The next token, whatever it is: somebody has looked. */
  take(): Token {
    this.#found();
    return this.#consume();
  }

  takeIf(kind: TokenKind): Token | undefined {
    return this.is(kind) ? this.take() : undefined;
  }

  /** The token that must be here. */
  match(point: Must): Token {
    if (this.is(point.kind)) return this.take();
    this.#attempt();
    if (this.#isLeftOut(point)) return this.#consume();
    if (this.#expectedAt(point.after).has(this.token.kind)) {
      this.#report(this.token, `missing ${this.#shown(point)} at ${quoted(this.token.text)}`);
      const { at } = this.is("<EOF>") ? this.#before() : this.token;
      return { kind: point.kind, text: `<missing ${point.kind}>`, at, space: "", unknown: [] };
    }
    return this.#mismatch(point);
  }

  /** Before a choice: sees to it that one of what may come is next. */
  expect(point: Point): void {
    if (this.#isLost || point.next.has(this.token.kind) || this.#isLeftOut(point)) return;
    this.#mismatch(point);
  }

  /** Behind one round of a loop: skips to what may come. */
  expectAgain(point: Point): void {
    if (this.#isLost || point.next.has(this.token.kind)) return;
    this.#reportUnwanted(point);
    const wanted = new Set([...this.#recoverySet(), ...this.#expectedAt(point)]);
    while (!this.is("<EOF>") && !wanted.has(this.token.kind)) this.#consume();
  }

  /** There is nothing that could begin with the tokens from here on, up to so many ahead. */
  noWayOn(point: Point, count: number): never {
    let text = this.token.text;
    for (let index = 1; index <= count; index++) {
      const { kind, space, text: more } = this.ahead(index);
      text += kind === "<EOF>" ? space : space + more;
    }
    const reserved = /^.(true|false|null)$/u.exec(text);
    throw new Unfit(
      reserved === null
        ? `no viable alternative at input ${quoted(text)}`
        : `mismatched input '${reserved[1]}' expecting IDENTIFIER`,
      point,
      this.ahead(count),
    );
  }

  #before(): Token {
    return this.#tokens[Math.max(0, this.#next - 1)] as Token;
  }

  #consume(): Token {
    const { token } = this;
    if (token.kind !== "<EOF>") this.#next++;
    this.ahead(0);
    return token;
  }

  #found(): void {
    this.#isLost = false;
    this.#lostAt = -1;
    this.#lostIn.clear();
  }

  #mismatch(point: Point): never {
    throw new Unfit(`mismatched input ${quoted(this.token.text)} expecting ${this.#shown(point)}`, point, this.token);
  }

  /** Leaves out the token that is in the way, where the next one is expected. */
  #isLeftOut(point: Point): boolean {
    if (!this.#expectedAt(point).has(this.ahead(1).kind)) return false;
    this.#reportUnwanted(point);
    this.#consume();
    this.#found();
    return true;
  }

  #reportUnwanted(point: Point): void {
    this.#report(this.token, `extraneous input ${quoted(this.token.text)} expecting ${this.#shown(point)}`);
  }

  #expectedAt(point: Point): ReadonlySet<TokenKind> {
    if (!point.mayEnd) return point.next;
    const found = new Set(point.next);
    for (const follow of this.#follows.toReversed()) {
      for (const kind of follow.next) found.add(kind);
      if (!follow.mayEnd) return found;
    }
    return found.add("<EOF>");
  }

  #shown(point: Point): string {
    const expected = this.#expectedAt(point);
    const names = TOKEN_KINDS.filter((kind) => expected.has(kind));
    return names.length === 1 ? (names[0] as string) : `{${names.join(", ")}}`;
  }

  #recoverySet(): ReadonlySet<TokenKind> {
    return new Set(this.#follows.flatMap(({ next }) => [...next]));
  }

  #recover(point: Point): void {
    this.#attempt();
    let skipped = 0;
    const skip = (): void => {
      if (++skipped > MAX_SKIPPED)
        throw new LimitExceeded(`error recovery token lookahead limit exceeded: ${MAX_SKIPPED}`);
      this.#consume();
    };
    // Where nothing was gained since the last time, something must go.
    if (this.#lostAt === this.#next && this.#lostIn.has(point)) skip();
    this.#lostAt = this.#next;
    this.#lostIn.add(point);
    const wanted = this.#recoverySet();
    while (!this.is("<EOF>") && !wanted.has(this.token.kind)) skip();
  }

  #attempt(): void {
    if (this.#attempts++ < MAX_ATTEMPTS) return;
    const message = `error recovery attempt limit exceeded: ${MAX_ATTEMPTS}`;
    this.#complain(this.token.at, message);
    throw new GivenUp(message);
  }

  #report(token: Token, message: string): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#complain(token.at, message);
  }

  #complain(at: number, message: string): void {
    const isLast = this.#complaints.length >= MAX_COMPLAINTS;
    const told = isLast ? `More than ${MAX_COMPLAINTS} syntax errors` : message;
    this.#complaints.push({ place: this.#source.placeOf(at), message: `Syntax error: ${told}` });
    if (isLast) throw new GivenUp(told);
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("\t", "\\t").replaceAll("\n", "\\n").replaceAll("\r", "\\r")}'`;
}
