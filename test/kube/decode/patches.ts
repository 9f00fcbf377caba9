/** Patches, good and bad, of one object. */
import type { PatchForm } from "../../../src/cluster/api/decode/index.ts";

export interface SentPatch {
  readonly name: string;
  readonly form: PatchForm;
  readonly body: string;
}

const OBJECTS = [
  '{"data":{"a":1}}',
  '{"foo":1}',
  '{"data":[]}',
  '{"immutable":"x"}',
  '{"metadata":{"generation":1.5}}',
  '{"metadata":{"creationTimestamp":"x"}}',
  '{"binaryData":{"a":"!"}}',
  '{"binaryData":{"a":1}}',
  '{"binaryData":"x"}',
  '{"metadata":[]}',
  '{"metadata":{"labels":"x"}}',
  '{"metadata":{"labels":{"a":true}}}',
  '{"metadata":{"finalizers":{"a":1}}}',
  '{"metadata":{"generation":"x"}}',
  '{"metadata":{"generateName":1.5}}',
  '{"metadata":{"ownerReferences":[{"uid":1}]}}',
  '{"data":{"a":"1","a":"2"},"foo":1}',
  '{"data":{"b":"c","a":null},"metadata":{"labels":{"x":"y"}}}',
  '{"kind":"Pod"}',
  '{"apiVersion":"v2"}',
  "",
  "[]",
  "null",
  "{",
  '"x"',
  "{} x",
];

const OPERATIONS = [
  '[{"op":"add","path":"/data/x","value":"1"}]',
  '[{"op":"add","path":"/data/x","value":1}]',
  '[{"op":"add","path":"/foo","value":1}]',
  '[{"op":"add","path":"/data/x","value":"1","foo":2}]',
  '[{"op":"add","path":"/data/x","value":"1","value":"2"}]',
  '[{"op":"add","path":"/data/x"}]',
  '[{"op":1}]',
  "{}",
  "[1]",
  "null",
  "[",
  "",
];

const CONFIGURATIONS = [
  "apiVersion: v1\nkind: ConfigMap\ndata: {a: x}\n",
  "apiVersion: v1\nkind: ConfigMap\ndata: {a: x, a: z}\n",
  '{"apiVersion":"v1","kind":"ConfigMap","data":{"a":"1","a":"2"}}',
  "a: b: c",
  "[]",
  "x",
  "a: *b",
];

const patches = (form: PatchForm, bodies: readonly string[]) =>
  bodies.map((body): SentPatch => ({ name: `${form} ${JSON.stringify(body)}`, form, body }));

export const PATCHES: readonly SentPatch[] = [
  ...patches("application/merge-patch+json", OBJECTS),
  ...patches("application/strategic-merge-patch+json", OBJECTS),
  ...patches("application/json-patch+json", OPERATIONS),
  ...patches("application/apply-patch+yaml", CONFIGURATIONS),
];
