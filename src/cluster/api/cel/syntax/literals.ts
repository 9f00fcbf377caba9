/** Numbers, texts and words that stand for themselves. */
import type { Literal } from "./ast.ts";
import type { Token } from "./tokens.ts";
import { unescapeBytes, unescapeText } from "./unescape.ts";

export const MIN_INT = -(2n ** 63n);
export const MAX_INT = 2n ** 63n - 1n;
export const MAX_UINT = 2n ** 64n - 1n;

/** Throws `SyntaxError` with cel-go's words for what is out of range or escapes wrongly. */
export function literalOf({ kind, text }: Token, isNegative: boolean): Literal {
  switch (kind as string) {
    case "NUM_INT": {
      const value = isNegative ? -BigInt(text) : BigInt(text);
      if (value < MIN_INT || value > MAX_INT) throw new SyntaxError("invalid int literal");
      return { type: "int", value };
    }
    case "NUM_UINT": {
      const value = BigInt(text.slice(0, -1));
      if (value > MAX_UINT) throw new SyntaxError("invalid uint literal");
      return { type: "uint", value };
    }
    case "NUM_FLOAT": {
      const value = Number(text);
      if (!Number.isFinite(value)) throw new SyntaxError("invalid double literal");
      return { type: "double", value: isNegative ? -value : value };
    }
    case "STRING":
      return { type: "string", value: unescapeText(text) };
    case "BYTES":
      return { type: "bytes", value: unescapeBytes(text) };
    case "'true'":
    case "'false'":
      return { type: "bool", value: kind === "'true'" };
    default:
      return { type: "null" };
  }
}
