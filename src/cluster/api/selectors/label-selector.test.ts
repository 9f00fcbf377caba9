import { describe, expect, test } from "vitest";
import { EVERYTHING, NOTHING, parseLabelSelector, selectorFromObject } from "./label-selector.ts";

const DB = { app: "db", size: "10", "example.com/tier": "a" };

describe("a selector as text", () => {
  test.each([
    ["", true],
    ["app", true],
    ["!app", false],
    ["other", false],
    ["!other", true],
    ["app=db", true],
    ["app==db", true],
    ["app = db , size", true],
    ["app!=db", false],
    ["other!=db", true],
    ["app in (web, db)", true],
    ["app notin (web,db)", false],
    ["other notin (x)", true],
    ["size>9", true],
    ["size<10", false],
    ["app>3", false],
    ["app=db,size=11", false],
    ["example.com/tier in (a)", true],
    ["other in ()", false],
    ["toString", false],
    ["constructor!=x", true],
  ])("%j matches: %s", (text, expected) => {
    expect(parseLabelSelector(text).matches(DB)).toBe(expected);
  });

  test.each([
    ["app=db,", "found '', expected: identifier after ','"],
    [",app", "found ',', expected: !, identifier, or 'end of string'"],
    ["app=db size", "found 'size', expected: ',' or 'end of string'"],
    ["app in db", "unable to parse requirement: found 'db' expected: '('"],
    ["app in (db", "unable to parse requirement: found '', expected: ',' or ')'"],
    ["!", "unable to parse requirement: found '', expected: identifier"],
    ["app~db=", expect.stringContaining('unable to parse requirement: <nil>: Invalid value: "app~db": name part must')],
    ["a/b/c", expect.stringContaining("a valid label key must consist of alphanumeric characters")],
    ["app=-", expect.stringContaining('values[0][app]: Invalid value: "-": a valid label must be an empty string')],
    ["size>x", expect.stringContaining("for 'Gt', 'Lt' operators, the value must be an integer")],
  ])("%j is refused in Kubernetes' words", (text, message) => {
    expect(() => parseLabelSelector(text)).toThrow(
      expect.objectContaining({ code: 400, reason: "BadRequest", message }),
    );
  });

  test("prints in canonical form, which reads back as the same", () => {
    const text = parseLabelSelector("size > 3,b notin (y,x),!a,c==d,e").toString();
    expect(text).toBe("!a,b notin (x,y),c==d,e,size>3");
    expect(parseLabelSelector(text).toString()).toBe(text);
  });
});

describe("a selector as an object", () => {
  test("that is missing selects nothing; an empty one, everything", () => {
    expect(selectorFromObject(undefined)).toBe(NOTHING);
    expect([NOTHING, selectorFromObject({}), EVERYTHING].map(({ matches }) => matches(DB))).toEqual([
      false,
      true,
      true,
    ]);
  });

  test.each([
    [{ matchLabels: { app: "db" } }, true],
    [{ matchLabels: { app: "web" } }, false],
    [{ matchExpressions: [{ key: "app", operator: "In", values: ["db"] }] }, true],
    [{ matchExpressions: [{ key: "app", operator: "NotIn", values: ["db"] }] }, false],
    [{ matchExpressions: [{ key: "app", operator: "Exists" }] }, true],
    [{ matchExpressions: [{ key: "app", operator: "DoesNotExist" }] }, false],
    [{ matchLabels: { app: "db" }, matchExpressions: [{ key: "no", operator: "Exists" }] }, false],
  ])("%j matches: %s", (object, expected) => {
    expect(selectorFromObject(object).matches(DB)).toBe(expected);
  });

  test.each([
    [{ matchExpressions: [{ key: "a", operator: "Near" }] }, '"Near" is not a valid label selector operator'],
    [
      { matchExpressions: [{ key: "a", operator: "In", values: [] }] },
      "values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty",
    ],
    [
      { matchExpressions: [{ key: "a", operator: "Exists", values: ["b"] }] },
      'values: Invalid value: ["b"]: values set must be empty for exists and does not exist',
    ],
  ])("%j is refused", (object, message) => {
    expect(() => selectorFromObject(object)).toThrow(expect.objectContaining({ code: 400, message }));
  });
});
