/** Fills Secrets that ask for a token of a ServiceAccount, and deletes them with the account. */
import type { KubeObject } from "../../../../core/types.ts";
import {
  identity,
  isNotFound,
  keyOf,
  type Outcome,
  refOf,
  refOfKey,
  SECRETS,
  type Secret,
  startInformer,
  withoutManagedFields,
} from "../../../../kube/index.ts";
import type { SigningKey } from "../../../api/auth/jwt.ts";
import { legacyTokenData } from "../../../api/auth/legacy-token.ts";
import type { JsonObject } from "../../../api/json.ts";
import {
  type Controller,
  type ControllerOptions,
  runController,
  type Surroundings,
} from "../../shared/run-controller.ts";
import { ACCOUNT_NAME, ACCOUNT_UID, accountNameOf, decideToken, TOKEN_TYPE } from "./token-decision.ts";
import { ACCOUNTS } from "./types.ts";

export interface TokenControllerOptions extends ControllerOptions {
  /** By which the server knows its own tokens. */
  readonly key: SigningKey;
  /** Certificate of the authority that vouches for the API server, in PEM. */
  readonly ca: string;
}

/** Starts at once. */
export function startTokenController(options: TokenControllerOptions): Controller {
  return runController({ ...options, name: "serviceaccount_tokens_secret" }, (around) => begin(around, options));
}

function begin(
  { client, queue, timers, logger, metrics, signal }: Surroundings,
  { key: signingKey, ca }: TokenControllerOptions,
) {
  const tools = { client, timers, logger, metrics };
  const secrets = startInformer<Secret, Secret, "account">(
    {
      ...tools,
      resource: SECRETS,
      fieldSelector: `type=${TOKEN_TYPE}`,
      trim: withoutManagedFields,
      indexes: { account: (secret) => keyOf({ namespace: secret.metadata.namespace, name: accountNameOf(secret) }) },
    },
    signal,
  );
  const accounts = startInformer(
    { ...tools, resource: ACCOUNTS, trim: ({ metadata }) => ({ metadata: identity(metadata) }) },
    signal,
  );
  const look = ({ metadata }: KubeObject): void => queue.add(keyOf(metadata));
  secrets.addHandler({ added: look, updated: (_, after) => look(after) });
  const lookAtSecrets = ({ metadata }: KubeObject): void => secrets.byIndex("account", keyOf(metadata)).forEach(look);
  accounts.addHandler({ added: lookAtSecrets, deleted: lookAtSecrets });

  const accountOf = async (secret: Secret): Promise<KubeObject | undefined> => {
    const ref = { namespace: secret.metadata.namespace, name: accountNameOf(secret) };
    const held = accounts.get(ref);
    const uid = secret.metadata.annotations?.[ACCOUNT_UID] ?? "";
    if (held !== undefined && (uid === "" || uid === held.metadata.uid)) return held;
    // It may be newer than what we know: a credential is not thrown away on old news.
    try {
      return await client.get(ACCOUNTS, ref, {}, signal);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  };

  async function reconcile(key: string): Promise<Outcome> {
    const secret = secrets.get(refOfKey(key));
    if (secret === undefined || accountNameOf(secret) === "") return undefined;
    const account = await accountOf(secret);
    const decision = decideToken(secret, account, Buffer.from(ca).toString("base64"));
    try {
      if (decision.kind === "delete") await remove(secret);
      if (decision.kind === "fill" && account !== undefined) await fill(secret, account);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    return undefined;
  }

  async function remove(secret: Secret): Promise<void> {
    const { uid, resourceVersion } = secret.metadata;
    if (uid === undefined || resourceVersion === undefined) return;
    await client.delete(SECRETS, refOf(secret), { preconditions: { uid, resourceVersion } }, signal);
  }

  async function fill(secret: Secret, account: KubeObject): Promise<void> {
    const fresh = legacyTokenData(json(account), json(secret), signingKey, ca) as Record<string, string>;
    const token = secret.data?.["token"] || fresh["token"] || "";
    const annotations = {
      ...secret.metadata.annotations,
      [ACCOUNT_NAME]: account.metadata.name,
      [ACCOUNT_UID]: account.metadata.uid ?? "",
    };
    const data = { ...secret.data, ...fresh, token };
    const filled = { ...secret, metadata: { ...secret.metadata, annotations }, data };
    const written = await client.update(SECRETS, filled, {}, signal);
    secrets.observe(written, secret.metadata.resourceVersion ?? "");
  }

  return { informers: [secrets, accounts], reconcile };
}

function json(object: KubeObject): JsonObject {
  return object as unknown as JsonObject;
}
