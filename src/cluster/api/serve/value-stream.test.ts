import { describe, expect, test } from "vitest";
import { eventLine } from "../handlers/answer.ts";
import { createValueStream, type ValueStream } from "./value-stream.ts";

const line = (value: unknown) => eventLine(JSON.stringify(value));

describe("what is written at one end", () => {
  test("is read at the other, in order, up to its end", async () => {
    const stream = createValueStream(() => {});
    expect([stream.write(line({ n: 1 })), stream.write(line({ n: 2 }))]).toEqual([true, true]);
    const values = stream.values();
    expect(await values.next()).toEqual({ done: false, value: { n: 1 } });
    stream.write(line({ n: 3 }));
    stream.end();
    expect(stream.write(line({ n: 4 }))).toBe(false);
    expect(await Array.fromAsync(values)).toEqual([{ n: 2 }, { n: 3 }]);
  });

  test("waits for a reader, who waits for it", async () => {
    const stream = createValueStream(() => {});
    const values = stream.values();
    const next = values.next();
    stream.write(line("late"));
    expect(await next).toEqual({ done: false, value: "late" });
  });

  test("has drained when the reader has taken it, and at once when nothing waits", async () => {
    const stream = createValueStream(() => {});
    await stream.drained();
    stream.write(line(1));
    let isDrained = false;
    const drained = stream.drained()?.then(() => (isDrained = true));
    await new Promise(setImmediate);
    expect(isDrained).toBe(false);
    const values = stream.values();
    await values.next();
    await drained;
  });
});

describe("the end", () => {
  test.each([
    ["by who writes", (stream: ValueStream) => stream.end(), 0],
    ["by a cut", (stream: ValueStream) => stream.cut(new Error("gone")), 1],
  ])("%s is told once, and nobody waits any longer", async (_, end, timesGone) => {
    let over = 0;
    let gone = 0;
    const stream = createValueStream(() => over++);
    stream.onGone(() => gone++);
    stream.write(line(1));
    end(stream);
    stream.end();
    stream.cut(new Error("too late"));
    await stream.drained();
    expect({ over, gone }).toEqual({ over: 1, gone: timesGone });
  });

  test("of a reader who stops in the middle is known to who writes", async () => {
    let gone = 0;
    const stream = createValueStream(() => {});
    stream.onGone(() => gone++);
    stream.write(line(1));
    for await (const _ of stream.values()) break;
    expect(gone).toBe(1);
    expect(stream.write(line(2))).toBe(false);
  });

  test("by a cut is an error for who reads, and what was not read is dropped", async () => {
    const stream = createValueStream(() => {});
    stream.write(line(1));
    stream.cut(new Error("the answer was broken off"));
    await expect(Array.fromAsync(stream.values())).rejects.toThrow("the answer was broken off");
  });
});

test("readers have a value in common, and none of them can change it", async () => {
  const shared = line({ metadata: { labels: { app: "db" } } });
  const read = async () => {
    const stream = createValueStream(() => {});
    stream.write(shared);
    return (await stream.values().next()).value as { metadata: { labels: Record<string, string> } };
  };
  const [one, other] = [await read(), await read()];
  expect(one).toBe(other);
  expect(() => (one.metadata.labels["app"] = "cache")).toThrow(TypeError);
});
