/** Who asks: by a token that this server was told of, by the token of a ServiceAccount, or nobody in particular. */
import { timingSafeEqual } from "node:crypto";
import type { Clock } from "../../../core/clock.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import { StatusError } from "../status-error.ts";
import { ANONYMOUS, AUTHENTICATED, type Identity, MASTERS } from "./identity.ts";
import type { SigningKey } from "./jwt.ts";
import { ISSUER } from "./openid.ts";
import { firstOf, type RequestHeaders } from "./request-headers.ts";
import { createTokenVerifier } from "./token-verification.ts";

/** Somebody who is known by a token, as in kube-apiserver's `--token-auth-file`. */
export interface TokenUser {
  readonly token: string;
  readonly name: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
}

export interface AuthenticatorOptions {
  /** Whoever has it may do everything. */
  readonly adminToken: string;
  readonly users?: readonly TokenUser[];
  readonly serviceAccountKey: SigningKey;
  readonly objects: ObjectStore;
  readonly clock: Clock;
}

export interface Authenticator {
  /**
   * Who asks. Without a token that is `ANONYMOUS`, whom hardly anything is allowed. Throws 401 for a token that is not good,
   * whatever is asked. `warn` tells the client something, in a Warning header.
   */
  authenticate(headers: RequestHeaders, warn?: (text: string) => void): Identity;
  /** Whose token it is, for these audiences; those of this server when there are none. */
  review(token: string, audiences: readonly string[]): TokenVerdict;
}

export type TokenVerdict =
  | { readonly kind: "known"; readonly identity: Identity; readonly audiences: readonly string[] }
  /** `why` in upstream's words: clients of TokenReview show it. */
  | { readonly kind: "unknown"; readonly why: string };

export const ADMIN = "outgrow-admin";

const UNKNOWN = "invalid bearer token";
const EXTRA_SPACE = "the provided Authorization header contains extra space before the bearer token, and is ignored";

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { adminToken, users = [], serviceAccountKey, objects, clock } = options;
  const admin = { token: adminToken, name: ADMIN, groups: [MASTERS] };
  const known = [admin, ...users].map((user) => ({ secret: Buffer.from(user.token), identity: identityOf(user) }));
  const accounts = createTokenVerifier(serviceAccountKey, objects, clock);

  /** Looks at all of them, and at all of each: how long it takes tells nothing of a token but its length. */
  function staticUser(token: string): Identity | undefined {
    const given = Buffer.from(token);
    let found: Identity | undefined;
    for (const { secret, identity } of known) {
      if (secret.length === given.length && timingSafeEqual(secret, given)) found = identity;
    }
    return found;
  }

  function review(token: string, wanted: readonly string[]): TokenVerdict {
    const targets = wanted.length === 0 ? [ISSUER] : wanted;
    const identity = staticUser(token);
    if (identity !== undefined) {
      const audiences = targets.filter((audience) => audience === ISSUER);
      return audiences.length === 0 ? { kind: "unknown", why: UNKNOWN } : { kind: "known", identity, audiences };
    }
    const verified = accounts.verify(token, targets);
    switch (verified.kind) {
      case "good":
        return { kind: "known", identity: authenticated(verified.identity), audiences: verified.audiences };
      case "bad":
        return { kind: "unknown", why: `[${UNKNOWN}, ${verified.why}]` };
      case "foreign":
        return { kind: "unknown", why: UNKNOWN };
    }
  }

  return {
    review,
    authenticate(headers, warn) {
      const token = bearerToken(firstOf(headers, "authorization"), warn);
      if (token === undefined) return ANONYMOUS;
      const verdict = review(token, []);
      if (verdict.kind === "unknown") throw new StatusError(401, "Unauthorized", "Unauthorized");
      return verdict.identity;
    },
  };
}

/** Undefined where there is none: another scheme, or nothing behind `Bearer`, is as good as no header. */
function bearerToken(header: string, warn: ((text: string) => void) | undefined): string | undefined {
  const [scheme = "", token, ...more] = header.trim().split(" ");
  if (scheme.toLowerCase() !== "bearer" || token === undefined) return undefined;
  if (token !== "") return token;
  if (more.length > 0) warn?.(EXTRA_SPACE);
  return undefined;
}

function identityOf({ name, uid = "", groups = [] }: Omit<TokenUser, "token">): Identity {
  return authenticated({ name, uid, groups, extra: {} });
}

function authenticated(identity: Identity): Identity {
  const { groups } = identity;
  return groups.includes(AUTHENTICATED) ? identity : { ...identity, groups: [...groups, AUTHENTICATED] };
}
