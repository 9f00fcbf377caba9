/** What becomes of a Secret that is to hold a token of a ServiceAccount (upstream tokens_controller.go). */
import type { KubeObject } from "../../../../core/types.ts";
import type { Secret } from "../../../../kube/index.ts";

export const TOKEN_TYPE = "kubernetes.io/service-account-token";
export const ACCOUNT_NAME = "kubernetes.io/service-account.name";
export const ACCOUNT_UID = "kubernetes.io/service-account.uid";

export type TokenDecision =
  /** It is as it should be, or none of ours. */
  | { readonly kind: "leave" }
  /** The account that it speaks for is gone: nobody may go on speaking for it. */
  | { readonly kind: "delete" }
  /** Something is missing in it. */
  | { readonly kind: "fill" };

/**
 * `account` is the one that the Secret names, as the server has it now; undefined when there is none. `ca` is what the Secret
 * should say about who vouches for the server, base64.
 */
export function decideToken(secret: Secret, account: KubeObject | undefined, ca: string): TokenDecision {
  if (secret.type !== TOKEN_TYPE || accountNameOf(secret) === "") return { kind: "leave" };
  const uid = secret.metadata.annotations?.[ACCOUNT_UID] ?? "";
  if (account === undefined || (uid !== "" && uid !== account.metadata.uid)) return { kind: "delete" };
  const { token = "", namespace = "", "ca.crt": known = "" } = secret.data ?? {};
  return { kind: token !== "" && namespace !== "" && known === ca ? "leave" : "fill" };
}

/** Empty when it names none. */
export function accountNameOf({ metadata }: Secret): string {
  return metadata.annotations?.[ACCOUNT_NAME] ?? "";
}
