/** The words of a label selector: names, operators, brackets, commas. */

export interface Token {
  readonly kind: "name" | "end" | "error" | ")" | "," | "!" | "==" | "=" | ">" | "<" | "!=" | "(" | "in" | "notin";
  /** As written; of an error, what is wrong. */
  readonly text: string;
}

const SYMBOLS = [")", ",", "!", "==", "=", ">", "<", "!=", "("] as const;
const SPECIAL = /[=!(),><]/;
const SPACE = /[ \t\r\n]/;

/** All tokens, with `end` last. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const first = text.charAt(at);
    if (SPACE.test(first)) {
      at++;
    } else if (SPECIAL.test(first)) {
      const token = symbolAt(text, at);
      at += token.length;
      tokens.push(token);
    } else {
      const length = text.slice(at).search(/[=!(),>< \t\r\n]/);
      const word = length < 0 ? text.slice(at) : text.slice(at, at + length);
      tokens.push({ kind: word === "in" || word === "notin" ? word : "name", text: word });
      at += word.length;
    }
  }
  return [...tokens, { kind: "end", text: "" }];
}

/** The longest symbol that begins here; every special character begins one. */
function symbolAt(text: string, at: number): Token & { readonly length: number } {
  const pair = SYMBOLS.find((symbol) => symbol.length === 2 && text.startsWith(symbol, at));
  const symbol = pair ?? SYMBOLS.find((each) => text.startsWith(each, at));
  return symbol === undefined
    ? { kind: "error", text: text.charAt(at), length: 1 }
    : { kind: symbol, text: symbol, length: symbol.length };
}
