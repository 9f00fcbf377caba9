import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { failure } from "../testing/failure.ts";
import { createManualTimers } from "../testing/manual-timers.ts";
import { inClusterConfig } from "./in-cluster.ts";
import { loadConfig } from "./load-config.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), "kubeconfig-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

function write(name: string, contents: string): string {
  const file = path.join(directory, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, contents);
  return file;
}

function config(name: string, user = "token: secret", cluster = `server: "https://${name}.example"`): string {
  return `
current-context: ${name}
contexts: [{name: ${name}, context: {cluster: ${name}, user: ${name}, namespace: ns-${name}}}]
clusters: [{name: ${name}, cluster: {${cluster}}}]
users: [{name: ${name}, user: {${user}}}]
`;
}

const authorization = async (kubeconfig: string): Promise<string | undefined> => {
  const { credentials } = await loadConfig({ env: {}, kubeconfig });
  return (await credentials.current()).authorization;
};

describe("which cluster is meant", () => {
  it("is the current context of the file that was named, whatever the environment says", async () => {
    const named = write("named", config("named"));
    const env = { KUBECONFIG: write("other", config("other")), HOME: directory };
    const loaded = await loadConfig({ env, kubeconfig: named });
    expect(loaded).toMatchObject({ server: "https://named.example", namespace: "ns-named", proxyUrl: undefined });
  });

  it("is found in the files of KUBECONFIG, merged; those that do not exist are passed over", async () => {
    const first = write("first", config("first").replace("current-context: first", ""));
    const second = write("second", config("second"));
    const env = { KUBECONFIG: [path.join(directory, "missing"), first, second, first].join(path.delimiter) };
    expect(await loadConfig({ env })).toMatchObject({ server: "https://second.example" });
    expect(await loadConfig({ env, context: "first" })).toMatchObject({ server: "https://first.example" });
  });

  it("is found in the home directory otherwise", async () => {
    write(".kube/config", config("home"));
    expect(await loadConfig({ env: { HOME: directory } })).toMatchObject({ server: "https://home.example" });
  });

  it("may be another server than the files say", async () => {
    const kubeconfig = write("config", config("c"));
    const loaded = await loadConfig({ env: {}, kubeconfig, master: "https://10.0.0.1:6443/" });
    expect(loaded.server).toBe("https://10.0.0.1:6443");
    expect((await loaded.credentials.current()).authorization).toBe("Bearer secret");
  });

  it("may be a bare address, which gets nobody's credentials, not even in a pod", async () => {
    const env = { KUBERNETES_SERVICE_HOST: "10.96.0.1", KUBERNETES_SERVICE_PORT: "443" };
    const bare = await loadConfig({ env, master: "localhost:8080" });
    expect(bare.server).toBe("http://localhost:8080");
    expect((await bare.credentials.current()).authorization).toBeUndefined();
  });

  it("is not guessed when the file that was named is empty", async () => {
    const env = { KUBERNETES_SERVICE_HOST: "10.96.0.1", KUBERNETES_SERVICE_PORT: "443" };
    const error = await failure(loadConfig({ env, kubeconfig: write("empty", "") }));
    expect(error.message).toContain("current-context: is missing; choose one with --context: none");
  });

  it("keeps a path in the address, and takes TLS for granted where it is configured", async () => {
    const path = write("path", config("c", "token: a", 'server: "https://rancher.example/k8s/clusters/c-1/"'));
    expect((await loadConfig({ env: {}, kubeconfig: path })).server).toBe("https://rancher.example/k8s/clusters/c-1");
    const bare = write("bare", config("c", "token: a", "server: api.example, insecure-skip-tls-verify: true"));
    expect(await loadConfig({ env: {}, kubeconfig: bare })).toMatchObject({
      server: "https://api.example",
      tls: { insecure: true },
    });
  });

  it("is reached through the proxy of the cluster, else through that of the environment", async () => {
    const env = { HTTPS_PROXY: "http://proxy:1" };
    const own = write("own", config("c", "token: a", 'server: "https://api.example", proxy-url: "socks5://gate:1080"'));
    expect((await loadConfig({ env, kubeconfig: own })).proxyUrl).toBe("socks5://gate:1080");
    const none = write("none", config("c"));
    expect((await loadConfig({ env, kubeconfig: none })).proxyUrl).toBe("http://proxy:1");
  });

  it.each([
    ["a file that is not there", {}, { kubeconfig: "/no/such/file" }, "/no/such/file: cannot be read: ENOENT"],
    ["nothing at all", { HOME: "/nowhere" }, {}, "no cluster is configured: looked at /nowhere/.kube/config"],
    ["no home", {}, {}, "looked at nothing (HOME is not set)"],
    ["a strange address", {}, { master: "ftp://x" }, '--master: "ftp://x" is not an http or https address'],
  ])("with %s is told", async (_, env, options, message) => {
    expect((await failure(loadConfig({ env, ...options }))).message).toContain(message);
  });

  it.each([
    ["an unknown context", config("c"), { context: "d" }, 'there is no context "d"; there are: c'],
    [
      "no current context",
      config("c").replace("current-context: c", ""),
      {},
      "current-context: is missing; choose one with --context: c",
    ],
    [
      "an unknown cluster",
      config("c").replace("cluster: c,", "cluster: d,"),
      {},
      'contexts[c].context.cluster: there is no cluster "d"',
    ],
    [
      "an unknown user",
      config("c").replace("user: c,", "user: d,"),
      {},
      'contexts[c].context.user: there is no user "d"',
    ],
    ["no address", config("c", "token: a", ""), {}, "clusters[c].cluster.server: the server's address is missing"],
    [
      "a missing authority",
      config("c", "token: a", "server: a, certificate-authority: no.crt"),
      {},
      "no.crt: cannot be read",
    ],
    ["a missing token file", config("c", "tokenFile: no-token"), {}, "no-token: cannot be read"],
  ])("with %s names the file and the field", async (_, contents, options, message) => {
    const kubeconfig = write("config", contents);
    const error = await failure(loadConfig({ env: {}, kubeconfig, ...options }));
    expect(error.reason).toBe("ConfigInvalid");
    expect(error.message).toContain(directory);
    expect(error.message).toContain(message);
  });
});

describe("who we are", () => {
  it("is a token, a name and password, or nobody", async () => {
    expect(await authorization(write("token", config("c", "token: abc")))).toBe("Bearer abc");
    expect(await authorization(write("basic", config("c", "username: me, password: pw")))).toBe(
      `Basic ${btoa("me:pw")}`,
    );
    expect(await authorization(write("nobody", config("c", "")))).toBeUndefined();
  });

  it("is a certificate with its key, from data or from files", async () => {
    write("me.crt", "a certificate");
    const kubeconfig = write("config", config("c", `client-certificate: me.crt, client-key-data: ${btoa("a key")}`));
    const { credentials } = await loadConfig({ env: {}, kubeconfig });
    const { certificate } = await credentials.current();
    expect([certificate?.cert.toString(), certificate?.key.toString()]).toEqual(["a certificate", "a key"]);
  });

  it("is not told over a connection that anybody can read, as kubectl has it", async () => {
    const kubeconfig = write("config", config("c", "token: abc", 'server: "http://api.example"'));
    expect(await authorization(kubeconfig)).toBeUndefined();
  });

  it("follows a token file: read again after a minute, or when the token is refused", async () => {
    const timers = createManualTimers();
    write("token", "one\n");
    const kubeconfig = write("config", config("c", "tokenFile: token"));
    const { credentials } = await loadConfig({ env: {}, kubeconfig, timers });
    const first = await credentials.current();
    expect(first.authorization).toBe("Bearer one");

    write("token", "two\n");
    expect((await credentials.current()).authorization).toBe("Bearer one");
    await timers.advance(61_000);
    expect((await credentials.current()).authorization).toBe("Bearer two");

    write("token", "three\n");
    expect(credentials.refused(await credentials.current())).toBe(true);
    const third = await credentials.current();
    expect(third.authorization).toBe("Bearer three");

    rmSync(path.join(directory, "token"));
    await timers.advance(61_000);
    expect((await credentials.current()).authorization).toBe("Bearer three");
  });
});

describe("in a pod", () => {
  const env = { KUBERNETES_SERVICE_HOST: "10.96.0.1", KUBERNETES_SERVICE_PORT: "443" };

  it("it is the service account's cluster, namespace and token, which is rotated", async () => {
    const timers = createManualTimers();
    write("ca.crt", "an authority");
    write("token", "one");
    write("namespace", "kube-system\n");
    const config = await inClusterConfig({ env, directory, timers });
    expect(config).toMatchObject({ server: "https://10.96.0.1:443", namespace: "kube-system" });
    expect(config.tls.ca?.toString()).toBe("an authority");
    expect((await config.credentials.current()).authorization).toBe("Bearer one");
    write("token", "two");
    await timers.advance(61_000);
    expect((await config.credentials.current()).authorization).toBe("Bearer two");
  });

  it("works over IPv6, and without a namespace file", async () => {
    write("ca.crt", "an authority");
    write("token", "one");
    const config = await inClusterConfig({ env: { ...env, KUBERNETES_SERVICE_HOST: "fd00::1" }, directory });
    expect(config).toMatchObject({ server: "https://[fd00::1]:443", namespace: "default" });
  });

  it("says what is missing", async () => {
    expect((await failure(inClusterConfig({ env: {}, directory }))).message).toContain("not running in a pod");
    expect((await failure(inClusterConfig({ env, directory }))).message).toContain("ca.crt: cannot be read");
    write("ca.crt", "an authority");
    write("token", " \n");
    expect((await failure(inClusterConfig({ env, directory }))).message).toContain("the token file is empty");
  });
});
