/** Who may talk to a test cluster, and how a client is told: tokens, key pairs, kubeconfig files. */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { stringify } from "yaml";

/** A user that the API server knows by a token. RBAC decides what it may do; the group `system:masters` may do all. */
export interface UserSpec {
  readonly name: string;
  readonly groups?: readonly string[];
}

/** A user with what a client needs to be it. */
export interface User {
  readonly name: string;
  readonly token: string;
  /** Path of a kubeconfig file for this user. */
  readonly kubeconfig: string;
}

export function makeToken(): string {
  return randomBytes(24).toString("hex");
}

/** The content of a `--token-auth-file`. */
export function tokenFile(users: readonly (UserSpec & { readonly token: string })[]): string {
  return users.map(({ token, name, groups = [] }) => `${token},${name},${name},"${groups.join(",")}"\n`).join("");
}

/** A private key and its public half in PEM, to sign ServiceAccount tokens with. */
export function makeSigningKey(): { readonly privateKey: string; readonly publicKey: string } {
  return generateKeyPairSync("ec", {
    namedCurve: "P-256",
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
}

/** Writes a kubeconfig file that only this user can read, with `namespace` as the default one. */
export async function writeKubeconfig(
  file: string,
  server: { readonly url: string; readonly ca: string },
  token: string,
  namespace = "default",
): Promise<void> {
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      {
        name: "test",
        cluster: { server: server.url, "certificate-authority-data": Buffer.from(server.ca).toString("base64") },
      },
    ],
    users: [{ name: "test", user: { token } }],
    contexts: [{ name: "test", context: { cluster: "test", user: "test", namespace } }],
    "current-context": "test",
  };
  await writeFile(file, stringify(config), { mode: 0o600 });
}
