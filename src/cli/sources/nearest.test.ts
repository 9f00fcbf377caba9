import { expect, test } from "vitest";
import { nearest } from "./nearest.ts";

const NAMES = ["cloudnative-pg", "elasticsearch", "moco", "rabbitmq", "zalando-postgres"];

test.each([
  ["mocco", ["moco"]],
  ["rabitmq", ["rabbitmq"]],
  ["elasticsaerch", ["elasticsearch"]],
  ["postgres", ["zalando-postgres"]],
  ["cloudnativepg", ["cloudnative-pg"]],
  ["moco", ["moco"]],
  ["kafka", []],
  ["", []],
])("somebody who types %j may have meant %j", (word, expected) => {
  expect(nearest(word, NAMES)).toEqual(expected);
});
