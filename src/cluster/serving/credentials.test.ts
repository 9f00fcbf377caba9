import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { temporaryFolder } from "../store/testing/temporary-folder.ts";
import { ensureCredentials } from "./credentials.ts";
import { openDataFolder } from "./data-folder.ts";

test("secrets are made once and stay", () => {
  using parent = temporaryFolder();
  const folder = openDataFolder(parent.path);
  const first = ensureCredentials(folder);
  const second = ensureCredentials(folder);
  expect(Buffer.from(first.adminToken, "base64url")).toHaveLength(32);
  expect(second.adminToken).toBe(first.adminToken);
  expect(second.serviceAccountKey.equals(first.serviceAccountKey)).toBe(true);
  expect(first.serviceAccountKey.asymmetricKeyDetails).toEqual({ namedCurve: "prime256v1" });
});

test("two clusters have different ones", () => {
  using one = temporaryFolder();
  using other = temporaryFolder();
  const [first, second] = [ensureCredentials(openDataFolder(one.path)), ensureCredentials(openDataFolder(other.path))];
  expect(second.adminToken).not.toBe(first.adminToken);
  expect(second.serviceAccountKey.equals(first.serviceAccountKey)).toBe(false);
});

test.each([
  ["adminToken", "an empty file", ""],
  ["adminToken", "a short token", "AAAA\n"],
  ["adminToken", "two lines", `${"A".repeat(43)}\n${"B".repeat(43)}\n`],
  ["serviceAccountKey", "an empty file", ""],
  ["serviceAccountKey", "no key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"],
] as const)("damage is named and not mended: %s with %s", (file, _, text) => {
  using parent = temporaryFolder();
  const folder = openDataFolder(parent.path);
  ensureCredentials(folder);
  writeFileSync(folder[file], text);
  expect(() => ensureCredentials(folder)).toThrow(
    expect.objectContaining({ code: "CREDENTIALS_DAMAGED", message: expect.stringContaining(folder[file]) }),
  );
});
