import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { loadConfig } from "../../kube/config/load-config.ts";
import { temporaryFolder } from "../store/testing/temporary-folder.ts";
import { type Access, mergeKubeconfig, writeKubeconfig } from "./kubeconfig.ts";

const ACCESS: Access = { server: "https://127.0.0.1:6443", ca: "-----BEGIN CERTIFICATE-----\n", token: "t0ken" };
const CA_DATA = Buffer.from(ACCESS.ca).toString("base64");

const KEPT = { makeCurrent: false };
const CURRENT = { makeCurrent: true };

/** What the text becomes. */
function merged(text: string, options = KEPT): string {
  using folder = temporaryFolder();
  const file = folder.join("config");
  writeFileSync(file, text);
  mergeKubeconfig(file, ACCESS, options);
  expect(readdirSync(folder.path)).toEqual(["config"]);
  return readFileSync(file, "utf8");
}

/** As kubectl writes it, with what people add. */
const USERS = `# My clusters.
apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: ${"QUFB".repeat(60)}
    server: https://prod.example:6443 # careful
  name: prod
contexts:
- context:
    cluster: prod
    namespace: shop
    user: me
  name: prod
current-context: prod
kind: Config
preferences: {}
users:
# Ask Ada for a new one.
- name: me
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      args: [login, "--quiet"]
      command: corp-login
      interactiveMode: Never
`;

describe("a kubeconfig of its own", () => {
  test("is for its owner alone, and is all that our client needs", async () => {
    using folder = temporaryFolder();
    const file = folder.join("outgrow.kubeconfig");
    writeKubeconfig(file, ACCESS);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const config = await loadConfig({ env: {}, kubeconfig: file });
    expect(config).toMatchObject({ server: ACCESS.server, namespace: "default", tls: { insecure: false } });
    expect(config.tls.ca?.toString()).toBe(ACCESS.ca);
    expect((await config.credentials.current()).authorization).toBe(`Bearer ${ACCESS.token}`);
  });

  test("takes the place of the one before", () => {
    using folder = temporaryFolder();
    const file = folder.join("outgrow.kubeconfig");
    writeFileSync(file, "anything: [", { mode: 0o644 });
    writeKubeconfig(file, ACCESS);
    expect(parse(readFileSync(file, "utf8"))).toMatchObject({ "current-context": "outgrow" });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

describe("the user's kubeconfig", () => {
  test("gets three entries at the end of its lists, and keeps every line that it had", () => {
    const after = merged(USERS);
    let rest = after;
    for (const line of USERS.trimEnd().split("\n")) {
      expect(rest).toContain(line);
      rest = rest.slice(rest.indexOf(line) + line.length);
    }
    expect(parse(after)).toEqual({
      ...parse(USERS),
      clusters: [
        ...parse(USERS).clusters,
        { name: "outgrow", cluster: { server: ACCESS.server, "certificate-authority-data": CA_DATA } },
      ],
      contexts: [...parse(USERS).contexts, { name: "outgrow", context: { cluster: "outgrow", user: "outgrow" } }],
      users: [...parse(USERS).users, { name: "outgrow", user: { token: ACCESS.token } }],
    });
  });

  test("changes its current context only when asked", () => {
    expect(parse(merged(USERS))["current-context"]).toBe("prod");
    expect(parse(merged(USERS, CURRENT))["current-context"]).toBe("outgrow");
  });

  test("is the same after a second time", () => {
    const once = merged(USERS);
    expect(merged(once)).toBe(once);
  });

  test("has its old entries of ours replaced where they are, and keeps the namespace that the user chose", () => {
    const before = `clusters:
  # the sandbox
  - {name: outgrow, cluster: {server: "https://127.0.0.1:1", insecure-skip-tls-verify: true}}
  - {name: other, cluster: {server: "https://other"}}
users:
  - {name: outgrow, user: {username: old, password: old}}
contexts:
  - {name: outgrow, context: {cluster: outgrow, user: outgrow, namespace: mine}}
current-context: outgrow
`;
    const after = merged(before);
    expect(parse(after)).toEqual({
      clusters: [
        { name: "outgrow", cluster: { server: ACCESS.server, "certificate-authority-data": CA_DATA } },
        { name: "other", cluster: { server: "https://other" } },
      ],
      users: [{ name: "outgrow", user: { token: ACCESS.token } }],
      contexts: [{ name: "outgrow", context: { cluster: "outgrow", user: "outgrow", namespace: "mine" } }],
      "current-context": "outgrow",
    });
    expect(after).toContain("  # the sandbox\n  - {name: outgrow, cluster: {");
    expect(after).toContain('  - {name: other, cluster: {server: "https://other"}}\n');
  });

  test.each([
    [
      "what kubectl writes when all is gone",
      "apiVersion: v1\nclusters: null\ncontexts: []\nkind: Config\nusers: null\n",
    ],
    ["nothing but a comment", "# later\n"],
    ["nothing", ""],
    ["JSON", '{"apiVersion":"v1","kind":"Config","clusters":[],"users":[],"contexts":[]}'],
  ])("may be %s", async (_, text) => {
    using folder = temporaryFolder();
    const file = folder.join("config");
    writeFileSync(file, text);
    mergeKubeconfig(file, ACCESS, CURRENT);
    const config = await loadConfig({ env: {}, kubeconfig: file });
    expect(config.server).toBe(ACCESS.server);
    if (text.startsWith("#")) expect(readFileSync(file, "utf8")).toContain(text);
  });

  test("is made with its folder when there is none", () => {
    using folder = temporaryFolder();
    mergeKubeconfig(folder.join(".kube", "config"), ACCESS, KEPT);
    const config = parse(readFileSync(folder.join(".kube", "config"), "utf8"));
    expect(config.contexts).toHaveLength(1);
    expect(config).not.toHaveProperty("current-context");
    expect(statSync(folder.join(".kube", "config")).mode & 0o777).toBe(0o600);
  });

  test("may be a link, which stays one", () => {
    using folder = temporaryFolder();
    mkdirSync(folder.join("dotfiles"));
    writeFileSync(folder.join("dotfiles", "kube"), USERS);
    symlinkSync(folder.join("dotfiles", "kube"), folder.join("config"));
    mergeKubeconfig(folder.join("config"), ACCESS, KEPT);
    expect(lstatSync(folder.join("config")).isSymbolicLink()).toBe(true);
    expect(readFileSync(folder.join("dotfiles", "kube"), "utf8")).toContain(ACCESS.token);
  });
});

describe("is left as it is, and named:", () => {
  test.each([
    ["no YAML", "clusters: [", /at line 1/],
    ["a list", "- a\n- b\n", /should be a map/],
    ["text", "hello", /should be a map/],
    ["several documents", "a: 1\n---\nb: 2\n", /multiple documents/],
    ["another kind", "kind: Secret\n", /kind should be Config/],
    ["lists that are none", "kind: Config\nusers: {name: a}\n", /users should be a list/],
    ["an entry that is there twice", "clusters: [{name: outgrow}, {name: outgrow}]\n", /"outgrow" twice/],
    ["a key that is there twice", "users: []\nusers: []\n", /unique/],
    ["bytes", "\u0000\u0001{{{", /config/],
  ])("%s", (_, text, why) => {
    using folder = temporaryFolder();
    const file = folder.join("config");
    writeFileSync(file, text);
    expect(() => mergeKubeconfig(file, ACCESS, CURRENT)).toThrow(
      expect.objectContaining({ code: "INPUT_UNREADABLE", message: expect.stringMatching(why) }),
    );
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(readdirSync(folder.path)).toEqual(["config"]);
  });

  test("one that kubectl is just changing", () => {
    using folder = temporaryFolder();
    writeFileSync(folder.join("config"), USERS);
    writeFileSync(folder.join("config.lock"), "");
    expect(() => mergeKubeconfig(folder.join("config"), ACCESS, KEPT)).toThrow(/changed by another program/);
    expect(readFileSync(folder.join("config"), "utf8")).toBe(USERS);
    expect(existsSync(folder.join("config.lock"))).toBe(true);
  });

  test("a folder", () => {
    using folder = temporaryFolder();
    mkdirSync(folder.join("config"));
    expect(() => mergeKubeconfig(folder.join("config"), ACCESS, KEPT)).toThrow(
      expect.objectContaining({ code: "FILE_UNUSABLE", message: expect.stringContaining(folder.join("config")) }),
    );
  });
});
