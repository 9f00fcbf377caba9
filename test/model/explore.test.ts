import { describe, expect, it } from "vitest";
import { explore, type Model, type Move } from "./explore.ts";

/** A counter that may be raised by a person and falls by itself. */
function counter(overrides: Partial<Model<number>> = {}): Model<number> {
  return {
    name: "counter",
    initial: [0],
    key: String,
    moves: (n) => {
      const moves: Move<number>[] = [];
      if (n < 3) moves.push({ label: `a person raises ${n} to ${n + 1}`, next: n + 1, fair: false });
      if (n > 0) moves.push({ label: `it falls from ${n} to ${n - 1}`, next: n - 1, fair: true });
      return moves;
    },
    broken: () => undefined,
    settled: (n) => n === 0,
    ...overrides,
  };
}

describe("the model checker", () => {
  it("visits every state and every transition once", () => {
    expect(explore(counter())).toMatchObject({ states: 4, transitions: 6, complete: true });
  });

  it("tells the shortest story to a broken state", () => {
    const found = explore(counter({ broken: (n) => (n === 2 ? "two is bad" : undefined) }));
    expect(found.violation).toEqual({
      rule: "two is bad",
      story: ["a person raises 0 to 1", "a person raises 1 to 2"],
    });
  });

  it("looks at steps, not only at states: each edge is checked", () => {
    const found = explore(counter({ broken: (n, before) => (before === 1 && n === 0 ? "fell to zero" : undefined) }));
    expect(found.violation?.story.at(-1)).toBe("it falls from 1 to 0");
  });

  it("finds an unsettled dead end", () => {
    const found = explore(counter({ settled: (n) => n === 7 }));
    expect(found.violation?.rule).toContain("nothing more happens");
  });

  it("finds a fair cycle that never settles, and leaves one through a person alone", () => {
    const round = counter({
      moves: (n) => [{ label: `on to ${(n + 1) % 3}`, next: (n + 1) % 3, fair: true }],
      settled: () => false,
    });
    expect(explore(round).violation?.rule).toContain("goes round for ever");
    expect(explore(counter()).violation).toBeUndefined();
  });

  it("says when it was cut short", () => {
    expect(explore(counter(), { maxStates: 2 }).complete).toBe(false);
  });
});
