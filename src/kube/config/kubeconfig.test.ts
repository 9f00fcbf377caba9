import { describe, expect, it } from "vitest";
import { KubeError } from "../kube-error.ts";
import { mergeKubeconfigs, parseKubeconfig } from "./kubeconfig.ts";

const FILE = "/users/me/.kube/config";

function errorOf(contents: string): string {
  try {
    parseKubeconfig(contents, FILE);
  } catch (error) {
    expect(error).toBeInstanceOf(KubeError);
    expect((error as KubeError).reason).toBe("ConfigInvalid");
    return (error as KubeError).message;
  }
  throw new Error("expected an error");
}

const user = (fields: string): string => `users: [{name: me, user: {${fields}}}]`;
const cluster = (fields: string): string => `clusters: [{name: c, cluster: {${fields}}}]`;
const exec = (fields: string): string => user(`exec: {apiVersion: client.authentication.k8s.io/v1, ${fields}}`);

describe("a kubeconfig", () => {
  it("is read as it is written, and relative paths are relative to the file", () => {
    const config = parseKubeconfig(
      `
apiVersion: v1
kind: Config
current-context: prod
contexts:
- name: prod
  context: {cluster: c, user: me, namespace: db}
clusters:
- name: c
  cluster:
    server: https://10.0.0.1:6443
    certificate-authority: pki/ca.crt
    tls-server-name: kubernetes
    proxy-url: socks5://gate:1080
users:
- name: me
  user:
    client-certificate: /abs/me.crt
    client-key: ../me.key
    tokenFile: token
    as: root
    as-groups: [admins, devs]
    as-user-extra: {"example.org/scope": [a, b]}
`,
      FILE,
    );
    expect(config.currentContext).toBe("prod");
    expect(config.contexts.get("prod")).toMatchObject({ cluster: "c", user: "me", namespace: "db" });
    expect(config.clusters.get("c")).toMatchObject({
      server: "https://10.0.0.1:6443",
      ca: { data: undefined, file: "/users/me/.kube/pki/ca.crt" },
      tlsServerName: "kubernetes",
      insecure: false,
      proxyUrl: "socks5://gate:1080",
    });
    expect(config.users.get("me")).toMatchObject({
      certificate: { file: "/abs/me.crt" },
      key: { file: "/users/me/me.key" },
      tokenFile: "/users/me/.kube/token",
      impersonation: {
        "impersonate-user": "root",
        "impersonate-group": ["admins", "devs"],
        "impersonate-extra-example.org%2Fscope": ["a", "b"],
      },
    });
  });

  it("decodes data that is given in place", () => {
    const config = parseKubeconfig(cluster(`certificate-authority-data: ${btoa("a certificate")}`), FILE);
    expect(config.clusters.get("c")?.ca.data?.toString()).toBe("a certificate");
  });

  it("looks up a plugin's bare name in PATH, and takes a path relative to the file", () => {
    const commandOf = (command: string) =>
      parseKubeconfig(exec(`command: ${command}`), FILE).users.get("me")?.exec?.command;
    expect(commandOf("kubelogin")).toBe("kubelogin");
    expect(commandOf("./bin/kubelogin")).toBe("/users/me/.kube/bin/kubelogin");
    expect(commandOf("/usr/bin/kubelogin")).toBe("/usr/bin/kubelogin");
  });

  it("may be empty", () => {
    expect(parseKubeconfig("", FILE).contexts.size).toBe(0);
  });

  it.each([
    ["text that is no YAML", "a: [", `${FILE}: not readable as YAML`],
    ["a list", "[1]", `${FILE}: expected a mapping, found a list`],
    ["another kind", "kind: Pod", `${FILE}: kind: expected Config, found Pod`],
    ["an entry without a name", "users: [{user: {}}]", `${FILE}: users[0].name: is missing`],
    ["a name twice", "users: [{name: a}, {name: a}]", `${FILE}: users: the name "a" is there twice`],
    ["a token that is a number", user("token: 17"), `${FILE}: users[me].user.token: expected text, found a number`],
    [
      "data that is no base64",
      cluster("certificate-authority-data: '%'"),
      `${FILE}: clusters[c].cluster.certificate-authority-data: expected base64`,
    ],
    [
      "a flag that is text",
      cluster("insecure-skip-tls-verify: 'yes'"),
      "clusters[c].cluster.insecure-skip-tls-verify: expected true or false, found a string",
    ],
    [
      "insecure with an authority",
      cluster("insecure-skip-tls-verify: true, certificate-authority: x"),
      "cannot go together with a certificate-authority",
    ],
    [
      "a certificate without its key",
      user("client-certificate: a.crt"),
      "users[me].user.client-key: is missing; a pair is needed",
    ],
    ["a key without its certificate", user("client-key-data: YQ=="), "users[me].user.client-certificate: is missing"],
    [
      "an auth-provider",
      user("auth-provider: {name: gcp}"),
      "users[me].user.auth-provider: was removed from Kubernetes; use a credential plugin (exec) instead",
    ],
    [
      "a plugin of an old version",
      user("exec: {apiVersion: client.authentication.k8s.io/v1alpha1, command: x}"),
      "users[me].user.exec.apiVersion: must be one of",
    ],
    ["a plugin without a command", exec("args: [a]"), "users[me].user.exec.command: is missing"],
    [
      "a plugin with a strange mode",
      exec("command: x, interactiveMode: Sometimes"),
      "interactiveMode: must be Never, IfAvailable or Always",
    ],
    [
      "a plugin's variable without a name",
      exec("command: x, env: [{value: b}]"),
      "users[me].user.exec.env[0].name: is missing",
    ],
  ])("with %s is refused, naming file and field", (_, contents, message) => {
    expect(errorOf(contents)).toContain(message);
  });

  it("never shows a secret in a message", () => {
    expect(errorOf(user("token: [s3cret]"))).not.toContain("s3cret");
    expect(errorOf(user("client-key-data: 's3cret%'"))).not.toContain("s3cret");
  });
});

describe("several kubeconfigs", () => {
  it("are merged: what is set first wins, whole entries and the current context", () => {
    const first = parseKubeconfig(
      `${user("token: first")}\nclusters: [{name: only-first, cluster: {server: a}}]`,
      "/a/config",
    );
    const second = parseKubeconfig(
      `current-context: second\nusers: [{name: me, user: {token: second, username: x}}, {name: you, user: {token: b}}]`,
      "/b/config",
    );
    const third = parseKubeconfig("current-context: third", "/c/config");
    const merged = mergeKubeconfigs([first, second, third]);
    expect(merged.currentContext).toBe("second");
    expect([...merged.users.keys()].toSorted()).toEqual(["me", "you"]);
    expect(merged.users.get("me")).toMatchObject({ token: "first", username: undefined });
    expect([...merged.clusters.keys()]).toEqual(["only-first"]);
  });
});
