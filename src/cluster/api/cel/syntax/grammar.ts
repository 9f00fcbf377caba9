/** The grammar of CEL by its points, as cel-go 0.26 has it: what may stand where something is read. */
import { before, beforeOrEnd, must, type Point } from "./point.ts";
import type { TokenKind } from "./tokens.ts";

export const RELATIONS: readonly TokenKind[] = ["'<'", "'<='", "'>='", "'>'", "'=='", "'!='", "'in'"];
export const SUMS: readonly TokenKind[] = ["'+'", "'-'"];
export const PRODUCTS: readonly TokenKind[] = ["'*'", "'/'", "'%'"];
const LITERALS: readonly TokenKind[] = [
  "'-'",
  "'true'",
  "'false'",
  "'null'",
  "NUM_FLOAT",
  "NUM_INT",
  "NUM_UINT",
  "STRING",
  "BYTES",
];
const PRIMARIES: readonly TokenKind[] = ["'['", "'{'", "'('", "'.'", "IDENTIFIER", ...LITERALS];
const EXPRESSIONS: readonly TokenKind[] = [...PRIMARIES, "'!'"];
const NAMES: readonly TokenKind[] = ["IDENTIFIER", "ESC_IDENTIFIER"];

export const LITERAL_START: ReadonlySet<TokenKind> = new Set(LITERALS);
export const PRIMARY_START: ReadonlySet<TokenKind> = new Set(PRIMARIES);
export const EXPRESSION_START: ReadonlySet<TokenKind> = new Set(EXPRESSIONS);
export const ITEM_START: ReadonlySet<TokenKind> = new Set([...EXPRESSIONS, "'?'"]);
export const FIELD_START: ReadonlySet<TokenKind> = new Set([...NAMES, "'?'"]);

/** Nothing more of the rule: a point for each place, see `point.ts`. */
const end = (): Point => beforeOrEnd();
const expressionStart = (): Point => before(...EXPRESSIONS);
const suffixOrEnd = (): Point => beforeOrEnd("'.'", "'['");

/** What follows a rule where another one asks for it. */
export const AFTER = {
  everything: end(),
  whole: before("<EOF>"),
  condition: beforeOrEnd("'?'"),
  whenTrue: before("':'"),
  whenFalse: end(),
  anyTerm: beforeOrEnd("'||'"),
  allTerm: beforeOrEnd("'&&'"),
  relationTerm: beforeOrEnd(...RELATIONS),
  sumTerm: beforeOrEnd(...SUMS, ...PRODUCTS),
  operand: end(),
  primary: suffixOrEnd(),
  selected: suffixOrEnd(),
  index: before("']'"),
  args: before("')'"),
  nested: before("')'"),
  items: before("','", "']'"),
  entries: before("','", "'}'"),
  literal: end(),
  arg: beforeOrEnd("','"),
  item: beforeOrEnd("','"),
  key: before("':'"),
  value: beforeOrEnd("','"),
  optional: end(),
} as const;

/** Where something is chosen. */
export const AT = {
  unary: expressionStart(),
  not: expressionStart(),
  negated: before(...PRIMARIES),
  suffix: before("'.'", "'['"),
  index: before(...EXPRESSIONS, "'?'"),
  memberArgs: before(...EXPRESSIONS, "')'"),
  globalArgs: before(...EXPRESSIONS, "')'"),
  primary: before(...PRIMARIES),
  items: before(...EXPRESSIONS, "'?'", "','", "']'"),
  itemsEnd: before("','", "']'"),
  entries: before(...EXPRESSIONS, "'?'", "','", "'}'"),
  entriesEnd: before("','", "'}'"),
  fields: before(...NAMES, "'?'", "','", "'}'"),
  fieldsEnd: before("','", "'}'"),
  item: before(...EXPRESSIONS, "'?'"),
  field: before(...NAMES, "'?'"),
  name: before(...NAMES),
  literal: before(...LITERALS),
} as const;

/** Where one kind of token must stand. */
export const MUST = {
  end: must("<EOF>", end()),
  conditionColon: must("':'", expressionStart()),
  indexClose: must("']'", suffixOrEnd()),
  memberArgsClose: must("')'", suffixOrEnd()),
  globalArgsClose: must("')'", end()),
  nestedClose: must("')'", end()),
  itemsClose: must("']'", end()),
  entriesClose: must("'}'", end()),
  fieldsClose: must("'}'", end()),
  entryColon: must("':'", expressionStart()),
  nextEntryColon: must("':'", expressionStart()),
} as const;
