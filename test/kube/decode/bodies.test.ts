/** Each body as a real server reads or refuses it, beside what ours makes of the same bytes. */
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { FieldValidation } from "../../../src/cluster/api/decode/index.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { defineKind } from "../custom-kinds.ts";
import { type Answer, comparable, openRealServer, ourAnswer, type RealServer } from "./answers.ts";
import { JSON_BODIES, type Sent, THINGS } from "./bodies.ts";
import { YAML_BODIES } from "./bodies-yaml.ts";
import { DIFFERENCES } from "./body-differences.ts";
import { generatedBodies } from "./generated-bodies.ts";

const VALIDATIONS: readonly FieldValidation[] = ["Strict", "Warn", "Ignore"];
const SEED = 20_265;

let plane: ControlPlane;
let server: RealServer;
beforeAll(async () => {
  plane = await startControlPlane({ controllers: [] });
  server = openRealServer({ url: plane.url, ca: plane.ca, token: plane.admin.token });
  await defineKind(plane.api, THINGS);
});
afterAll(async () => {
  await server?.close();
  await plane?.stop();
});

async function answers(sent: Sent, validation: FieldValidation) {
  const [real, ours] = [await server.send(sent, validation), ourAnswer(sent, validation)];
  return { real: comparable(real, ours), ours: comparable(ours, real) };
}

const differs = ({ name }: { name: string }) => Object.hasOwn(DIFFERENCES, name);

test.each([...JSON_BODIES, ...YAML_BODIES].filter((sent) => !differs(sent)))("$name", async (sent) => {
  for (const validation of VALIDATIONS) {
    const { real, ours } = await answers(sent, validation);
    expect(ours, validation).toEqual(real);
  }
});

test.each([...JSON_BODIES, ...YAML_BODIES].filter(differs))("differs as listed: $name", async (sent) => {
  const same = [];
  for (const validation of VALIDATIONS) {
    const { real, ours } = await answers(sent, validation);
    same.push(isDeepStrictEqual(ours, real));
  }
  expect(same, `this is no longer a difference: ${DIFFERENCES[sent.name]}`).toContain(false);
});

test("every difference is about a body that is sent", () => {
  const names = [...JSON_BODIES, ...YAML_BODIES].map(({ name }) => name);
  expect(Object.keys(DIFFERENCES).filter((name) => !names.includes(name))).toEqual([]);
});

/** What defaults and admission make of an object is compared elsewhere. */
const asRead = (answer: Answer) => (answer.kind === "read" ? answer.warnings : answer);

test(`objects with random mistakes are refused, or read with the same warnings (seed ${SEED})`, async () => {
  for (const sent of generatedBodies(1000, SEED)) {
    for (const validation of ["Strict", "Warn"] as const) {
      const { real, ours } = await answers(sent, validation);
      expect(asRead(ours), `${validation}: ${sent.name}`).toEqual(asRead(real));
    }
  }
});
