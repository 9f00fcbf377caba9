/** The order of the suites: none that takes long is left to run alone at the end, while the other processor has nothing to do. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Suites of half a minute and more, the longest first. What is not listed comes after them, as vitest likes. */
const LONG: readonly string[] = [
  "clients/kubectl",
  "resizer/killed-everywhere",
  "clients/informers",
  "library/stock",
  "growth/embedded",
  "sources/stock",
  "growth/kep-0661",
  "clients/controller-manager",
  "housekeeping/housekeeping",
  "drivers/killed-everywhere",
  "growth/killed-everywhere",
  "growth/real-actors",
  "growth/actors",
  "growth/failures",
  "growth/argo",
  "sources/killed",
  "life/killed",
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}

function place({ moduleId }: TestSpecification): number {
  const found = LONG.findIndex((suite) => moduleId.endsWith(`/test/kube/${suite}.test.ts`));
  return found < 0 ? LONG.length : found;
}
