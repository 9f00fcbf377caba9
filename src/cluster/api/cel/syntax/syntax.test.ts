/** What is said of a text that is wrong. `test/kube/cel` holds thousands more against cel-go. */
import { describe, expect, test } from "vitest";
import { parse } from "./index.ts";

const OPERANDS =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

const complaintsOf = (text: string): readonly string[] =>
  parse(text).complaints.map(({ place, message }) => `${place.line}:${place.column + 1} ${message}`);

describe("of a text that is wrong is told", () => {
  test.each([
    ["a token that is too much", "1 + ) 2", [`1:5 Syntax error: extraneous input ')' expecting ${OPERANDS}`]],
    ["one that is missing", "[(1]", ["1:4 Syntax error: missing ')' at ']'"]],
    [
      "what is wrong behind it, too",
      "a+++b",
      [
        `1:3 Syntax error: mismatched input '+' expecting ${OPERANDS}`,
        `1:4 Syntax error: extraneous input '+' expecting ${OPERANDS}`,
      ],
    ],
    [
      "what begins like nothing",
      "self.in ? 1 : 2",
      [
        "1:6 Syntax error: no viable alternative at input '.in'",
        `1:9 Syntax error: extraneous input '?' expecting ${OPERANDS}`,
        "1:13 Syntax error: mismatched input ':' expecting <EOF>",
      ],
    ],
    [
      "that a macro has the wrong arguments all the same",
      "has(self.true)",
      ["1:10 Syntax error: mismatched input 'true' expecting IDENTIFIER", "1:5 invalid argument to has() macro"],
    ],
    ["which names are not for variables", "if + for", ["1:1 reserved identifier: if", "1:6 reserved identifier: for"]],
  ])("%s", (_, text, expected) => {
    expect(complaintsOf(text)).toEqual(expected);
  });
});

describe("nobody goes on", () => {
  test("behind thirty mistakes", () => {
    const complaints = complaintsOf(`[${"f(1 2),".repeat(40)}]`);
    expect(complaints.at(-1)).toMatch(/Syntax error: error recovery attempt limit exceeded: 30$/);
    expect(complaints.length).toBeLessThan(40);
  });

  test("over 256 tokens that are skipped for one", () => {
    expect(complaintsOf("1 ".repeat(300))).toContain("-1:0 error recovery token lookahead limit exceeded: 256");
  });

  test("behind a hundred characters that are no tokens", () => {
    expect(complaintsOf("#".repeat(150))).toHaveLength(101);
  });
});

test("parentheses nest as deep as cel-go lets them", () => {
  const nested = (depth: number): string => `${"(".repeat(depth)}1${")".repeat(depth)}`;
  expect(complaintsOf(nested(249))).toEqual([]);
  expect(complaintsOf(nested(250))).toEqual(["-1:0 expression recursion limit exceeded: 250"]);
});
