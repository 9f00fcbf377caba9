/** Expressions that nobody would write, from a fixed seed: both engines must say the same of them, be it a complaint. */
import { createSeeded } from "../../../src/kube/testing/seeded.ts";

const ATOMS = {
  int: [
    "1",
    "0",
    "-3",
    "7",
    "9223372036854775807",
    "self.replicas",
    "self.ports[0]",
    "self.items[1].count",
    "size(self.names)",
    "self.nested.deep.list[0][1]",
  ],
  double: ["1.5", "0.0", "-2.25", "self.ratio", "double(self.replicas)"],
  uint: ["1u", "0u", "18446744073709551615u"],
  string: [
    "'a'",
    "''",
    "'web-1'",
    "self.name",
    "self.text",
    "self.names[2]",
    "self.labels.app",
    "string(self.replicas)",
    "'5Gi'",
  ],
  bool: ["true", "false", "self.on", "has(self.name)", "has(self.nope)", "has(self.labels.tier)"],
  list: [
    "[]",
    "[1, 2, 3]",
    "self.ports",
    "self.names",
    "self.items",
    "['b', 'a']",
    "self.nested.deep.list",
    "[self.name]",
  ],
  // Of one entry at most: Go walks maps in no order.
  map: ["{}", "{'a': 1}", "self.nested", "{'b': 'x'}", "{1: 'x'}"],
  any: [
    "null",
    "self.nope",
    "self.nothing",
    "self.?nope",
    "self.?name",
    "dyn(1)",
    "dyn('a')",
    "b'ab'",
    "type(1)",
    "optional.none()",
    "duration('90s')",
    "timestamp('2020-01-01T00:00:00Z')",
    "quantity('1Gi')",
  ],
} as const;
type Sort = keyof typeof ATOMS;
const SORTS = Object.keys(ATOMS) as readonly Sort[];

/** `%i`, `%s` and so on stand for parts of a sort, `%*` for any, `%v` for a predicate about `v`. */
const FORMS: Readonly<Record<Sort, readonly string[]>> = {
  int: [
    "%i + %i",
    "%i - %i",
    "%i * %i",
    "%i / %i",
    "%i % %i",
    "-(%i)",
    "size(%l)",
    "size(%s)",
    "int(%d)",
    "%s.indexOf(%s)",
    "(%b ? %i : %i)",
    "%l.size()",
    "%l.indexOf(%*)",
    "int(%s)",
    "%m.size()",
    "%l.filter(v, %v).size()",
  ],
  double: ["%d + %d", "%d / %d", "%d * %d", "double(%i)", "(%b ? %d : %d)"],
  uint: ["%u + %u", "uint(%i)", "%u * %u", "%u - %u"],
  string: [
    "%s + %s",
    "string(%i)",
    "string(%d)",
    "%s.substring(%i)",
    "%s.charAt(%i)",
    "%s.replace(%s, %s)",
    "%s.lowerAscii()",
    "%s.trim()",
    "%l.join(',')",
    "(%b ? %s : %s)",
    "'%s'.format([%*])",
    "%s.find('[a-z]+')",
    "%l[%i]",
    "%m[%s]",
    "%s.split('').join('-')",
  ],
  bool: [
    "%i < %i",
    "%i == %i",
    "%d >= %i",
    "%u > %i",
    "%s == %s",
    "%s < %s",
    "%* == %*",
    "%* != %*",
    "!(%b)",
    "%b && %b",
    "%b || %b",
    "%s.contains(%s)",
    "%s.startsWith(%s)",
    "%s.matches('^[a-z]*$')",
    "%* in %l",
    "%s in %m",
    "%l.all(v, %v)",
    "%l.exists(v, %v)",
    "%l.exists_one(v, %v)",
    "%m.all(v, %v)",
    "%l == %l",
    "%l.isSorted()",
    "isQuantity(%s)",
    "%l.all(i, v, %v && i < 3)",
    "sets.contains(%l, %l)",
    "type(%*) == type(%*)",
  ],
  list: [
    "%l + %l",
    "%l.map(v, %w)",
    "%l.filter(v, %v)",
    "%m.map(v, %w)",
    "%s.split(%s)",
    "[%*, %*]",
    "[%i, %i]",
    "%l.reverse()",
    "%l.distinct()",
    "%l.sort()",
    "lists.range(4)",
    "%l.slice(%i, %i)",
    "%l.transformList(i, v, %w)",
    "[%l].flatten()",
    "%s.findAll('[a-z]')",
  ],
  map: ["{%s: %*}", "{%i: %i}", "%m.transformMap(k, v, %w)", "(%b ? %m : %m)"],
  any: [
    "%*.a",
    "%*[%*]",
    "%*.?a",
    "%l[?%i]",
    "%m[?%s]",
    "%*.?a.orValue(%*)",
    "optional.of(%*)",
    "optional.of(%i).optMap(v, %w)",
    "dyn(%*)",
    "%l.first()",
    "%*.b.c",
    "%* + %*",
    "%* < %*",
    "-%*",
    "%*.size()",
    "duration('1h') + %*",
    "quantity(%s)",
    "timestamp(%i)",
    "%*.getHours()",
    "%l.min()",
    "%l.sum()",
    "string(%*)",
    "int(%*)",
  ],
};
const LETTERS: Readonly<Record<string, Sort>> = {
  i: "int",
  d: "double",
  u: "uint",
  s: "string",
  b: "bool",
  l: "list",
  m: "map",
};
const PREDICATES = [
  "v == %*",
  "v != null",
  "v > 1",
  "v.size() > 1",
  "has(v.name)",
  "v.name == 'one'",
  "true",
  "v in %l",
  "%b",
  "v < %s",
];
const TRANSFORMS = ["v", "v + 1", "[v]", "v.name", "string(v)", "%*", "v == v", "size(v)"];

/** So many of them; the same seed gives the same ones. */
export function randomExpressions(count: number, seed: number): readonly string[] {
  const seeded = createSeeded(seed);
  const fill = (form: string, depth: number): string =>
    form.replaceAll(/%([idusblm*vw])(?!')/g, (_, letter: string) => {
      if (letter === "v") return fill(seeded.pick(PREDICATES), depth - 1);
      if (letter === "w") return fill(seeded.pick(TRANSFORMS), depth - 1);
      return make(LETTERS[letter] ?? seeded.pick(SORTS), depth - 1);
    });
  const make = (sort: Sort, depth: number): string => {
    // Now and then something else than what is asked for.
    const actual = seeded.random() < 0.06 ? seeded.pick(SORTS) : sort;
    return depth <= 0 || seeded.random() < 0.25
      ? seeded.pick<string>(ATOMS[actual])
      : fill(seeded.pick(FORMS[actual]), depth);
  };
  return Array.from({ length: count }, () => make(seeded.pick(SORTS), 3));
}
