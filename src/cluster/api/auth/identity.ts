/** Who somebody is, once they have shown it: names and groups that Kubernetes gives a meaning to. */
import { dnsLabel, dnsSubdomain } from "../validation/names.ts";

export interface User {
  readonly name: string;
  readonly groups: readonly string[];
}

/** All that is known of somebody who asks. */
export interface Identity extends User {
  /** Empty where there is none. */
  readonly uid: string;
  /** More that whoever vouches for them has told, by key: `authentication.kubernetes.io/pod-name`. */
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** Members may do everything, whatever the roles say. */
export const MASTERS = "system:masters";
export const AUTHENTICATED = "system:authenticated";
export const UNAUTHENTICATED = "system:unauthenticated";
export const NODES = "system:nodes";

/** Who asks without saying who they are. */
export const ANONYMOUS: Identity = { name: "system:anonymous", uid: "", groups: [UNAUTHENTICATED], extra: {} };

export const POD_NAME = "authentication.kubernetes.io/pod-name";
export const POD_UID = "authentication.kubernetes.io/pod-uid";
export const NODE_NAME = "authentication.kubernetes.io/node-name";
export const NODE_UID = "authentication.kubernetes.io/node-uid";
/** Tells the credentials of one user apart. */
export const CREDENTIAL_ID = "authentication.kubernetes.io/credential-id";

export interface AccountName {
  readonly namespace: string;
  readonly name: string;
}

const ACCOUNT_PREFIX = "system:serviceaccount:";
const NODE_PREFIX = "system:node:";

/** The user that a ServiceAccount is. */
export function accountUser({ namespace, name }: AccountName): string {
  return `${ACCOUNT_PREFIX}${namespace}:${name}`;
}

/** The groups that a ServiceAccount of this namespace is in. */
export function accountGroups(namespace: string): string[] {
  return ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
}

/** The ServiceAccount that a user is; undefined for others, also for one whose names no account could have. */
export function accountOf(user: string): AccountName | undefined {
  if (!user.startsWith(ACCOUNT_PREFIX)) return undefined;
  const [namespace = "", name = "", ...more] = user.slice(ACCOUNT_PREFIX.length).split(":");
  const fits = more.length === 0 && dnsLabel(namespace).length === 0 && dnsSubdomain(name).length === 0;
  return fits ? { namespace, name } : undefined;
}

/** The node that a user is; undefined for others. */
export function nodeOf(user: string): string | undefined {
  if (!user.startsWith(NODE_PREFIX)) return undefined;
  const name = user.slice(NODE_PREFIX.length);
  return dnsSubdomain(name).length === 0 ? name : undefined;
}
