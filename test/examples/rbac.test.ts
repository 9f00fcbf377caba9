import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { GROWTH_RULES, type PolicyRule } from "../../src/library/index.ts";

const FILE = join(import.meta.dirname, "..", "..", "examples", "operator", "rbac.yaml");

/** One entry for each thing that may be done: `apps statefulsets get`. */
function rightsOf(rules: readonly PolicyRule[]): Set<string> {
  return new Set(
    rules.flatMap(({ apiGroups, resources, verbs }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) => verbs.map((verb) => `${group} ${resource} ${verb}`)),
      ),
    ),
  );
}

test("the example operator may do what growing takes and what its own kind takes, and nothing else", () => {
  const documents = parseAllDocuments(readFileSync(FILE, "utf8")).map(
    (each) => each.toJS() as { rules?: PolicyRule[] },
  );
  const rights = [...rightsOf(documents.flatMap(({ rules = [] }) => rules))];
  const isOwn = (right: string): boolean => right.startsWith("example.com notebooks");
  expect(new Set(rights.filter((right) => !isOwn(right)))).toEqual(rightsOf(GROWTH_RULES));
  expect(rights.some(isOwn)).toBe(true);
});
