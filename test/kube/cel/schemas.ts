/** Schemas with rules, and objects that keep or break them. Both engines answer all of them. */
import type { Json, JsonObject } from "../../../src/cluster/api/json.ts";

export interface SchemaCase {
  readonly name: string;
  readonly schema: JsonObject;
  readonly objects: readonly { readonly object: JsonObject; readonly old?: JsonObject }[];
}

const rules = (...texts: (string | JsonObject)[]): Json =>
  texts.map((each) => (typeof each === "string" ? { rule: each } : each));

function root(spec: JsonObject, ...own: (string | JsonObject)[]): JsonObject {
  return {
    type: "object",
    properties: { spec },
    ...(own.length === 0 ? {} : { "x-kubernetes-validations": rules(...own) }),
  };
}

const of = (spec: Json, old?: Json) => ({
  object: { apiVersion: "a/v1", kind: "A", metadata: { name: "x" }, spec },
  ...(old === undefined ? {} : { old: { apiVersion: "a/v1", kind: "A", metadata: { name: "x" }, spec: old } }),
});

const text = { type: "string" };
const int = { type: "integer" };

export const SCHEMAS: readonly SchemaCase[] = [
  {
    name: "rules of all shapes at the root",
    schema: root(
      {
        type: "object",
        properties: {
          min: int,
          max: int,
          name: { type: "string", maxLength: 10 },
          tags: { type: "array", items: text },
        },
      },
      "self.spec.min <= self.spec.max",
      {
        rule: "self.spec.name.startsWith('a')",
        message: "must start with a",
        reason: "FieldValueForbidden",
        fieldPath: ".spec.name",
      },
      {
        rule: "self.spec.tags.all(t, t.size() < 5)",
        messageExpression: "'too long: ' + self.spec.tags.filter(t, t.size() >= 5).join(', ')",
      },
      { rule: "self.metadata.name != 'y'", reason: "FieldValueRequired" },
      { rule: "self.spec.min > 0", reason: "FieldValueDuplicate", message: "twice" },
      { rule: "has(self.spec.tags) && self.spec.tags[0] == 'a'", messageExpression: "self.spec.nope" },
    ),
    objects: [of({ min: 1, max: 2, name: "abc", tags: ["a"] })],
  },
  {
    name: "objects that break them",
    schema: root(
      {
        type: "object",
        properties: {
          min: int,
          max: int,
          name: { type: "string", maxLength: 10 },
          tags: { type: "array", items: text },
        },
      },
      "self.spec.min <= self.spec.max",
      {
        rule: "self.spec.name.startsWith('a')",
        message: "must start with a",
        reason: "FieldValueForbidden",
        fieldPath: ".spec.name",
      },
      {
        rule: "self.spec.tags.all(t, t.size() < 5)",
        messageExpression: "'too long: ' + self.spec.tags.filter(t, t.size() >= 5).join(', ')",
      },
      { rule: "self.metadata.name != 'x'", reason: "FieldValueRequired" },
      { rule: "self.spec.min > 0", reason: "FieldValueDuplicate", message: "twice" },
    ),
    objects: [
      of({ min: 3, max: 2, name: "bcd", tags: ["abcdef", "x"] }),
      of({ min: 0, max: 2 }),
      of({}),
      of({ min: 3, max: 2, name: "bcd", tags: [] }, { min: 3, max: 2, name: "bcd", tags: [] }),
      of({ min: 4, max: 2, name: "bcd", tags: [] }, { min: 3, max: 2, name: "bcd", tags: [] }),
    ],
  },
  {
    name: "rules on scalars, lists and maps",
    schema: root({
      type: "object",
      properties: {
        size: {
          ...text,
          "x-kubernetes-validations": rules("isQuantity(self)", "quantity(self).isGreaterThan(quantity('0'))"),
        },
        count: {
          ...int,
          "x-kubernetes-validations": rules("self % 2 == 0", { rule: "self >= oldSelf", message: "must not shrink" }),
        },
        ratio: { type: "number", "x-kubernetes-validations": rules("self < 1.0") },
        list: {
          type: "array",
          items: { ...text, "x-kubernetes-validations": rules("self != 'x'") },
          "x-kubernetes-validations": rules("self.size() < 3", "self.isSorted()"),
        },
        map: {
          type: "object",
          additionalProperties: { ...int, "x-kubernetes-validations": rules("self > 0") },
          "x-kubernetes-validations": rules("self.all(k, k.size() < 5)"),
        },
        items: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
          items: {
            type: "object",
            required: ["name"],
            properties: { name: text, size: int },
            "x-kubernetes-validations": rules("self.size >= oldSelf.size", "self.size > 0"),
          },
        },
        "a-b": { ...text, "x-kubernetes-validations": rules("self == 'ab'") },
      },
      "x-kubernetes-validations": rules(
        "!has(self.a__dash__b) || self.a__dash__b.size() > 1",
        "self.items.all(i, i.size < 100)",
      ),
    }),
    objects: [
      of({
        size: "1Gi",
        count: 2,
        ratio: 0.5,
        list: ["a", "b"],
        map: { a: 1 },
        items: [{ name: "a", size: 1 }],
        "a-b": "ab",
      }),
      of({
        size: "x",
        count: 3,
        ratio: 1,
        list: ["x", "b", "a"],
        map: { abcdef: 0, b: -1 },
        items: [
          { name: "a", size: 0 },
          { name: "b", size: 1000 },
        ],
        "a-b": "x",
      }),
      of(
        {
          count: 2,
          items: [
            { name: "b", size: 1 },
            { name: "a", size: 1 },
          ],
        },
        { count: 4, items: [{ name: "a", size: 2 }] },
      ),
      of(
        { count: 3, list: ["x"], items: [{ name: "a", size: 0 }] },
        { count: 3, list: ["x"], items: [{ name: "a", size: 0 }] },
      ),
      of(
        {
          count: 3,
          list: ["x", "z"],
          items: [
            { name: "a", size: 0 },
            { name: "c", size: 0 },
          ],
        },
        { count: 3, list: ["x"], items: [{ name: "a", size: 0 }] },
      ),
    ],
  },
  {
    name: "formats and types",
    schema: root({
      type: "object",
      properties: {
        at: { type: "string", format: "date-time" },
        day: { type: "string", format: "date" },
        wait: { type: "string", format: "duration" },
        data: { type: "string", format: "byte" },
        port: { "x-kubernetes-int-or-string": true },
        maybe: { type: "string", nullable: true },
        any: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        free: { "x-kubernetes-preserve-unknown-fields": true },
        set: { type: "array", items: text, "x-kubernetes-list-type": "set" },
        namespace: text,
      },
      "x-kubernetes-validations": rules(
        "!has(self.at) || self.at > timestamp('2020-01-01T00:00:00Z')",
        "!has(self.day) || self.day.getFullYear() == 2020",
        "!has(self.wait) || self.wait < duration('1h')",
        "!has(self.data) || self.data == b'abc'",
        "!has(self.port) || (type(self.port) == int ? self.port > 0 : self.port.endsWith('%'))",
        "!has(self.maybe) || self.maybe.size() > 1",
        "!has(self.set) || self.set == ['b', 'a']",
        "!has(self.set) || (self.set + ['a', 'c']).size() == 3",
        "!has(self.__namespace__) || self.__namespace__ == 'n'",
        "!has(self.any) || self.any == oldSelf.any",
        "self.port + 1 > 0",
      ),
    }),
    objects: [
      of({
        at: "2021-01-01T00:00:00Z",
        day: "2020-05-05",
        wait: "5m",
        data: "YWJj",
        port: 5,
        maybe: null,
        set: ["a", "b"],
        namespace: "n",
      }),
      of({
        at: "2019-01-01T00:00:00Z",
        day: "2021-05-05",
        wait: "2h",
        data: "YWJk",
        port: "x",
        maybe: "a",
        set: ["a"],
        namespace: "m",
      }),
      of({ any: { a: 1, b: { c: [1] } }, port: 1 }, { any: { b: { c: [1] }, a: 1 }, port: 1 }),
      of({ any: { a: 1 }, port: 1 }, { any: { a: 2 }, port: 1 }),
    ],
  },
  {
    name: "times and durations as formats take them",
    schema: root({
      type: "object",
      properties: {
        at: { type: "string", format: "date-time" },
        wait: { type: "string", format: "duration" },
      },
      "x-kubernetes-validations": [
        { rule: "!has(self.at)", messageExpression: "string(self.at)" },
        { rule: "!has(self.wait)", messageExpression: "string(self.wait)" },
        { rule: "!has(self.at) || self.at > timestamp('2020-01-01T00:00:00Z')" },
        { rule: "!has(self.wait) || self.wait < duration('1h')" },
      ],
    }),
    objects: [
      ...["2021-01-01T00:00:00.5+05:30", "2021-01-01t00:00:00Z", "2021-01-01T00:00:00z", "2021-01-01T0:00:00Z"].map(
        (at) => of({ at }),
      ),
      ...[
        "2 days",
        "1d2h",
        "2 hours 3 minutes",
        "1.5 days",
        "1 Day",
        "3 µs",
        "999999999 weeks",
        "x 1 s",
        "3 fortnights",
      ].map((wait) => of({ wait })),
    ],
  },
  {
    name: "old values",
    schema: root(
      {
        type: "object",
        properties: { name: { ...text, "x-kubernetes-validations": rules("self == oldSelf") }, other: text },
      },
      { rule: "!oldSelf.hasValue() || self.spec.name == oldSelf.value().spec.name", optionalOldSelf: true },
      { rule: "oldSelf.hasValue()", optionalOldSelf: true, message: "no creation" },
    ),
    objects: [
      of({ name: "a" }),
      of({ name: "a" }, { name: "a" }),
      of({ name: "b" }, { name: "a" }),
      of({ name: "b" }, {}),
    ],
  },
  {
    name: "rules that do not compile",
    schema: root(
      {
        type: "object",
        properties: { a: int, b: text, c: { type: "array", items: { type: "object", properties: { d: text } } } },
      },
      "self.spec.nope",
      "self.spec.a",
      "self.spec.a + self.spec.b == 1",
      "self.spec.c.all(x, x.e == 'a')",
      "self.metadata.labels.size() > 0",
      "foo(self)",
      "self.spec.a > 1 &&",
      "int('a') == 1",
      { rule: "true", messageExpression: "1" },
      { rule: "true", messageExpression: "self.nope" },
      "oldSelf.spec.a == self.spec.c",
      "self.spec.c == self.spec",
    ),
    objects: [],
  },
  {
    name: "what rules cost at worst",
    schema: root(
      {
        type: "object",
        properties: {
          s: text,
          short: { type: "string", maxLength: 10 },
          color: { type: "string", enum: ["red", "green"] },
          list: { type: "array", items: text },
          few: { type: "array", maxItems: 5, items: { type: "string", maxLength: 5 } },
          map: { type: "object", additionalProperties: text },
          ints: { type: "array", items: int },
          objects: {
            type: "array",
            maxItems: 10,
            items: {
              type: "object",
              required: ["name"],
              properties: {
                name: { type: "string", maxLength: 20 },
                tags: { type: "array", maxItems: 3, items: text },
              },
            },
          },
          n: int,
          p: { "x-kubernetes-int-or-string": true },
          t: { type: "string", format: "date-time" },
        },
      },
      "self.spec.s == 'a'",
      "self.spec.s == self.spec.short",
      "self.spec.s.contains('abc')",
      "self.spec.short.matches('^a+$')",
      "self.spec.list.all(x, x == 'a')",
      "self.spec.few.all(x, x.startsWith('abc'))",
      "self.spec.map.all(k, self.spec.map[k] == k)",
      "self.spec.ints.all(x, self.spec.ints.exists(y, x != y))",
      "self.spec.objects.all(o, o.tags.all(t, t.size() > 0))",
      "self.spec.objects.map(o, o.name).join(',').size() < 100",
      "self.spec.objects.exists_one(o, o.name == self.spec.s)",
      "self.spec.objects.filter(o, o.name != 'a').size() > 0",
      "has(self.spec.n) ? self.spec.n > 1 : self.spec.s.size() > 5",
      "[self.spec.n, 1, 2].sum() > 3",
      "self.spec.few.isSorted() && self.spec.few.sort() == self.spec.few",
      "self.spec.few.distinct().size() == self.spec.few.size()",
      "sets.contains(self.spec.few, ['a', 'b'])",
      "self.spec.s.replace('a', 'bb').split(',').size() > 1",
      "self.spec.?n.orValue(1) > 0",
      "self.spec.short.lowerAscii() + self.spec.short == 'x'",
      "quantity(self.spec.short).isLessThan(quantity('1'))",
      "self.spec.color in ['red', 'green']",
      "self.spec.color == 'red'",
      "self.spec.t > timestamp('2020-01-01T00:00:00Z')",
      "self.spec.p == 5 || string(self.spec.p) == '5'",
      "self.spec.few[0] == 'a'",
      "lists.range(10).all(i, i >= 0)",
      "self.spec.objects.transformList(i, o, o.name).size() > 0",
      "self.spec.map.transformMap(k, v, v.size()).size() > 0",
      "self.spec.s.find('[a-z]+') == self.spec.s",
      "self.spec.few.map(x, x + 'a') == ['a']",
      "self.spec.few.exists(x, self.spec.few.exists(y, self.spec.few.exists(z, x == y && y == z)))",
      "dyn(self.spec.n) == 1",
      "'%s'.format([self.spec.n]) == 'a'",
      "self.spec.short > 'a'",
      "{'a': self.spec.s}.a == 'b'",
      "self.spec.?short.optMap(x, x + 'a').orValue('b') == 'ba'",
      "self.metadata.name == 'x' && self.kind == 'y'",
      "!(self.spec.n in self.spec.ints)",
      "self.spec.few.indexOf('a') > 0 && self.spec.short.indexOf('a') > 0",
    ),
    objects: [],
  },
];
