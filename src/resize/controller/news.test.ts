import { expect, test } from "vitest";
import type { PersistentVolumeClaim, PersistentVolumeClaimStatus } from "../../core/types.ts";
import { createNews } from "./news.ts";

function claim(request: string, status: PersistentVolumeClaimStatus = {}): PersistentVolumeClaim {
  return {
    metadata: { namespace: "default", name: "data", uid: "1" },
    spec: { volumeName: "pv", resources: { requests: { storage: request } } },
    status: { phase: "Bound", capacity: { storage: "10Gi" }, ...status },
  };
}
const recorded = (request: string, allocated: string, state: string): PersistentVolumeClaim =>
  claim(request, { allocatedResources: { storage: allocated }, allocatedResourceStatuses: { storage: state } });

const KEY = "default/data";
const asked = claim("20Gi");
const record = recorded("20Gi", "20Gi", "ControllerResizeInProgress");

test.each([
  ["the request", claim("10Gi"), asked, true],
  [
    "the state, by the node",
    recorded("20Gi", "20Gi", "NodeResizePending"),
    recorded("20Gi", "20Gi", "NodeResizeInProgress"),
    true,
  ],
  ["the capacity", claim("20Gi"), claim("20Gi", { capacity: { storage: "20Gi" } }), true],
  ["only how a size is written", claim("20Gi"), claim("20480Mi"), false],
  ["only a condition", asked, claim("20Gi", { conditions: [{ type: "Resizing", status: "True" }] }), false],
  ["only a label", asked, { ...asked, metadata: { ...asked.metadata, labels: { a: "b" } } }, false],
])("what changed is %s", (_, before, after, isNews) => {
  expect(createNews().isNews(before, after, "watch", false)).toBe(isNews);
});

test("a write of ours is no news, whether the watch or the answer brings it first, during the step or after it", () => {
  const news = createNews();
  news.begin(KEY, asked);
  news.writing(record);
  expect(news.isNews(asked, record, "watch", false)).toBe(false);
  expect(news.isNews(asked, record, "write", false)).toBe(false);
  news.end(KEY);
  expect(news.isNews(asked, record, "watch", true)).toBe(false);
});

test("a write of ours on top of another request is news: that request is yet to be seen to", () => {
  const news = createNews();
  news.begin(KEY, asked);
  news.writing(recorded("30Gi", "20Gi", "NodeResizePending"));
  expect(news.isNews(record, recorded("30Gi", "20Gi", "NodeResizePending"), "watch", false)).toBe(true);
});

test("what an earlier step wrote is news when somebody else brings it back", () => {
  const news = createNews();
  news.begin(KEY, asked);
  news.writing(record);
  news.end(KEY);
  news.begin(KEY, record);
  expect(news.isNews(asked, record, "watch", false)).toBe(true);
});

test("a resync is a reason to look, unless the claim is worked on or will be tried again in any case", () => {
  const news = createNews();
  expect(news.isNews(asked, asked, "resync", false)).toBe(true);
  expect(news.isNews(asked, asked, "resync", true)).toBe(false);
  news.begin(KEY, asked);
  expect(news.isNews(asked, asked, "resync", false)).toBe(false);
  news.end(KEY);
  expect(news.isNews(asked, asked, "resync", false)).toBe(true);
});
