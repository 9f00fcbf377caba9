import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { openSqliteStore } from "../store/index.ts";
import { temporaryFolder } from "../store/testing/temporary-folder.ts";
import { ensureCertificates } from "./certificates.ts";
import { ensureCredentials } from "./credentials.ts";
import { defaultDataFolder, openDataFolder } from "./data-folder.ts";
import { writeKubeconfig } from "./kubeconfig.ts";

const modeOf = (file: string): number => statSync(file).mode & 0o777;

test.each([
  ["the user's data directory", { XDG_DATA_HOME: "/data", HOME: "/h" }, "/data/outgrow"],
  ["its default", { HOME: "/h" }, "/h/.local/share/outgrow"],
  ["its default when it is empty", { XDG_DATA_HOME: "", HOME: "/h" }, "/h/.local/share/outgrow"],
  ["its default when it is relative", { XDG_DATA_HOME: "data", HOME: "/h" }, "/h/.local/share/outgrow"],
  ["nowhere without a home", {}, undefined],
])("the default is in %s", (_, env, expected) => {
  expect(defaultDataFolder(env)).toBe(expected);
});

test("a new folder is its owner's alone", () => {
  using parent = temporaryFolder();
  const folder = openDataFolder(parent.join("deep", "data"));
  expect(modeOf(folder.path)).toBe(0o700);
  expect(folder.store).toBe(parent.join("deep", "data", "store.db"));
});

test("everything in it is its owner's alone, and nothing else is in it", async () => {
  using parent = temporaryFolder();
  const folder = openDataFolder(parent.join("data"));
  const store = openSqliteStore(folder.store);
  const { ca } = ensureCertificates(folder, Date.now());
  const { adminToken: token } = ensureCredentials(folder);
  writeKubeconfig(folder.kubeconfig, { server: "https://127.0.0.1:1", ca, token });
  await store.close();
  const names = readdirSync(folder.path).sort();
  const known = Object.values(folder).map((path) => basename(path));
  expect(names.filter((name) => !known.includes(name) && !name.startsWith("store.db-"))).toEqual([]);
  expect(names.map((name) => [name, modeOf(parent.join("data", name))])).toEqual(names.map((name) => [name, 0o600]));
});

test.each(["755", "775", "777"])("an empty folder of mode %s becomes its owner's alone", (mode) => {
  using parent = temporaryFolder();
  chmodSync(parent.path, Number.parseInt(mode, 8));
  expect(modeOf(openDataFolder(parent.path).path)).toBe(0o700);
});

test("so does one that was a data folder already", () => {
  using parent = temporaryFolder();
  writeFileSync(parent.join("store.db"), "");
  chmodSync(parent.path, 0o777);
  expect(modeOf(openDataFolder(parent.path).path)).toBe(0o700);
});

test("a folder with other things in it stays as it is, and is refused when others may write to it", () => {
  using parent = temporaryFolder();
  writeFileSync(parent.join("letter.txt"), "");
  chmodSync(parent.path, 0o755);
  expect(modeOf(openDataFolder(parent.path).path)).toBe(0o755);
  chmodSync(parent.path, 0o777);
  expect(() => openDataFolder(parent.path)).toThrow(
    expect.objectContaining({ code: "FILE_UNUSABLE", message: expect.stringContaining("others may write to it") }),
  );
  expect(modeOf(parent.path)).toBe(0o777);
});

test("a file in its place is named", () => {
  using parent = temporaryFolder();
  writeFileSync(parent.join("data"), "");
  expect(() => openDataFolder(parent.join("data"))).toThrow(
    expect.objectContaining({ code: "FILE_UNUSABLE", message: expect.stringContaining(parent.join("data")) }),
  );
});

test("of two that start at once, the lock of the store lets one go on", async () => {
  using parent = temporaryFolder();
  mkdirSync(parent.join("data"));
  const first = openSqliteStore(openDataFolder(parent.join("data")).store);
  expect(() => openSqliteStore(openDataFolder(parent.join("data")).store)).toThrow(
    expect.objectContaining({ code: "STORE_IN_USE" }),
  );
  await first.close();
});
