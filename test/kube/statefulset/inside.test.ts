/** The growth of StatefulSets inside the embedded cluster, whose API server takes edits of templates and grows by itself. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEFAULT_GATES } from "../../../src/core/gates.ts";
import type { StatefulSet } from "../../../src/core/types.ts";
import { STATEFUL_SETS } from "../../../src/kube/index.ts";
import { NAMESPACE, openStage, type Stage } from "./embedded-stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ gates: DEFAULT_GATES });
});
afterAll(async () => {
  await stage?.stop();
});

const templateSize = ({ spec }: StatefulSet): string | undefined =>
  spec.volumeClaimTemplates?.[0]?.spec.resources?.requests?.["storage"];

test("an edit of the template has its record, whoever was faster with the claims", async () => {
  await stage.create("edited", { replicas: 2 });
  const path = "/spec/volumeClaimTemplates/0/spec/resources/requests/storage";
  const patch = { type: "json", body: [{ op: "replace", path, value: "2Gi" }] } as const;
  const { metadata } = await stage.client.patch(STATEFUL_SETS, { namespace: NAMESPACE, name: "edited" }, patch);
  const { spec, status } = await stage.done("edited");
  expect(spec.claims).toEqual([{ template: "data", storage: "2Gi" }]);
  expect(status?.claims?.map(({ to, capacity, state }) => `${to} ${capacity} ${state}`)).toEqual([
    "2Gi 2Gi Done",
    "2Gi 2Gi Done",
  ]);
  expect(await stage.sizes("edited")).toEqual(["2Gi/2Gi", "2Gi/2Gi"]);
  expect((await stage.set("edited")).metadata.generation).toBe(metadata.generation);
});

test("a wish: the order is kept, the template is patched and the wish taken off in one write, and no field stays ours", async () => {
  const before = await stage.create("wished", { replicas: 3 });
  await stage.order("wished", { rollout: { mode: "OneByOne" } });
  await stage.wish("wished", "data=2Gi");
  await stage.done("wished");
  const after = await stage.set("wished");
  expect(after.metadata.uid).toBe(before.metadata.uid);
  expect(after.metadata.generation).toBe((before.metadata.generation ?? 0) + 1);
  expect(templateSize(after)).toBe("2Gi");
  expect(after.metadata.annotations).toBeUndefined();
  expect(await stage.sizes("wished")).toEqual(["2Gi/2Gi", "2Gi/2Gi", "2Gi/2Gi"]);
  const { managedFields = [] } = after.metadata as { managedFields?: { manager: string }[] };
  expect(managedFields.map(({ manager }) => manager)).not.toContain("outgrow-recreate");
});
