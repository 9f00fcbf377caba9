/** The Secret through which all replicas serve with the same certificates. Whoever finds them wanting makes them. */

import type { ServerNames } from "../../kube/certificates/issue-certificate.ts";
import { ifThere, isAlreadyExists, isConflict, type KubeClient, SECRETS, type Secret } from "../../kube/index.ts";
import { type Certificates, ensureGood } from "./certificates.ts";
import { WEBHOOK_NAME } from "./install.ts";

/** The entries of the Secret; the last two are those of every `kubernetes.io/tls`. */
const ENTRIES = { ca: "ca.crt", caKey: "ca.key", cert: "tls.crt", key: "tls.key" } as const;

type SecretClient = Pick<KubeClient, "get" | "create" | "update">;

/**
 * The certificates of the Secret, after it has been seen to that they will do. Of several replicas that write at once one
 * wins, and the others take what it wrote.
 */
export async function sharedCertificates(
  client: SecretClient,
  namespace: string,
  names: ServerNames,
  now: number,
  signal: AbortSignal,
): Promise<Certificates> {
  for (;;) {
    const secret = await read(client, namespace, signal);
    const held = secret && decode(secret);
    const good = ensureGood(held, names, now);
    if (good === held) return good;
    try {
      await write(client, secret ?? emptySecret(namespace), good, signal);
      return good;
    } catch (error) {
      if (!isConflict(error) && !isAlreadyExists(error)) throw error;
    }
  }
}

function read(client: SecretClient, namespace: string, signal: AbortSignal): Promise<Secret | undefined> {
  return ifThere(client.get(SECRETS, { namespace, name: WEBHOOK_NAME }, {}, signal));
}

async function write(
  client: SecretClient,
  secret: Secret,
  certificates: Certificates,
  signal: AbortSignal,
): Promise<void> {
  const data = Object.fromEntries(
    Object.entries(ENTRIES).map(([field, entry]) => [
      entry,
      Buffer.from(certificates[field as keyof Certificates]).toString("base64"),
    ]),
  );
  const next = { ...secret, data: { ...secret.data, ...data } };
  if (secret.metadata.resourceVersion === undefined) await client.create(SECRETS, next, {}, signal);
  else await client.update(SECRETS, next, {}, signal);
}

function emptySecret(namespace: string): Secret {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { namespace, name: WEBHOOK_NAME, labels: { "app.kubernetes.io/part-of": "outgrow" } },
    type: "kubernetes.io/tls",
  };
}

/** An entry that is missing reads as an empty text, which is no certificate. */
function decode({ data = {} }: Secret): Certificates {
  const read = (entry: string): string => Buffer.from(data[entry] ?? "", "base64").toString();
  return { ca: read(ENTRIES.ca), caKey: read(ENTRIES.caKey), cert: read(ENTRIES.cert), key: read(ENTRIES.key) };
}
