/** The rules hold in every reachable state of the quick graphs, and every mutant is caught. `npm run model` does more. */
import { describe, expect, it } from "vitest";
import { MUTANTS, QUICK_GRAPHS } from "./graphs.ts";

const MINUTE = 60_000;

describe("every reachable state", () => {
  it.each(QUICK_GRAPHS)(
    "$name",
    ({ run }) => {
      const found = run();
      expect(found.violation).toBeUndefined();
      expect(found.complete).toBe(true);
      expect(found.states).toBeGreaterThan(100);
    },
    MINUTE,
  );
});

describe("a rule that is wrong is caught", () => {
  it.each(MUTANTS)(
    "$name: $description",
    ({ run }) => {
      const { violation } = run();
      expect(violation?.rule).toBeDefined();
      expect(violation?.story.length).toBeGreaterThan(1);
    },
    MINUTE,
  );

  it("there are at least twelve of one claim, and each has a name of its own", () => {
    const names = MUTANTS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(12);
  });
});
