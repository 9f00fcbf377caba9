import { expect, test } from "vitest";
import { codeOnly } from "./code-only.ts";

test.each([
  ["a; // b\nc", "a;     \nc"],
  ["a /* b\nc */ d", "a     \n     d"],
  ["f(\"a // b\", 'c\\'d')", "f(\"      \", '    ')"],
  ["`text ${code} text`", "`     ${code}     `"],
  ["`a ${b ? `c ${d}` : { e: 1 }.e} f`;g", "`  ${b ? `  ${d}` : { e: 1 }.e}  `;g"],
  ["x = /[\"'/]\\/`/g; y", "x = /        /g; y"],
  ["a / b / c", "a / b / c"],
  ['return /"/.test(t)', "return / /.test(t)"],
  ["'open\nnext", "'    \nnext"],
])("%j keeps its code and its offsets", (source, code) => {
  expect(codeOnly(source)).toBe(code);
  expect(codeOnly(source)).toHaveLength(source.length);
});
