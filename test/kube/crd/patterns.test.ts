/** Patterns are Go's regular expressions: what they match on a real server is what they match here. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Resource } from "../../../src/cluster/api/catalog/resource.ts";
import type { JsonObject } from "../../../src/cluster/api/json.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { waitFor } from "../wait.ts";
import { definition, GROUP } from "./definitions.ts";
import { createObject, resourceOf } from "./ours.ts";
import { openServer, type Server } from "./server.ts";

const PATTERNS = [
  "^a.c$",
  "(?s)^a.c$",
  "(?i)^ABC$",
  "(?m)^b$",
  "a|b",
  "^$",
  "\\Aabc\\z",
  "^\\s+$",
  "^\\S+$",
  "^[\\s\\d]+$",
  "^\\w+$",
  "^\\d{2,3}$",
  "^{}$",
  "^a{,2}$",
  "^[[:alpha:]]+$",
  "^[[:^digit:]a]+$",
  "^[^[:space:]]+$",
  "^[[:punct:]]+$",
  "^\\p{L}+$",
  "^\\pN+$",
  "^\\p{Greek}+$",
  "^\\P{Latin}+$",
  "^\\p{^L}$",
  "^[\\p{Lu}\\d]+$",
  "^[]a]+$",
  "^[^]a]+$",
  "^[a\\-z]+$",
  "^[-a]+$",
  "^a\\.b\\/c\\-d$",
  "^\\x41\\x{1F600}?$",
  "^\\Qa.b\\E$",
  "(?P<name>a)b",
  "(?<name>a)b",
  "^(?:ab)+$",
  "^(?i:a)b$",
  "^(?i:a(?-i:b))$",
  "(?i)(?:a)(?-i:B)",
  "[\\S]x",
  "\\bab\\b",
  "^a*?b+?c??$",
  "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$",
  "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$",
  "^[^\\n]+$",
  "^.$",
  "^\\a$",
  "^(a|b)*c|d$",
  "^a(?i)b$",
  "^((?i)a)b$",
  "^(?s:a.c)$",
  "^[\\w-.]+$",
  "^[\\d-z]+$",
  "^[a-b-c]+$",
  "^\\_?\\ ?a$",
  "^\\101$",
  "^\\p{Any}$",
  "^\\p{Uppercase_Letter}$",
  "^(?i)\\p{Lu}$",
  "^(?i)[^\\P{Lu}]$",
  "(?U)^a+b*$",
  "^(?P<1>a)(?P<1>b)$",
];

const TEXTS = [
  ..."abcABz019 -.]/{}".split(""),
  "",
  "abc",
  "ABC",
  "a\nc",
  "a\rc",
  "a\u2028c",
  "a\nb\nc",
  "b\n",
  "ab",
  "Ab",
  "aB",
  "aab",
  "abab",
  " \t\n",
  "\u00a0",
  "\v",
  "12",
  "1234",
  "{}",
  "a{,2}",
  "é",
  "αβγ",
  "١٢",
  "!?",
  "a.b",
  "aXb",
  "a.b/c-d",
  "A😀",
  "😀",
  "\u0007",
  "10Gi",
  "1e3",
  "a-b.c",
  "[:alpha:]",
];

let plane: ControlPlane;
let server: Server;
let resource: Resource;
let path: string;
const kind = "Pattern";
beforeAll(async () => {
  plane = await startControlPlane({ controllers: [] });
  server = openServer(plane);
  const fields = PATTERNS.map((pattern, index) => [`p${index}`, { type: "string", pattern }] as const);
  const sent = definition({
    metadata: { name: `patterns.${GROUP}` },
    names: { plural: "patterns", kind },
    schema: { type: "object", properties: { spec: { type: "object", properties: Object.fromEntries(fields) } } },
  });
  const { causes } = await server.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", sent);
  expect(causes).toEqual([]);
  path = `/apis/${GROUP}/v1/namespaces/default/patterns`;
  await waitFor("patterns to be served", async () => (await server.send("GET", path)).code === 200);
  resource = resourceOf(sent);
});
afterAll(async () => {
  await server?.close();
  await plane?.stop();
});

test.each(TEXTS.map((text) => ({ text, name: JSON.stringify(text) })))("$name", async ({ text }) => {
  const spec = Object.fromEntries(PATTERNS.map((_, index) => [`p${index}`, text]));
  const object: JsonObject = { apiVersion: `${GROUP}/v1`, kind, metadata: { name: "a" }, spec };
  const theirs = await server.send("POST", `${path}?dryRun=All`, object);
  const fieldsOf = (causes: readonly string[]) =>
    causes.map((cause) => PATTERNS[Number(/^spec\.p(\d+)/.exec(cause)?.[1])]);
  expect(fieldsOf(createObject(resource, object).causes)).toEqual(fieldsOf(theirs.causes));
});
