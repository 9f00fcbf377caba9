/** Where kubectl is at hand, it is asked what it makes of the same files. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadConfig } from "./load-config.ts";

const kubectl = spawnSync("kubectl", ["version", "--client"], { stdio: "ignore" }).status === 0;

interface View {
  clusters?: { cluster: { server: string } }[];
  users?: { user: { token?: string; username?: string; tokenFile?: string } }[];
  contexts?: { context: { namespace?: string } }[];
}

describe.skipIf(!kubectl)("kubectl reads the same from", () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(path.join(tmpdir(), "oracle-"));
    mkdirSync(path.join(directory, "sub"));
    writeFileSync(
      path.join(directory, "a"),
      `
contexts: [{name: shared, context: {cluster: both, user: a, namespace: from-a}}]
clusters: [{name: both, cluster: {server: "https://a.example"}}]
users: [{name: a, user: {token: a-token}}]
`,
    );
    writeFileSync(
      path.join(directory, "sub/b"),
      `
current-context: second
contexts:
- {name: shared, context: {cluster: both, user: b, namespace: from-b}}
- {name: second, context: {cluster: both, user: b}}
clusters: [{name: both, cluster: {server: "https://b.example", tls-server-name: b}}]
users: [{name: a, user: {token: b-token, username: x}}, {name: b, user: {tokenFile: token}}]
`,
    );
    writeFileSync(path.join(directory, "sub/token"), "from the file");
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  it.each([
    ["a:sub/b", undefined],
    ["sub/b:a", undefined],
    ["a:sub/b", "shared"],
    ["sub/b:a", "shared"],
    ["missing:a:sub/b", "second"],
    ["sub/b", "second"],
  ])("KUBECONFIG=%s with context %s", async (list, context) => {
    const KUBECONFIG = list.replaceAll(/[^:]+/g, (file) => path.join(directory, file));
    const flags = context === undefined ? [] : [`--context=${context}`];
    const view = JSON.parse(
      execFileSync("kubectl", ["config", "view", "--minify", "--raw", "-o", "json", ...flags], {
        env: { ...process.env, KUBECONFIG },
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      }),
    ) as View;
    const ours = await loadConfig({ env: { KUBECONFIG }, context });
    const user = view.users?.[0]?.user;
    expect(ours.server).toBe(view.clusters?.[0]?.cluster.server);
    expect(ours.namespace).toBe(view.contexts?.[0]?.context.namespace ?? "default");
    const token = user?.tokenFile === undefined ? user?.token : "from the file";
    expect((await ours.credentials.current()).authorization).toBe(`Bearer ${token}`);
  });
});
