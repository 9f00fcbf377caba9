import { expect, test } from "vitest";
import { scheduleProblem } from "./cron-schedule.ts";

test.each([
  "* * * * *",
  "*/5 0 1,15 * 1-5",
  "0 0 ? jan-mar SUN",
  "@daily",
  "@every 1h30m",
  "0 9-17/2 * * *",
  ", * * * *",
])("a schedule: %s", (schedule) => {
  expect(scheduleProblem(schedule)).toBeUndefined();
});

test.each([
  ["bad", "expected exactly 5 fields, found 1: [bad]"],
  ["", "expected exactly 5 fields, found 0: []"],
  ["60 * * * *", "end of range (60) above maximum (59): 60"],
  ["* * 0 * *", "beginning of range (0) below minimum (1): 0"],
  ["* * * * 5-1", "beginning of range (5) beyond end of range (1): 5-1"],
  ["*/0 * * * *", "step of range should be a positive number: */0"],
  ["1-2-3 * * * *", "too many hyphens: 1-2-3"],
  ["1/2/3 * * * *", "too many slashes: 1/2/3"],
  ["x * * * *", 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
  ["@sometimes", "unrecognized descriptor: @sometimes"],
])("no schedule: %s", (schedule, problem) => {
  expect(scheduleProblem(schedule)).toBe(problem);
});
