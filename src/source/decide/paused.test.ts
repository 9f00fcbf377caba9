import { expect, test } from "vitest";
import type { KubeObject } from "../../core/types.ts";
import { isPaused } from "./paused.ts";

const STOPPED = "moco.cybozu.com/reconciliation-stopped";
const annotated = (value?: string): KubeObject => ({
  metadata: { name: "x", ...(value !== undefined && { annotations: { [STOPPED]: value } }) },
});
const onAnnotation = { path: `.metadata.annotations["${STOPPED}"]` };
const withSpec = (pause: unknown) => ({ metadata: { name: "x" }, spec: { pause } });

test.each([
  ["a source that knows no pause", undefined, annotated("true"), false],
  ["no annotation", { ...onAnnotation, equals: "true" }, annotated(), false],
  ["the annotation", { ...onAnnotation, equals: "true" }, annotated("true"), true],
  ["another value", { ...onAnnotation, equals: "true" }, annotated("yes"), false],
  ["any value", onAnnotation, annotated("2026-11-16"), true],
  ["an empty annotation", onAnnotation, annotated(""), true],
  ["the text false", onAnnotation, annotated("false"), false],
  ["true in the spec", { path: ".spec.pause" }, withSpec(true), true],
  ["false in the spec", { path: ".spec.pause" }, withSpec(false), false],
  ["null in the spec", { path: ".spec.pause" }, withSpec(null), false],
  ["true in the spec, compared as text", { path: ".spec.pause", equals: "true" }, withSpec(true), true],
  ["a number, compared as text", { path: ".spec.pause", equals: "0" }, withSpec(0), true],
])("%s", (_, paused, resource, expected) => {
  expect(isPaused(paused === undefined ? {} : { paused }, resource)).toBe(expected);
});
