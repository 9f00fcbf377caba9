/** Rules in CEL that a definition may have, and those that it may not: one thing each. */
import type { JsonObject } from "../../../src/cluster/api/json.ts";

const LIST = { type: "array", items: { type: "string" } };
const OBJECT = { type: "object", properties: { x: { type: "integer" }, "a-b": { type: "string", maxLength: 5 } } };

/** Where they stand, and what they say. */
export const RULES: readonly (readonly [string, JsonObject, ...JsonObject[]])[] = [
  ["a rule that is no question", { type: "integer" }, { rule: "self" }],
  ["a rule with an error of syntax", { type: "integer" }, { rule: "self >" }],
  ["a rule about a field that is not there", OBJECT, { rule: "self.y > 1" }],
  ["a rule about a field with another name", OBJECT, { rule: "self.a__dash__b == 'x'" }],
  ["a rule with a literal that makes no sense", { type: "integer" }, { rule: "self > int('x')" }],
  ["a message that is no text", { type: "integer" }, { rule: "self > 1", messageExpression: "self" }],
  ["a message that does not compile", { type: "integer" }, { rule: "self > 1", messageExpression: "foo" }],
  [
    "a message whose length nobody can tell",
    { type: "integer" },
    { rule: "self > 1", messageExpression: "'is ' + string(self) + ' now'" },
  ],
  ["a message of nothing", { type: "integer" }, { rule: "self > 1", messageExpression: " " }],
  ["a rule that costs too much", LIST, { rule: "self.all(a, self.all(b, a != b))" }],
  ["a rule that costs a little too much", { ...LIST, maxItems: 700 }, { rule: "self.all(a, a.contains('abc'))" }],
  [
    "a rule that costs little enough",
    { type: "array", maxItems: 10, items: { type: "string", maxLength: 10 } },
    { rule: "self.all(a, self.all(b, a == b || a != b))" },
  ],
  [
    "rules that cost too much together",
    { ...LIST, maxItems: 25 },
    ...Array.from({ length: 15 }, () => ({ rule: "self.all(a, a.contains('a'))" })),
  ],
  ["a path to a field", OBJECT, { rule: "self.x > 1", fieldPath: ".x" }],
  ["a path to a field in brackets", OBJECT, { rule: "self.x > 1", fieldPath: "['a-b']" }],
  ["a path to no field", OBJECT, { rule: "self.x > 1", fieldPath: ".y" }],
  ["a path that is none", OBJECT, { rule: "self.x > 1", fieldPath: "x" }],
  ["a rule about what was there before", OBJECT, { rule: "self.x >= oldSelf.x" }],
  [
    "a rule about what may have been there before",
    OBJECT,
    { rule: "oldSelf.hasValue() && self.x >= oldSelf.value().x", optionalOldSelf: true },
  ],
  ["a rule that is optional about nothing", OBJECT, { rule: "self.x > 1", optionalOldSelf: false }],
  ["a rule with a line break and no message", OBJECT, { rule: "self.x >\n1" }],
  ["a rule with signs of HTML", OBJECT, { rule: "self.x > 1 && self.x < 5 && self.nope" }],
];
