/** Policies and bindings, written to a real server and to ours: what is taken and what is refused, with which words. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Server, startOurs, startTheirs } from "../clients/server.ts";
import { expectKnown, readDifferences } from "../known-differences.ts";
import { waitFor } from "../wait.ts";
import { type Ask, type Line, type Outcome, openLine } from "./ask.ts";
import { created, pathOf } from "./scene.ts";
import { STORED, WITH_PARAMS, WRITTEN, type Written } from "./written.ts";

const known = readDifferences(import.meta.dirname);
const servers: Server[] = [];
const lines: Line[] = [];

beforeAll(async () => {
  servers.push(await startTheirs(), await startOurs());
  lines.push(...servers.map(openLine));
  for (const { api } of servers) {
    for (const object of [...RIGHTS, ...STORED]) await api.create(pathOf(object, ""), object);
  }
  // The server learns of roles by watching.
  for (const line of lines) {
    const ask = { ...created("", WITH_PARAMS[0]?.object ?? {}, "?dryRun=All"), as: WRITER };
    await waitFor("the rights", async () => (await line.ask(ask)).code === 201);
  }
});
afterAll(async () => {
  await Promise.all(lines.map((line) => line.close()));
  await Promise.all(servers.map((server) => server.stop()));
});

const told = ({ code, refusal, warnings, object }: Outcome): string =>
  [code, ...warnings, refusal === undefined ? JSON.stringify(object, sorted) : JSON.stringify(refusal, sorted)].join(
    "\n",
  );

function sorted(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** May write policies, and read nothing but maps. */
const WRITER = "writer";
const RBAC = "rbac.authorization.k8s.io";
const RIGHTS = [
  {
    apiVersion: `${RBAC}/v1`,
    kind: "ClusterRole",
    metadata: { name: WRITER },
    rules: [
      { apiGroups: ["admissionregistration.k8s.io"], resources: ["*"], verbs: ["*"] },
      { apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list"] },
    ],
  },
  {
    apiVersion: `${RBAC}/v1`,
    kind: "ClusterRoleBinding",
    metadata: { name: WRITER },
    roleRef: { apiGroup: RBAC, kind: "ClusterRole", name: WRITER },
    subjects: [{ apiGroup: RBAC, kind: "User", name: WRITER }],
  },
];

describe("by an administrator", () => {
  test.each(WRITTEN)("$name", (written) => compare(written));
});

describe("by somebody who may read maps alone", () => {
  test.each(WITH_PARAMS)("$name", (written) => compare(written, { as: WRITER }));
});

async function compare({ name, object }: Written, more: Partial<Ask> = {}): Promise<void> {
  const ask = { ...created("", object, "?dryRun=All"), ...more };
  const [theirs, ours] = await Promise.all(lines.map((line) => line.ask(ask)));
  if (theirs === undefined || ours === undefined) throw new Error("two servers were asked");
  const differences = told(theirs) === told(ours) ? [] : [`theirs: ${told(theirs)}\nours: ${told(ours)}`];
  expectKnown(known, name, differences);
  expect(theirs.code).not.toBe(500);
}
