import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ClaimProgress, Growth } from "../status/report.ts";
import { dataView } from "./data-view.ts";
import { drawFrame } from "./frame.ts";
import { lineView } from "./line-view.ts";
import { redraw, screenView } from "./screen-view.ts";

function claim(name: string, more: Partial<ClaimProgress> = {}): ClaimProgress {
  const blank = {
    from: "1Gi",
    to: "2Gi",
    capacity: "1Gi",
    state: "Growing",
    outcome: "growing",
    why: "the storage is growing",
    progress: 0.3,
  };
  return { name, ...(blank as Omit<ClaimProgress, "name">), ...more };
}

function aSet(claims: readonly ClaimProgress[], more: Partial<Growth> = {}): Growth {
  const blank = { kind: "StatefulSet", namespace: "prod", name: "db", outcome: "growing", message: "" } as const;
  return { ...blank, claims, ...more };
}

const DONE = { capacity: "2Gi", state: "Done", outcome: "done", why: "", progress: 1 } as const;
const PLAIN = { columns: 79, rows: 23, colours: false, withNamespace: false };

describe("a frame", () => {
  test("has a line for the set, and a bar for each claim", () => {
    const set = aSet([claim("data-db-1", DONE), claim("data-db-0")], { phase: "Growing", message: "1 of 2" });
    expect(drawFrame([set], PLAIN)).toEqual([
      "sts/db  Growing  1 of 2",
      "data-db-1  1Gi → 2Gi  ██████████  Done",
      "data-db-0  1Gi → 2Gi  ███░░░░░░░  Growing  the storage is growing",
    ]);
  });

  test("colours take no room", () => {
    const growths = [aSet([claim("a", DONE), claim("b", { state: "Failed", why: "x".repeat(200) })])];
    const coloured = drawFrame(growths, { ...PLAIN, colours: true });
    expect(coloured.join("\n")).toContain("\u001b[31m███░░░░░░░  Failed");
    // oxlint-disable-next-line no-control-regex
    expect(coloured.map((line) => line.replaceAll(/\u001b\[\d+m/g, ""))).toEqual(drawFrame(growths, PLAIN));
  });

  test("is never wider or higher than the screen; what is settled goes first, and the rest is counted", () => {
    const claims = [claim("a", DONE), claim("b"), claim("c", DONE), claim("d")];
    expect(drawFrame([aSet(claims)], { ...PLAIN, rows: 4 }).map((line) => line.slice(0, 6))).toEqual([
      "sts/db",
      "b  1Gi",
      "d  1Gi",
      "… and ",
    ]);
    fc.assert(
      fc.property(
        fc.nat(30),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 2, max: 100 }),
        (count, rows, columns) => {
          const many = Array.from({ length: count }, (_, n) => claim(`data-db-${n}`, n % 3 === 0 ? DONE : {}));
          const lines = drawFrame([aSet(many)], { ...PLAIN, rows, columns });
          expect(lines.length).toBeLessThanOrEqual(rows);
          expect(lines.every((line) => line.length <= Math.max(columns, "… and 31 more".length))).toBe(true);
        },
      ),
      { seed: 80 },
    );
  });
});

/** What a terminal shows after this was written to it, the cursor being below `lines` at first; and where the cursor is. */
function terminal(lines: readonly string[], written: string): { lines: string[]; row: number } {
  const screen = [...lines];
  let row = lines.length;
  let column = 0;
  // oxlint-disable-next-line no-control-regex
  for (const [token] of written.matchAll(/\u001b\[(\d*)([A-Z])|\n|[^\n\u001b]+/gu)) {
    if (token === "\n") {
      row++;
      column = 0;
    } else if (token === "\u001b[K") screen[row] = (screen[row] ?? "").slice(0, column);
    else if (token === "\u001b[J") screen.length = Math.min(screen.length, row);
    else if (token.startsWith("\u001b")) row -= Number(token.slice(2, -1));
    else {
      screen[row] = token + (screen[row] ?? "").slice(column + token.length);
      column += token.length;
    }
  }
  return { lines: screen, row };
}

describe("on a terminal", () => {
  const frame = fc.array(fc.constantFrom("a", "bb", "ccc", "dddd"), { maxLength: 6 });
  test("any picture turns into any other, with what differs alone", () => {
    fc.assert(
      fc.property(frame, frame, (before, after) => {
        const written = redraw(before, after);
        expect(terminal(before, written)).toEqual({ lines: after, row: after.length });
        if (before.join("\n") === after.join("\n")) expect(written).toBe("");
      }),
      { seed: 661, numRuns: 2_000 },
    );
  });

  test("each change is one write, and no change is none", () => {
    const writes: string[] = [];
    const screen = { columns: () => 80, rows: () => 24 };
    const view = screenView({ write: (text) => writes.push(text), screen, colours: false, withNamespace: false });
    const show = (claims: readonly ClaimProgress[]) => view.show({ items: [aSet(claims)], notRead: [] });
    void show([claim("a"), claim("b")]);
    void show([claim("a"), claim("b")]);
    void show([claim("a"), claim("b", DONE)]);
    expect(writes).toHaveLength(2);
    expect(writes[1]).toBe("\u001b[1Ab  1Gi → 2Gi  ██████████  Done\u001b[K\n");
  });
});

test("elsewhere there is a line for each change, and none without", () => {
  let out = "";
  const view = lineView((text) => (out += text), false);
  const message = "1 of 2 claims have their size";
  void view.show({ items: [aSet([claim("a"), claim("b")])], notRead: [] });
  void view.show({ items: [aSet([claim("a"), claim("b", DONE)], { phase: "Growing", message })], notRead: [] });
  void view.show({ items: [aSet([claim("a"), claim("b", DONE)], { phase: "Growing", message })], notRead: [] });
  expect(out).toBe(
    `a  1Gi → 2Gi  Growing: the storage is growing
b  1Gi → 2Gi  Growing: the storage is growing
b  1Gi → 2Gi  Done
sts/db  Growing: 1 of 2 claims have their size
`,
  );
});

test("of several namespaces each line tells which", () => {
  let out = "";
  void lineView((text) => (out += text), true).show({ items: [aSet([claim("a")], { phase: "Growing" })], notRead: [] });
  expect(out).toBe("prod/a  1Gi → 2Gi  Growing: the storage is growing\nprod/sts/db  Growing\n");
});

test("programs get the whole report at each change: a line of JSON, or a document of YAML", async () => {
  const report = { items: [aSet([claim("a")])], notRead: [] };
  for (const [format, expected] of [
    ["json", `${JSON.stringify(report)}\n`],
    ["yaml", "---\nitems:\n- kind: StatefulSet\n"],
  ] as const) {
    let out = "";
    const view = dataView((text) => (out += text), format);
    await view.show(report);
    await view.show(report);
    expect(out.startsWith(expected)).toBe(true);
    expect(out.match(/StatefulSet/g)).toHaveLength(1);
  }
});
