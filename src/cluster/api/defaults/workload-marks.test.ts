import { describe, expect, test } from "vitest";
import { withGeneratedSelector, withTemplateGeneration } from "./workload-marks.ts";

const generation = (text: string) => ({ annotations: { "deprecated.daemonset.template.generation": text } });

describe("the template of a DaemonSet", () => {
  const made = { metadata: { name: "d", ...generation("0") }, spec: { template: { a: 1 } } };
  const stored = { metadata: { name: "d", ...generation("4") }, spec: { template: { a: 1 } } };

  test("is the first when the set is made", () => {
    expect(withTemplateGeneration(made, undefined)).toMatchObject({ metadata: generation("1") });
  });

  test("is counted when it changes", () => {
    const next = { ...made, spec: { template: { a: 2 } } };
    expect(withTemplateGeneration(next, stored)).toMatchObject({ metadata: generation("5") });
  });

  test("is not counted for anything else, whatever the client says", () => {
    const next = { ...made, spec: { template: { a: 1 }, minReadySeconds: 5 } };
    expect(withTemplateGeneration(next, stored)).toMatchObject({ metadata: generation("4") });
  });
});

describe("a Job", () => {
  const job = {
    metadata: { name: "j", uid: "u", labels: { app: "x" } },
    spec: { template: { metadata: { labels: { app: "x" } }, spec: {} } },
  };
  const marks = {
    "controller-uid": "u",
    "batch.kubernetes.io/controller-uid": "u",
    "job-name": "j",
    "batch.kubernetes.io/job-name": "j",
  };

  test("is told apart by its uid", () => {
    expect(withGeneratedSelector(job)).toEqual({
      metadata: { name: "j", uid: "u", labels: { app: "x", ...marks } },
      spec: {
        selector: { matchLabels: { "batch.kubernetes.io/controller-uid": "u" } },
        template: { metadata: { labels: { app: "x", ...marks } }, spec: {} },
      },
    });
  });

  test("keeps labels of its own as they are", () => {
    const own = { ...job, metadata: { ...job.metadata, labels: { mine: "y" } } };
    expect(withGeneratedSelector(own)).toMatchObject({ metadata: { labels: { mine: "y" } } });
  });

  test("that brings its own selector is left alone", () => {
    const manual = { ...job, spec: { ...job.spec, manualSelector: true } };
    expect(withGeneratedSelector(manual)).toBe(manual);
  });
});
