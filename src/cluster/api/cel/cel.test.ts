/** The language as a whole: what expressions come to, by area. `test/kube/cel` compares the same with Kubernetes' own. */
import { describe, expect, test } from "vitest";
import type { Json } from "../json.ts";
import { createEnvironment, DYN, fromJson, isError, toJson } from "./index.ts";

const SELF = {
  name: "web-1",
  replicas: 3,
  labels: { app: "web" },
  ports: [80, 443],
  items: [{ size: "10Gi" }, { size: "5Gi" }],
  nothing: null,
};
const environment = createEnvironment({ variables: { self: DYN } });

/** The value as JSON, or the error. */
function result(expression: string): Json {
  const compiled = environment.compile(expression);
  if (compiled.program === undefined) return `does not compile: ${compiled.failure.text.split("\n")[0]}`;
  const { value } = compiled.program.evaluate((name) => (name === "self" ? fromJson(SELF) : undefined));
  const json = isError(value) ? value : toJson(value);
  return isError(json) ? `error: ${json.message}` : json;
}

const AREAS: Readonly<Record<string, readonly (readonly [string, Json])[]>> = {
  "numbers do not wrap, and compare across types": [
    ["1 + 2 * 3", 7],
    ["9223372036854775807 + 1", "error: integer overflow"],
    ["1u - 2u", "error: unsigned integer overflow"],
    ["7 / 0", "error: division by zero"],
    ["-7 % 3", -1],
    [
      "1 == 1.0 && 1u < 2 && 2.5 > 2",
      "does not compile: ERROR: <input>:1:3: found no matching overload for '_==_' applied to '(int, double)'",
    ],
    ["dyn(1) == 1.0 && 1u < 2 && 2.5 > 2", true],
  ],
  "one side that decides makes up for an error": [
    ["self.nope || true", true],
    ["false && self.nope", false],
    ["true && self.nope", "error: no such key: nope"],
    ["self.ports.exists(p, p == 443 || p.nope)", true],
    ["self.ports.all(p, p > 100 || p / 0 > 1)", "error: division by zero"],
  ],
  "fields, keys and indexes": [
    ["self.labels.app", "web"],
    ["self['labels']['app']", "web"],
    ["self.ports[5]", "error: index out of bounds: 5"],
    ["self.ports['a']", "error: unsupported index type 'string' in list"],
    ["has(self.labels) && !has(self.nope)", true],
    ["self.?labels.?nope.orValue('none')", "none"],
    ["self[?'labels'].app.value()", "web"],
    ["[?self.?name, ?self.?nope]", ["web-1"]],
    ["{?'a': self.?name, ?'b': self.?nope}", { a: "web-1" }],
    ["self.nothing == null", true],
  ],
  loops: [
    ["self.ports.map(p, p * 2)", [160, 886]],
    ["self.ports.map(p, p > 100, string(p))", ["443"]],
    ["self.ports.transformMap(i, p, p)[1]", 443],
    ["self.items.filter(i, quantity(i.size).isGreaterThan(quantity('6Gi'))).size()", 1],
    ["self.?replicas.optMap(r, r + 1).orValue(0)", 4],
    ["[3, 1, 2].sortBy(x, -x)", [3, 2, 1]],
  ],
  "texts are counted in characters": [
    ["'a😁b'.size()", 3],
    ["'a😁b'.substring(1, 2)", "😁"],
    ["'%s has %d'.format([self.name, self.replicas])", "web-1 has 3"],
    ["'a,b'.split(',').join('-')", "a-b"],
    ["strings.quote('a\"b')", '"a\\"b"'],
    ["'foobar'.find('foo|foobar')", "foo"],
    ["'aXbX'.find('.*?X') + 'aXbX'.find('.*X')", "aXaXbX"],
  ],
  "Kubernetes' own types": [
    ["quantity('1Gi') == quantity('1024Mi')", true],
    ["quantity('0.5').asInteger()", "error: cannot convert value to integer"],
    ["cidr('10.0.0.0/8').containsIP('10.1.2.3')", true],
    ["url('https://a.b:80/c?d=e').getQuery()['d']", ["e"]],
    ["semver('1.2.3-a').isLessThan(semver('1.2.3'))", true],
    ["format.dns1123Label().validate('abc').hasValue()", false],
    ["ip.isCanonical('0:0::1')", false],
  ],
  "what Kubernetes does not turn on is not there": [
    ["cel.bind(x, 1, x)", "does not compile: ERROR: <input>:1:1: undeclared reference to 'cel' (in container '')"],
    ["base64.encode(b'a')", "does not compile: ERROR: <input>:1:1: undeclared reference to 'base64' (in container '')"],
    [
      "'abc'.reverse()",
      "does not compile: ERROR: <input>:1:14: found no matching overload for 'reverse' applied to 'string.()'",
    ],
    ["self.`a-b`", "does not compile: ERROR: <input>:1:6: unsupported syntax: '`'"],
  ],
};

describe.each(Object.entries(AREAS))("%s", (_, cases) => {
  test.each(cases)("%s", (expression, expected) => {
    expect(result(expression)).toEqual(expected);
  });
});

test("an error has its place, as cel-go shows it", () => {
  const compiled = environment.compile("self.a +\n  'ä' + foo");
  expect(compiled).toMatchObject({
    failure: {
      kind: "issues",
      text: "ERROR: <input>:2:9: undeclared reference to 'foo' (in container '')\n |   'ä' + foo\n | ...．....^",
    },
  });
});
