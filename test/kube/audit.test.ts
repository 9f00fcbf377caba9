import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readAuditLog } from "./audit.ts";

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "outgrow-audit-"));
  file = join(folder, "audit.log");
  await writeFile(file, "");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function event(auditID: string, stage: "RequestReceived" | "ResponseComplete", code?: number): string {
  const objectRef = { resource: "persistentvolumeclaims", subresource: "status", namespace: "prod", name: "data" };
  const responseStatus = code === undefined ? undefined : { code };
  const user = { username: "resizer" };
  return `${JSON.stringify({ auditID, stage, verb: "patch", requestURI: "/x", user, objectRef, responseStatus })}\n`;
}

const entry = {
  user: "resizer",
  verb: "patch",
  resource: "persistentvolumeclaims/status",
  namespace: "prod",
  name: "data",
  denied: false,
};

it("has a request once, from its arrival on, with its answer as soon as that is there", async () => {
  const log = readAuditLog(file);
  await appendFile(file, event("1", "RequestReceived"));
  expect(await log.entries()).toEqual([{ ...entry, code: undefined }]);
  await appendFile(file, event("1", "ResponseComplete", 409));
  expect(await log.entries()).toEqual([{ ...entry, code: 409 }]);
  expect(await log.counts()).toEqual({ "patch persistentvolumeclaims/status": 1 });
});

it("counts from a mark on, without the rest of what began before it", async () => {
  const log = readAuditLog(file);
  await appendFile(file, event("1", "RequestReceived"));
  const since = await log.mark();
  await appendFile(file, event("1", "ResponseComplete", 200));
  expect(await log.entries({ since })).toEqual([]);
  await appendFile(file, event("2", "RequestReceived"));
  expect(await log.counts({ since })).toEqual({ "patch persistentvolumeclaims/status": 1 });
});

it("leaves a line that is still being written for the next time", async () => {
  const log = readAuditLog(file);
  const line = event("2", "RequestReceived");
  await appendFile(file, event("1", "RequestReceived") + line.slice(0, 20));
  const since = await log.mark();
  expect(await log.entries()).toHaveLength(1);
  await appendFile(file, line.slice(20));
  expect(await log.entries()).toHaveLength(2);
  expect(await log.entries({ since })).toHaveLength(1);
});

it("calls what is no resource by its path", async () => {
  const health = { auditID: "1", stage: "RequestReceived", verb: "get", requestURI: "/readyz?verbose" };
  await appendFile(file, `${JSON.stringify(health)}\n`);
  expect(await readAuditLog(file).counts()).toEqual({ "get /readyz": 1 });
});
