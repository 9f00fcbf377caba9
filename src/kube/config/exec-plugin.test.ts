import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { toTimestamp } from "../../core/clock.ts";
import { failure } from "../testing/failure.ts";
import { createManualTimers, type ManualTimers } from "../testing/manual-timers.ts";
import type { Credentials } from "./credentials.ts";
import { loadConfig } from "./load-config.ts";

let directory: string;
let timers: ManualTimers;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), "exec-plugin-"));
  timers = createManualTimers();
});
afterEach(() => rmSync(directory, { recursive: true }));

/** A plugin that notes each run, and what it was given, beside itself. */
async function plugin(script: string, fields = "", version = "v1"): Promise<Credentials> {
  const file = path.join(directory, "plugin");
  writeFileSync(file, `#!/bin/sh\nprintf '%s\\n' "$KUBERNETES_EXEC_INFO" >> '${directory}/runs'\n${script}\n`);
  chmodSync(file, 0o755);
  const kubeconfig = path.join(directory, "config");
  writeFileSync(
    kubeconfig,
    `
current-context: c
contexts: [{name: c, context: {cluster: c, user: c}}]
clusters:
- name: c
  cluster:
    server: https://api.example
    tls-server-name: kubernetes
    certificate-authority-data: ${btoa("an authority")}
    extensions: [{name: client.authentication.k8s.io/exec, extension: {audience: us}}]
users: [{name: c, user: {exec: {apiVersion: client.authentication.k8s.io/${version}, command: ./plugin, ${fields}}}}]
`,
  );
  return (await loadConfig({ env: { PATH: process.env["PATH"] }, kubeconfig, timers })).credentials;
}

const runs = (): unknown[] =>
  readFileSync(path.join(directory, "runs"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);

const answer = (status: object, version = "v1"): string =>
  `echo '${JSON.stringify({ apiVersion: `client.authentication.k8s.io/${version}`, kind: "ExecCredential", status })}'`;

/** A different token at each run: t1, t2 ... */
const COUNTING = `n=$(grep -c . "$(dirname "$0")/runs"); ${answer({ token: "tN" }).replace("tN", `t'"$n"'`)}`;

describe("a credential plugin", () => {
  it.each(["v1", "v1beta1"])("gives a token (%s)", async (version) => {
    const credentials = await plugin(answer({ token: "abc" }, version), "", version);
    expect((await credentials.current()).authorization).toBe("Bearer abc");
  });

  it("gives a certificate", async () => {
    const credentials = await plugin(answer({ clientCertificateData: "C", clientKeyData: "K" }));
    const { certificate, authorization } = await credentials.current();
    expect([certificate?.cert.toString(), certificate?.key.toString(), authorization]).toEqual(["C", "K", undefined]);
  });

  it("gets its arguments, its variables and, when it asks for it, the cluster", async () => {
    const credentials = await plugin(
      `echo '{"apiVersion":"client.authentication.k8s.io/v1","status":{"token":"'"$1-$ROLE"'"}}'`,
      "args: [login], env: [{name: ROLE, value: admin}], provideClusterInfo: true",
    );
    expect((await credentials.current()).authorization).toBe("Bearer login-admin");
    expect(runs()).toEqual([
      {
        apiVersion: "client.authentication.k8s.io/v1",
        kind: "ExecCredential",
        spec: {
          interactive: false,
          cluster: {
            server: "https://api.example",
            "tls-server-name": "kubernetes",
            "certificate-authority-data": btoa("an authority"),
            config: { audience: "us" },
          },
        },
      },
    ]);
  });

  it("is run once for many requests at the same time, and not again while its answer is good", async () => {
    const credentials = await plugin(COUNTING);
    const all = await Promise.all(Array.from({ length: 10 }, () => credentials.current()));
    expect(new Set(all.map(({ authorization }) => authorization))).toEqual(new Set(["Bearer t1"]));
    await timers.advance(3_600_000);
    expect((await credentials.current()).authorization).toBe("Bearer t1");
    expect(runs()).toHaveLength(1);
  });

  it("is run again when its answer has expired", async () => {
    const expirationTimestamp = toTimestamp(timers.now() + 60_000);
    const credentials = await plugin(answer({ token: "abc", expirationTimestamp }));
    await credentials.current();
    await timers.advance(59_000);
    await credentials.current();
    expect(runs()).toHaveLength(1);
    await timers.advance(2_000);
    await credentials.current();
    expect(runs()).toHaveLength(2);
  });

  it("is run again when the server refuses its answer, but only once for all who were refused", async () => {
    const credentials = await plugin(COUNTING);
    const [first, same] = await Promise.all([credentials.current(), credentials.current()]);
    expect(credentials.refused(first)).toBe(true);
    expect((await credentials.current()).authorization).toBe("Bearer t2");
    expect(credentials.refused(same)).toBe(true);
    expect((await credentials.current()).authorization).toBe("Bearer t2");
  });

  it("can be waited for no longer, without taking it from others", async () => {
    const credentials = await plugin(answer({ token: "abc" }));
    const controller = new AbortController();
    const given = credentials.current(controller.signal);
    const patient = credentials.current();
    controller.abort(new Error("enough"));
    await expect(given).rejects.toThrow("enough");
    expect((await patient).authorization).toBe("Bearer abc");
  });

  it.each([
    ["fails", "exit 3", "", "the credential plugin", "ended with exit code 3"],
    ["fails and has a hint", "exit 3", "installHint: get it from us", "get it from us", "exit code 3"],
    ["says nothing", "true", "", "not readable as JSON", "plugin"],
    [
      "says something of another version",
      answer({ token: "a" }, "v1beta1"),
      "",
      "expected client.authentication.k8s.io/v1, found",
      "apiVersion",
    ],
    ["gives nothing", answer({}), "", "neither a token nor a certificate", "status"],
    ["gives half a pair", answer({ clientKeyData: "K" }), "", "must come together", "status"],
    ["wants a terminal", "true", "interactiveMode: Always", "there is none", "interactiveMode: Always"],
  ])("that %s is an error that names the file and the plugin", async (_, script, fields, ...messages) => {
    const credentials = await plugin(script, fields);
    const error = await failure(credentials.current());
    expect(error.reason).toBe("ConfigInvalid");
    for (const message of [...messages, directory]) expect(error.message).toContain(message);
    // The next request tries again.
    await failure(credentials.current());
  });

  it("that is not installed is an error that says so", async () => {
    const credentials = await plugin("true");
    rmSync(path.join(directory, "plugin"));
    expect((await failure(credentials.current())).message).toContain("cannot be run: spawn");
  });
});
